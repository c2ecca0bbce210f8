import Foundation
import Terminal
import Testing

@testable import Browse

/// User actions that are faster than their answers.
struct UserActionTests {
  private func without(_ ids: Int64...) -> ScreenEvent {
    .list(Stage.reading(Stage.posts.filter { !ids.contains($0.id) }))
  }

  private func actions(_ stage: inout Stage) -> [Effect] {
    stage.done().filter { if case .write(.change) = $0 { true } else { false } }
  }

  @Test func `an undo right behind a delete undoes that one, and what was done before stays to be undone`() throws {
    var stage = try Stage()
    stage.press(.character("d"))
    stage.send(.done(.deleted([12])), without(12))
    stage.press(.character("d"), .character("u"))
    #expect(actions(&stage) == [.delete([12]), .delete([11])])
    stage.send(.done(.deleted([11])))
    #expect(actions(&stage) == [.restore([11])])
    stage.send(.done(.restored([11])))
    stage.press(.character("u"))
    #expect(actions(&stage) == [.restore([12])])
    stage.send(.done(.restored([12])))
    stage.press(.character("u"))
    #expect(stage.text.contains("Nothing to undo."))
  }

  @Test func `a post that was added is selected, whether it is shown before or after that is said`() throws {
    for isShownFirst in [true, false] {
      var stage = try Stage(scope: ListScope(title: "All posts"))
      let list = ScreenEvent.list(Stage.reading([Stage.post(13, hours: 0, "mine")] + Stage.posts))
      if isShownFirst { stage.send(list, .done(.added(13))) } else { stage.send(.done(.added(13)), list) }
      #expect(stage.screen.list.selected == 13)
      #expect(stage.lines[22].contains("Added."))
    }
  }

  @Test func `a post added to a list that does not show it is said to be elsewhere`() throws {
    var stage = try Stage(scope: ListScope(title: "#cats", isWhole: false))
    stage.send(.done(.added(13)))
    #expect(stage.lines[22].contains("Added. It is among all posts; this list shows a part."))
    stage.send(.list(Stage.reading([Stage.post(14, hours: 0, "mine")] + Stage.posts)), .done(.added(14)))
    #expect(stage.lines[22] == " Added.")
    stage.send(.done(.added(15)))
    #expect(stage.lines[22].contains("this list shows a part"))
    stage.send(.list(Stage.reading([Stage.post(15, hours: -1, "mine")] + Stage.posts)))
    #expect(stage.lines[22] == " Added.")
    stage = try Stage(posts: nil, scope: ListScope(title: "All posts"))
    stage.send(.list(Stage.reading(Stage.posts, before: true)), .done(.added(13)))
    #expect(stage.lines[22].contains("Added. g shows the newest."))
  }

  @Test func `the number of restorable posts is not read during a write`() throws {
    var stage = try Stage()
    stage.type("R")
    stage.type("ayes")
    stage.send(.restorable([1, 2]))
    stage.type("!")
    #expect(stage.lines[22].contains("yes!"))
    #expect(!actions(&stage).contains(.restore([1, 2])))
  }

