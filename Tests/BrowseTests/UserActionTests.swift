import Foundation
import Terminal
import Testing

@testable import Browse

/// User actions that are faster than their answers.
struct UserActionTests {
  private func without(_ ids: Int64...) -> ScreenEvent {
    .list(ScreenTester.reading(ScreenTester.posts.filter { !ids.contains($0.id) }))
  }

  private func actions(_ tester: inout ScreenTester) -> [Effect] {
    tester.done().filter { if case .write(.change) = $0 { true } else { false } }
  }

  @Test func `an undo right behind a delete undoes that one, and what was done before stays to be undone`() throws {
    var tester = try ScreenTester()
    tester.press(.character("d"))
    tester.send(.done(.deleted([12])), without(12))
    tester.press(.character("d"), .character("u"))
    #expect(actions(&tester) == [.delete([12]), .delete([11])])
    tester.send(.done(.deleted([11])))
    #expect(actions(&tester) == [.restore([11])])
    tester.send(.done(.restored([11])))
    tester.press(.character("u"))
    #expect(actions(&tester) == [.restore([12])])
    tester.send(.done(.restored([12])))
    tester.press(.character("u"))
    #expect(tester.text.contains("Nothing to undo."))
  }

  @Test func `a post that was added is selected, whether it is shown before or after that is said`() throws {
    for isShownFirst in [true, false] {
      var tester = try ScreenTester(scope: ListScope(title: "All posts"))
      let list = ScreenEvent.list(ScreenTester.reading([ScreenTester.post(13, hours: 0, "mine")] + ScreenTester.posts))
      if isShownFirst { tester.send(list, .done(.added(13))) } else { tester.send(.done(.added(13)), list) }
      #expect(tester.screen.list.selected == 13)
      #expect(tester.lines[22].contains("Added."))
    }
  }

  @Test func `a post added to a list that does not show it is said to be elsewhere`() throws {
    var tester = try ScreenTester(scope: ListScope(title: "#cats", isWhole: false))
    tester.send(.done(.added(13)))
    #expect(tester.lines[22].contains("Added. It is among all posts; this list shows a part."))
    tester.send(
      .list(ScreenTester.reading([ScreenTester.post(14, hours: 0, "mine")] + ScreenTester.posts)), .done(.added(14)))
    #expect(tester.lines[22] == " Added.")
    tester.send(.done(.added(15)))
    #expect(tester.lines[22].contains("this list shows a part"))
    tester.send(.list(ScreenTester.reading([ScreenTester.post(15, hours: -1, "mine")] + ScreenTester.posts)))
    #expect(tester.lines[22] == " Added.")
    tester = try ScreenTester(posts: nil, scope: ListScope(title: "All posts"))
    tester.send(.list(ScreenTester.reading(ScreenTester.posts, before: true)), .done(.added(13)))
    #expect(tester.lines[22].contains("Added. g shows the newest."))
  }

  @Test func `the number of restorable posts is not read during a write`() throws {
    var tester = try ScreenTester()
    tester.type("R")
    tester.type("ayes")
    tester.send(.restorable([1, 2]))
    tester.type("!")
    #expect(tester.lines[22].contains("yes!"))
    #expect(!actions(&tester).contains(.restore([1, 2])))
  }

