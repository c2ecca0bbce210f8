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
    for binding in KeyTable.bindings where binding.shown.count == 1 {
      #expect(keys.contains("`\(binding.shown)`"), "\(binding)")
    }
  }

  @Test func `a delete asks and leaves the rows alone until the list says so`() throws {
    var stage = try Stage(isStill: false)
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    _ = stage.done()
    stage.press(.down, .character("d"))
    #expect(stage.done() == [.delete([11])])
    #expect(stage.screen.list.reading.rows.count == 12)
    stage.send(.done(.deleted([11])), .list(Stage.reading(Stage.posts.filter { $0.id != 11 })))
    #expect(stage.screen.list.selected == 10)
    #expect(stage.lines[23].hasPrefix(" u undo"))
    stage.press(.character("u"))
    #expect(stage.done() == [.restore([11])])
    stage.send(.done(.restored([11])), .list(Stage.reading(Stage.posts)))
    #expect(stage.screen.list.selected == 11)
    stage.press(.character("u"))
    #expect(stage.done().isEmpty)
    #expect(stage.text.contains("Nothing to undo."))
  }

  @Test func `a deleted row slides to the right, what is below closes up, and then it is over`() throws {
    var stage = try Stage(isStill: false)
    stage.press(.down)
    stage.send(.list(Stage.reading(Stage.posts.filter { $0.id != 11 })))
    #expect(stage.lines[7] == "        Post 11 of the cats in the garden. #cats")
    stage.pass(0.09)
    #expect(stage.lines[7] == String(repeating: " ", count: 28) + "Post 11 of the cats in the garden. #cats")
    stage.pass(0.09)
    #expect(!stage.text.contains("Post 11"))
    #expect(stage.lines[10].contains("Post 10"))
    stage.pass(0.06)
    #expect(stage.lines[9].contains("Post 10"))
    stage.pass(0.07)
    #expect(stage.lines[7].contains("Post 10"))
    #expect(stage.screen.list.motions.isEmpty)
  }

  @Test func `the first post of a day leaves below its day's heading`() throws {
    var stage = try Stage(isStill: false)
    let heading = stage.lines[2]
    stage.send(.list(Stage.reading(Stage.posts.filter { $0.id != 12 })))
    #expect(heading.contains("─") && stage.lines[2].prefix(20) == heading.prefix(20))
    #expect(stage.lines[4].contains("Post 12"))
    stage.pass(0.5)
    #expect(stage.lines[2].prefix(20) == heading.prefix(20))
    #expect(stage.lines[4].contains("Post 11"))
  }

  @Test func `nothing slides where it must not, or where keys wait`() throws {
    let left = Stage.reading(Stage.posts.filter { $0.id != 12 })
    var still = try Stage(isStill: true)
    still.send(.list(left))
    #expect(still.screen.list.motions.isEmpty)
    var screen = try Stage(isStill: false).screen
    screen.isHurried = true
    _ = screen.handle(.list(left))
    #expect(screen.list.motions.isEmpty)
  }

  @Test func `a search begins when nothing was typed for a quarter of a second`() throws {
    var stage = try Stage()
    _ = stage.done()
    stage.type("/ca")
    stage.pass(0.2)
    stage.type("t")
    stage.pass(0.2)
    #expect(stage.done().isEmpty)
    stage.pass(0.06)
    #expect(stage.done() == [.search("cat")])
    stage.send(.scope(Stage.cats), .list(Stage.reading([])))
    #expect(stage.text.contains("No post has these words."))
    #expect(stage.lines[22] == " Search ▸ cat")
    stage.press(.escape)
    #expect(stage.done() == [.search("")])
  }

  @Test func `the end of what is stored pulls older posts, and says what becomes of it`() throws {
    var stage = try Stage()
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    _ = stage.done()
    stage.press(.end)
    #expect(stage.done() == [.pull(.older)])
    #expect(stage.lines[21] == "        Pulling older posts…")
    stage.send(.pull(.ended(.older, new: 0, isEnd: false, failure: "mastodon.social cannot be reached")))
    #expect(stage.lines[21] == "        mastodon.social cannot be reached · ↓ tries again")
    stage.press(.down)
    #expect(stage.done() == [.pull(.older)])
    stage.send(.pull(.ended(.older, new: 0, isEnd: true, failure: nil)))
    #expect(stage.lines[21] == "        This is the end of #cats.")
    stage.press(.down)
    #expect(stage.done().isEmpty)
  }

  @Test func `keys act while a pull runs, and a refresh that is asked for follows it`() throws {
    var stage = try Stage()
    #expect(stage.done() == [.pull(.new)])
    stage.press(.character("r"), .down, .character("d"))
    #expect(stage.done() == [.delete([11])])
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    #expect(stage.done() == [.pull(.new)])
  }

  @Test func `the list refreshes again when its time has come, and an error names the key that helps`() throws {
    var stage = try Stage()
    stage.send(.settings([], refresh: 30))
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: "mastodon.social cannot be reached")))
    _ = stage.done()
    #expect(stage.lines[0].hasSuffix("refresh in 30 s"))
    #expect(stage.lines[22] == " mastodon.social cannot be reached · r tries again")
    stage.pass(29)
    #expect(stage.lines[0].hasSuffix("refresh in 1 s"))
    #expect(stage.done().isEmpty)
    stage.pass(1)
    #expect(stage.done() == [.pull(.new)])
    #expect(stage.lines[0].hasSuffix("refreshing…"))
  }

  @Test func `deleted posts come back after a yes alone`() throws {
    var stage = try Stage()
    _ = stage.done()
    stage.press(.character("R"))
    #expect(stage.done() == [.countDeleted])
    stage.send(.restorable([3, 2]))
    #expect(stage.lines[22].hasPrefix(" Bring 2 deleted posts of this list back?"))
    stage.press(.character("n"))
    #expect(stage.done().isEmpty)
    stage.send(.restorable([3, 2]))
    stage.press(.character("y"))
    #expect(stage.done() == [.restore([3, 2])])
    stage.send(.done(.restored([3, 2])))
    stage.press(.character("u"))
    #expect(stage.done() == [.delete([3, 2])])
  }

  @Test func `new rows above are announced, and g goes there`() throws {
    var stage = try Stage()
    stage.press(.pageDown, .pageDown)
    let top = stage.lines[2...8]
    stage.send(.list(Stage.reading([Stage.post(13, hours: 0, "new")] + Stage.posts)))
    #expect(stage.lines[2...8] == top)
    #expect(stage.lines[22] == " 1 new above · g shows it")
    stage.press(.character("g"))
    #expect(stage.screen.list.selected == 13)
    #expect(stage.lines[2].contains("Today"))
  }

  @Test func `a click selects, a second one opens, the wheel moves`() throws {
    var stage = try Stage()
    stage.send(.input(.mouse(Mouse(.press, row: 7, column: 30))))
    #expect(stage.screen.list.selected == 11)
    stage.send(.input(.mouse(Mouse(.wheelDown, row: 7, column: 30))))
    #expect(stage.screen.list.selected == 10)
    stage.pass(1)
    stage.send(.input(.mouse(Mouse(.press, row: 7, column: 30))))
    stage.pass(1)
    stage.send(.input(.mouse(Mouse(.press, row: 7, column: 30))))
    #expect(stage.screen.mode == .list)
    stage.send(.input(.mouse(Mouse(.press, row: 7, column: 30))))
    #expect(stage.screen.mode == .post(0))
    for row in [0, 1, 2, 22, 23, 99] { stage.send(.input(.mouse(Mouse(.press, row: row, column: 0)))) }
  }

  @Test func `rows are read before they are needed, one part at a time`() throws {
    var stage = try Stage(posts: nil)
    let posts = (1...30).map { Stage.post(Int64(31 - $0), hours: Double($0) / 10, "Post \(31 - $0)") }
    stage.send(.list(Stage.reading(posts, after: true)))
    #expect(stage.done() == [.pull(.new)])
    for _ in 0..<16 { stage.press(.down) }
    #expect(stage.done() == [])
    stage.press(.down)
    #expect(stage.done() == [.load(.after)])
    stage.send(.loaded)
    stage.press(.down)
    #expect(stage.done() == [.load(.after)])
  }

  @Test func `Ctrl-L writes the screen anew, whatever is open`() throws {
    var stage = try Stage()
    _ = stage.done()
    for key in [Key.escape, .enter, .character("?")] {
      stage.press(key, .control("l"))
      #expect(stage.done() == [.redraw])
    }
  }

  @Test func `pasted text is written on one line`() throws {
    var stage = try Stage()
    stage.type("a")
    _ = stage.done()
    stage.send(.input(.paste("two\nlines \u{1B}[31m")))
    stage.press(.enter)
    #expect(stage.done() == [.add("two lines [31m")])
  }
}