  @Test func `a refresh that brings nothing leaves what stands there`() throws {
    var stage = try Stage()
    stage.send(.pull(.began(.new)))
    stage.press(.character("d"))
    stage.send(.done(.deleted([12])), .pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    #expect(stage.lines[22].contains("Deleted."))
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: "offline")))
    #expect(stage.lines[22].contains("offline"))
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    #expect(!stage.text.contains("offline"))
  }

  @Test func `a post behind the help that is deleted is said to be`() throws {
    var stage = try Stage()
    stage.press(.enter)
    stage.type("?")
    stage.send(without(12))
    stage.press(.escape)
    #expect(stage.text.contains("The post you read was deleted."))
  }

  @Test func `help is moved through to its end, by keys and wheel, without leaving it`() throws {
    var stage = try Stage(80, 12)
    stage.type("?")
    let first = stage.lines[2]
    stage.type("G")
    #expect(stage.text.contains("quit"))
    stage.type("g")
    #expect(stage.lines[2] == first)
    stage.send(.input(.mouse(Mouse(.wheelDown, row: 5, column: 5))))
    #expect(stage.lines[2] != first && stage.lines[11].contains("Esc back"))
  }

  @Test func `a post that is going is not deleted again`() throws {
    var stage = try Stage()
    stage.press(.character("d"), .character("d"), .character("d"))
    #expect(actions(&stage) == [.delete([12])])
    stage.send(.done(.deleted([12])), without(12))
    stage.press(.character("d"))
    #expect(actions(&stage) == [.delete([11])])
    stage.send(.done(.deleted([])))
    stage.press(.character("u"))
    #expect(actions(&stage) == [.restore([12])])
  }

  @Test func `a failed action cannot be undone, and an undo that failed is offered again`() throws {
    var stage = try Stage()
    stage.press(.character("d"))
    stage.send(.refused("The disk is full."))
    #expect(stage.text.contains("The disk is full."))
    stage.press(.character("d"))
    stage.send(.done(.deleted([12])), without(12))
    _ = stage.done()
    stage.press(.character("u"))
    stage.send(.problem("Somebody else's trouble."), .refused("The disk is full."))
    stage.press(.character("u"))
    #expect(actions(&stage) == [.restore([12]), .restore([12])])
  }

  @Test func `a post that goes while it is read is said, and the next one begins at its head`() throws {
    var stage = try Stage(80, 10)
    stage.press(.enter, .character("j"), .character("j"))
    stage.send(without(12))
    #expect(stage.screen.mode == .post(0))
    #expect(stage.text.contains("The post you read was deleted."))
    stage.press(.character("d"))
    stage.send(.done(.deleted([11])), without(12, 11))
    #expect(stage.screen.mode == .post(0))
    #expect(!stage.text.contains("you read"))
  }

  @Test func `only what came on top is new above`() throws {
    var stage = try Stage(80, 12)
    stage.press(.end)
    stage.send(without(12, 11, 10))
    #expect(stage.screen.newAbove == 0)
    let newer = [Stage.post(20, hours: 0.5, "new"), Stage.post(21, hours: 0.2, "newer")].reversed() + Stage.posts
    stage.send(.list(Stage.reading(newer)))
    // Two new posts, and three restored ones on top.
    #expect(stage.screen.newAbove == 5)
    var window = try Stage(80, 12, posts: nil)
    window.send(.list(Stage.reading(Array(Stage.posts.suffix(6)), before: true)))
    window.press(.end)
    window.send(.list(Stage.reading(Stage.posts)))
    #expect(window.screen.newAbove == 0)
  }

  @Test func `help goes back to where it was asked for, and every page goes to the background`() throws {
    var stage = try Stage()
    stage.press(.enter, .character("?"), .escape)
    #expect(stage.screen.mode == .post(0))
    for keys in [[Key.escape], [.character("c")], [.escape, .character("?")], [.escape, .character("/")]] {
      _ = stage.done()
      for key in keys { stage.press(key) }
      stage.press(.control("z"))
      #expect(stage.done().contains(.suspend), "\(keys)")
    }
  }

  @Test func `messages of the previous list's pull are not shown for this list`() throws {
    var stage = try Stage()
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    stage.press(.end)
    #expect(stage.done().contains(.pull(.older)))
    stage.send(.pull(.waits("It waits for the cats.")))
    #expect(stage.text.contains("It waits for the cats."))
    let dogs = ListScope(title: "#dogs", canRefresh: true, canPullOlder: true)
    stage.send(.scope(dogs), .list(Stage.reading(Stage.posts)))
    stage.send(.pull(.waits("It waits.")), .pull(.ended(.older, new: 3, isEnd: true, failure: "It failed.")))
    #expect(!stage.text.contains("It waits") && !stage.text.contains("It failed"))
    #expect(stage.done().contains(.pull(.new)))
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    stage.press(.end)
    #expect(stage.done().contains(.pull(.older)))
  }

  @Test func `a search that ends leads back to the post that was selected before`() throws {
    var stage = try Stage()
    stage.press(.character("j"), .character("j"), .character("/"))
    stage.type("owl")
    stage.pass(0.3)
    stage.send(.scope(Stage.cats), .list(Stage.reading([Stage.posts[7]])))
    stage.press(.escape)
    #expect(stage.done().contains(.search("")))
    stage.send(.scope(Stage.cats), .list(Stage.reading(Stage.posts)))
    #expect(stage.screen.list.selected == Stage.posts[2].id)
  }
}
