import Foundation
import Terminal
import Testing

@testable import Browse

/// The effects of keys, the mouse and the clock.
struct KeysTests {
  @Test func `each key stands in the guide`() throws {
    let guide = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/guide/the-list.md")
    let rows = try String(contentsOf: guide, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| ") }
    let keys = rows.compactMap { $0.split(separator: "|").first }.joined()
    for binding in KeyTable.bindings where binding.shown.count == 1 || binding.action == "rate" {
      #expect(keys.contains("`\(binding.shown)`"), "\(binding)")
    }
  }

  @Test func `a delete asks and leaves the rows alone until the list says so`() throws {
    var tester = try ScreenTester(isStill: false)
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    _ = tester.done()
    tester.press(.down, .character("d"))
    #expect(tester.done() == [.delete([11])])
    #expect(tester.screen.list.reading.rows.count == 12)
    tester.send(.done(.deleted([11])), .list(ScreenTester.reading(ScreenTester.posts.filter { $0.id != 11 })))
    #expect(tester.screen.list.selected == 10)
    #expect(tester.lines[23].hasPrefix(" u undo"))
    tester.press(.character("u"))
    #expect(tester.done() == [.restore([11])])
    tester.send(.done(.restored([11])), .list(ScreenTester.reading(ScreenTester.posts)))
    #expect(tester.screen.list.selected == 11)
    tester.press(.character("u"))
    #expect(tester.done().isEmpty)
    #expect(tester.text.contains("Nothing to undo."))
  }

  @Test func `a deleted row slides to the right, what is below closes up, and then it is over`() throws {
    var tester = try ScreenTester(isStill: false)
    tester.press(.down)
    tester.send(.list(ScreenTester.reading(ScreenTester.posts.filter { $0.id != 11 })))
    #expect(tester.lines[7] == "        Post 11 of the cats in the garden. #cats")
    tester.pass(0.09)
    #expect(tester.lines[7] == String(repeating: " ", count: 28) + "Post 11 of the cats in the garden. #cats")
    tester.pass(0.09)
    #expect(!tester.text.contains("Post 11"))
    #expect(tester.lines[10].contains("Post 10"))
    tester.pass(0.06)
    #expect(tester.lines[9].contains("Post 10"))
    tester.pass(0.07)
    #expect(tester.lines[7].contains("Post 10"))
    #expect(tester.screen.list.motions.isEmpty)
  }

  @Test func `the first post of a day leaves below its day's heading`() throws {
    var tester = try ScreenTester(isStill: false)
    let heading = tester.lines[2]
    tester.send(.list(ScreenTester.reading(ScreenTester.posts.filter { $0.id != 12 })))
    #expect(heading.contains("─") && tester.lines[2].prefix(20) == heading.prefix(20))
    #expect(tester.lines[4].contains("Post 12"))
    tester.pass(0.5)
    #expect(tester.lines[2].prefix(20) == heading.prefix(20))
    #expect(tester.lines[4].contains("Post 11"))
  }

  @Test func `nothing slides where it must not, or where keys wait`() throws {
    let left = ScreenTester.reading(ScreenTester.posts.filter { $0.id != 12 })
    var still = try ScreenTester(isStill: true)
    still.send(.list(left))
    #expect(still.screen.list.motions.isEmpty)
    var screen = try ScreenTester(isStill: false).screen
    screen.isHurried = true
    _ = screen.handle(.list(left))
    #expect(screen.list.motions.isEmpty)
  }

  @Test func `a search begins when nothing was typed for a quarter of a second`() throws {
    var tester = try ScreenTester()
    _ = tester.done()
    tester.type("/ca")
    tester.pass(0.2)
    tester.type("t")
    tester.pass(0.2)
    #expect(tester.done().isEmpty)
    tester.pass(0.06)
    #expect(tester.done() == [.search("cat")])
    tester.send(.scope(ScreenTester.cats), .list(ScreenTester.reading([])))
    #expect(tester.text.contains("No post has these words."))
    #expect(tester.lines[22] == " Search ▸ cat")
    tester.press(.escape)
    #expect(tester.done() == [.search("")])
  }

  @Test func `the end of what is stored pulls older posts, and says what becomes of it`() throws {
    var tester = try ScreenTester()
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    _ = tester.done()
    tester.press(.end)
    #expect(tester.done() == [.pull(.older)])
    #expect(tester.lines[21] == "        Pulling older posts…")
    tester.send(.pull(.ended(.older, new: 0, isEnd: false, failure: "mastodon.social cannot be reached")))
    #expect(tester.lines[21] == "        mastodon.social cannot be reached · ↓ tries again")
    tester.press(.down)
    #expect(tester.done() == [.pull(.older)])
    tester.send(.pull(.ended(.older, new: 0, isEnd: true, failure: nil)))
    #expect(tester.lines[21] == "        This is the end of #cats.")
    tester.press(.down)
    #expect(tester.done().isEmpty)
  }

  @Test func `keys act while a pull runs, and a refresh that is asked for follows it`() throws {
    var tester = try ScreenTester()
    #expect(tester.done() == [.pull(.new)])
    tester.press(.character("r"), .down, .character("d"))
    #expect(tester.done() == [.delete([11])])
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    #expect(tester.done() == [.pull(.new)])
  }

  @Test func `the list refreshes again when its time has come, and an error names the key that helps`() throws {
    var tester = try ScreenTester()
    tester.send(.settings([], refresh: 30))
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: "mastodon.social cannot be reached")))
    _ = tester.done()
    #expect(tester.lines[0].hasSuffix("refresh in 30 s"))
    #expect(tester.lines[22] == " mastodon.social cannot be reached · r tries again")
    tester.pass(29)
    #expect(tester.lines[0].hasSuffix("refresh in 1 s"))
    #expect(tester.done().isEmpty)
    tester.pass(1)
    #expect(tester.done() == [.pull(.new)])
    #expect(tester.lines[0].hasSuffix("refreshing…"))
  }

  @Test func `deleted posts come back after a yes alone`() throws {
    var tester = try ScreenTester()
    _ = tester.done()
    tester.press(.character("R"))
    #expect(tester.done() == [.countDeleted])
    tester.send(.restorable([3, 2]))
    #expect(tester.lines[22].hasPrefix(" Bring 2 deleted posts of this list back?"))
    tester.press(.character("n"))
    #expect(tester.done().isEmpty)
    tester.send(.restorable([3, 2]))
    tester.press(.character("y"))
    #expect(tester.done() == [.restore([3, 2])])
    tester.send(.done(.restored([3, 2])))
    tester.press(.character("u"))
    #expect(tester.done() == [.delete([3, 2])])
  }

  @Test func `new rows above are announced, and g goes there`() throws {
    var tester = try ScreenTester()
    tester.press(.pageDown, .pageDown)
    let top = tester.lines[2...8]
    tester.send(.list(ScreenTester.reading([ScreenTester.post(13, hours: 0, "new")] + ScreenTester.posts)))
    #expect(tester.lines[2...8] == top)
    #expect(tester.lines[22] == " 1 new above · g shows it")
    tester.press(.character("g"))
    #expect(tester.screen.list.selected == 13)
    #expect(tester.lines[2].contains("Today"))
  }

  @Test func `a click selects, a second one opens, the wheel moves`() throws {
    var tester = try ScreenTester()
    tester.send(.input(.mouse(Mouse(.press, row: 7, column: 30))))
    #expect(tester.screen.list.selected == 11)
    tester.send(.input(.mouse(Mouse(.wheelDown, row: 7, column: 30))))
    #expect(tester.screen.list.selected == 10)
    tester.pass(1)
    tester.send(.input(.mouse(Mouse(.press, row: 7, column: 30))))
    tester.pass(1)
    tester.send(.input(.mouse(Mouse(.press, row: 7, column: 30))))
    #expect(tester.screen.mode == .list)
    tester.send(.input(.mouse(Mouse(.press, row: 7, column: 30))))
    #expect(tester.screen.mode == .post(0))
    for row in [0, 1, 2, 22, 23, 99] { tester.send(.input(.mouse(Mouse(.press, row: row, column: 0)))) }
  }

  @Test func `rows are read before they are needed, one part at a time`() throws {
    var tester = try ScreenTester(posts: nil)
    let posts = (1...30).map { ScreenTester.post(Int64(31 - $0), hours: Double($0) / 10, "Post \(31 - $0)") }
    tester.send(.list(ScreenTester.reading(posts, after: true)))
    #expect(tester.done() == [.pull(.new)])
    for _ in 0..<16 { tester.press(.down) }
    #expect(tester.done() == [])
    tester.press(.down)
    #expect(tester.done() == [.load(.after)])
    tester.send(.loaded)
    tester.press(.down)
    #expect(tester.done() == [.load(.after)])
  }

  @Test func `Ctrl-L writes the screen anew, whatever is open`() throws {
    var tester = try ScreenTester()
    _ = tester.done()
    for key in [Key.escape, .enter, .character("?")] {
      tester.press(key, .control("l"))
      #expect(tester.done() == [.redraw])
    }
  }

  @Test func `pasted text is written on one line`() throws {
    var tester = try ScreenTester()
    tester.type("a")
    _ = tester.done()
    tester.send(.input(.paste("two\nlines \u{1B}[31m")))
    tester.press(.enter)
    #expect(tester.done() == [.add("two lines [31m")])
  }
}
