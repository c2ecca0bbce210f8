import MediaLibrary
import Terminal
import Testing

@testable import Browse

/// The lists beside the posts.
struct SideListTests {
  private static let entries = [
    SideEntry(kind: .search, name: "good", text: "saved:good", unseen: .exactly(1234)),
    SideEntry(kind: .album, name: "Winter", text: "in:Winter", unseen: .exactly(0)),
    SideEntry(
      kind: .feed, name: "tag:cats@mastodon.social", text: "tag:cats@mastodon.social", unseen: .moreThan(10_000)),
  ]

  private func shown(_ columns: Int = 140, _ rows: Int = 30) throws -> ScreenTester {
    var tester = try ScreenTester(columns, rows)
    tester.press(.tab)
    #expect(tester.done().contains(.side))
    tester.send(.side(Self.entries))
    return tester
  }

  @Test func `it stands beside the posts with what is unseen, and takes no more than its columns`() throws {
    let tester = try shown()
    let left = tester.lines.map { $0.prefix(30).split(separator: " ").joined(separator: " ") }
    #expect(
      left[2...7] == [
        "Saved searches │", "▌ good 1,234 │", "Albums │", "Winter │", "Feeds │", "tag:cats@mastodo… 10,000+ │",
      ])
    #expect(tester.lines[2...20].allSatisfy { Array($0)[29] == "│" })
    #expect(tester.lines[3].contains("Birds & Bees"))
    #expect(tester.lines.allSatisfy { $0.count <= 140 })
  }

  @Test func `Enter shows a list, and the posts have the keys again`() throws {
    var tester = try shown()
    tester.press(.character("j"), .enter)
    #expect(tester.done() == [.read(.choose("in:Winter"))])
    tester.press(.character("j"))
    #expect(tester.screen.list.selected == ScreenTester.posts[1].id)
    // It stays, and follows what changes.
    tester.send(.changed)
    #expect(tester.done().contains(.side))
    tester.press(.tab, .escape, .character("j"))
    #expect(tester.screen.list.selected == ScreenTester.posts[2].id)
    tester.press(.tab, .tab)
    #expect(!tester.text.contains("Saved searches"))
    _ = tester.done()
    tester.send(.changed)
    #expect(!tester.done().contains(.side))
  }

  @Test func `a narrow screen is what it was, and says where the lists are`() throws {
    var tester = try ScreenTester(119, 30)
    let before = tester.lines.dropLast(2)
    tester.press(.tab)
    #expect(Array(tester.lines.dropLast(2)) == Array(before))
    #expect(tester.text.contains("The side list needs 120 columns: t shows the same lists."))
    #expect(!tester.done().contains(.side))
    // What becomes too narrow lets go of the keys.
    var wide = try shown()
    wide.send(.size(columns: 100, rows: 30))
    wide.press(.character("j"))
    #expect(wide.screen.list.selected == ScreenTester.posts[1].id)
  }

  @Test func `a click shows a list, and one beside it selects a post`() throws {
    var tester = try shown()
    tester.send(.input(.mouse(Mouse(.press, row: 5, column: 4))))
    #expect(tester.done() == [.read(.choose("in:Winter"))])
    tester.press(.tab)
    _ = tester.done()
    tester.send(.input(.mouse(Mouse(.press, row: 2, column: 4))))
    #expect(tester.done().isEmpty)
  }

  @Test func `many lists scroll with the cursor`() throws {
    var tester = try shown()
    tester.send(
      .side((1...60).map { SideEntry(kind: .album, name: "album \($0)", text: "in:\($0)", unseen: .exactly(0)) }))
    #expect(tester.text.contains("album 1 ") && !tester.text.contains("album 60"))
    tester.press(.end)
    #expect(tester.text.contains("▌ album 60") && !tester.text.contains("album 1 "))
    tester.press(.enter)
    #expect(tester.done() == [.read(.choose("in:60"))])
  }
}