  @Test func `a refresh that brings nothing leaves what stands there`() throws {
    var tester = try ScreenTester()
    tester.send(.pull(.began(.new)))
    tester.press(.character("d"))
    tester.send(.done(.deleted([12])), .pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    #expect(tester.lines[22].contains("Deleted."))
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: "offline")))
    #expect(tester.lines[22].contains("offline"))
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    #expect(!tester.text.contains("offline"))
  }

  @Test func `a post behind the help that is deleted is said to be`() throws {
    var tester = try ScreenTester()
    tester.press(.enter)
    tester.type("?")
    tester.send(without(12))
    tester.press(.escape)
    #expect(tester.text.contains("The post you read was deleted."))
  }

  @Test func `help is moved through to its end, by keys and wheel, without leaving it`() throws {
    var tester = try ScreenTester(80, 12)
    tester.type("?")
    let first = tester.lines[2]
    tester.type("G")
    #expect(tester.text.contains("quit"))
    tester.type("g")
    #expect(tester.lines[2] == first)
    tester.send(.input(.mouse(Mouse(.wheelDown, row: 5, column: 5))))
    #expect(tester.lines[2] != first && tester.lines[11].contains("Esc back"))
  }

  @Test func `a post that is going is not deleted again`() throws {
    var tester = try ScreenTester()
    tester.press(.character("d"), .character("d"), .character("d"))
    #expect(actions(&tester) == [.delete([12])])
    tester.send(.done(.deleted([12])), without(12))
    tester.press(.character("d"))
    #expect(actions(&tester) == [.delete([11])])
    tester.send(.done(.deleted([])))
    tester.press(.character("u"))
    #expect(actions(&tester) == [.restore([12])])
  }

  @Test func `a delete is undone by its change, and says so where all or a part was changed since`() throws {
    var tester = try ScreenTester()
    for change in [Int64(7), 8] {
      tester.press(.character("d"))
      tester.send(.done(.deleted([12], by: change)))
      _ = tester.done()
      tester.press(.character("u"))
      #expect(actions(&tester) == [.write(.change(.restore([12], undoing: change)))])
      tester.send(.done(change == 7 ? .restored([12], isPart: true) : .unmarked([], isPart: true)))
      let said =
        change == 7
        ? "1 post as before, but for what was changed again since." : "Not undone: it was changed again since."
      #expect(tester.text.contains(said))
    }
  }

  @Test func `a failed action cannot be undone, and an undo that failed is offered again`() throws {
    var tester = try ScreenTester()
    tester.press(.character("d"))
    tester.send(.refused("The disk is full."))
    #expect(tester.text.contains("The disk is full."))
    tester.press(.character("d"))
    tester.send(.done(.deleted([12])), without(12))
    _ = tester.done()
    tester.press(.character("u"))
    tester.send(.problem("Somebody else's trouble."), .refused("The disk is full."))
    tester.press(.character("u"))
    #expect(actions(&tester) == [.restore([12]), .restore([12])])
  }

  @Test func `a post that goes while it is read is said, and the next one begins at its head`() throws {
    var tester = try ScreenTester(80, 10)
    tester.press(.enter, .character("j"), .character("j"))
    tester.send(without(12))
    #expect(tester.screen.mode == .post(0))
    #expect(tester.text.contains("The post you read was deleted."))
    tester.press(.character("d"))
    tester.send(.done(.deleted([11])), without(12, 11))
    #expect(tester.screen.mode == .post(0))
    #expect(!tester.text.contains("you read"))
  }

  @Test func `only what came on top is new above`() throws {
    var tester = try ScreenTester(80, 12)
    tester.press(.end)
    tester.send(without(12, 11, 10))
    #expect(tester.screen.newAbove == 0)
    let newer =
      [ScreenTester.post(20, hours: 0.5, "new"), ScreenTester.post(21, hours: 0.2, "newer")].reversed()
      + ScreenTester.posts
    tester.send(.list(ScreenTester.reading(newer)))
    // Two new posts, and three restored ones on top.
    #expect(tester.screen.newAbove == 5)
    var window = try ScreenTester(80, 12, posts: nil)
    window.send(.list(ScreenTester.reading(Array(ScreenTester.posts.suffix(6)), before: true)))
    window.press(.end)
    window.send(.list(ScreenTester.reading(ScreenTester.posts)))
    #expect(window.screen.newAbove == 0)
  }

  @Test func `help goes back to where it was asked for, and every page goes to the background`() throws {
    var tester = try ScreenTester()
    tester.press(.enter, .character("?"), .escape)
    #expect(tester.screen.mode == .post(0))
    for keys in [[Key.escape], [.character("c")], [.escape, .character("?")], [.escape, .character("/")]] {
      _ = tester.done()
      for key in keys { tester.press(key) }
      tester.press(.control("z"))
      #expect(tester.done().contains(.suspend), "\(keys)")
    }
  }

  @Test func `messages of the previous list's pull are not shown for this list`() throws {
    var tester = try ScreenTester()
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    tester.press(.end)
    #expect(tester.done().contains(.pull(.older)))
    tester.send(.pull(.waits("It waits for the cats.")))
    #expect(tester.text.contains("It waits for the cats."))
    let dogs = ListScope(title: "#dogs", canRefresh: true, canPullOlder: true)
    tester.send(.scope(dogs), .list(ScreenTester.reading(ScreenTester.posts)))
    tester.send(.pull(.waits("It waits.")), .pull(.ended(.older, new: 3, isEnd: true, failure: "It failed.")))
    #expect(!tester.text.contains("It waits") && !tester.text.contains("It failed"))
    #expect(tester.done().contains(.pull(.new)))
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    tester.press(.end)
    #expect(tester.done().contains(.pull(.older)))
  }

  @Test func `a search that ends leads back to the post that was selected before`() throws {
    var tester = try ScreenTester()
    tester.press(.character("j"), .character("j"), .character("/"))
    tester.type("owl")
    tester.pass(0.3)
    tester.send(.scope(ScreenTester.cats), .list(ScreenTester.reading([ScreenTester.posts[7]])))
    tester.press(.escape)
    #expect(tester.done().contains(.search("")))
    tester.send(.scope(ScreenTester.cats), .list(ScreenTester.reading(ScreenTester.posts)))
    #expect(tester.screen.list.selected == ScreenTester.posts[2].id)
  }
}
