import Foundation
import Pictures
import Terminal
import Testing

@testable import Browse

/// The list as a grid.
struct GridTests {
  @Test func `pictures stand beside one another under their day`() throws {
    var wall = try Wall(40, 12, isGrid: true)
    wall.draw()
    #expect(
      wall.text() == """
         #cats  12 posts            refreshing…
        ────────────────────────────────────────
         Today ─────────────────────── 10 posts
        ▌cccccccccccccccccc  bbbbbbbbbbbbbbbbbb
        ▌cccccccccccccccccc  bbbbbbbbbbbbbbbbbb
        ▌cccccccccccccccccc  bbbbbbbbbbbbbbbbbb
        ▌cccccccccccccccccc  bbbbbbbbbbbbbbbbbb
        ▌cccccccccccccccccc  bbbbbbbbbbbbbbbbbb
        ▌Birds & Bees   1 h  Birds & Bees   2 h


         ? help  Enter whole  d delete  a add
        """)
  }

  @Test func `a usual screen holds two lines of four, and the beginning of a third`() throws {
    var wall = try Wall(80, 24, isGrid: true)
    wall.draw()
    let lines = wall.lines()
    #expect(lines[2] == " Today " + String(repeating: "─", count: 63) + " 10 posts")
    #expect(lines[3] == "▌cccccccccccccccccc  bbbbbbbbbbbbbbbbbb  aaaaaaaaaaaaaaaaaa  999999999999999999")
    #expect(lines[10] == "▌Birds & Bees   1 h  Birds & Bees   2 h  Birds & Bees   3 h  Birds & Bees   4 h")
    #expect(lines[12] == " 888888888888888888  777777777777777777  666666666666666666  555555555555555555")
    #expect(lines[21] == " 444444444444444444  333333333333333333")
  }

  @Test func `the smallest screen has words alone`() throws {
    var wall = try Wall(20, 5, isGrid: true)
    #expect(wall.draw() == 0)
    #expect(
      wall.text() == """
         #cats  refreshing…
         Today ─────────────
        ▌ Birds & Bees  1 h
        ▌ Post 12 of the c…
         ? help
        """)
  }

  @Test func `a large screen holds eight beside one another, and days under one another`() throws {
    var wall = try Wall(200, 50, isGrid: true)
    wall.draw()
    let lines = wall.lines()
    let first = "cba98765".map { String(repeating: $0, count: 23) }.joined(separator: "  ")
    #expect(lines[4] == "▌\(first)")
    #expect(lines[15].hasPrefix(" \(String(repeating: "4", count: 23))  \(String(repeating: "3", count: 23))"))
    #expect(lines[26].hasPrefix(" Yesterday ─"))
    #expect(lines[28].hasPrefix(" \(String(repeating: "2", count: 23))  \(String(repeating: "1", count: 23))"))
    for line in lines { #expect(TextWidth.of(line) <= 200) }
  }

  @Test(arguments: [Key.right, .character("l")], [Key.left, .character("h")])
  func `keys move in two dimensions, over days and at the edges`(right: Key, left: Key) throws {
    var tester = try Wall(80, 24, isGrid: true).tester
    // 12 11 10 9 · 8 7 6 5 · 4 3 · and the day before 2 1
    var path: [Int64?] = []
    for key: Key in [right, .down, right, .down, .down, .down, .up, .up, left, .up, .up, .up, left] {
      tester.press(key)
      path.append(tester.screen.list.selected)
    }
    #expect(path == [11, 7, 6, 3, 1, 1, 3, 7, 8, 12, 12, 12, 12])
  }

  @Test func `pages are as many lines as the screen has, and the end pulls older posts`() throws {
    var tester = try Wall(80, 24, isGrid: true).tester
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    _ = tester.done()
    tester.press(.pageDown)
    #expect(tester.screen.list.selected == 4)
    #expect(tester.done().isEmpty)
    tester.press(.pageDown)
    #expect(tester.screen.list.selected == 1)
    #expect(tester.done() == [.pull(.older)])
    tester.press(.pageUp)
    #expect(tester.screen.list.selected == 7)
  }

  @Test func `a deleted post leaves at once, and the next one takes its place`() throws {
    var wall = try Wall(80, 24, isGrid: true)
    wall.tester.press(.right, .character("d"))
    #expect(wall.tester.done() == [.delete([11])])
    wall.tester.send(.done(.deleted([11])), .list(ScreenTester.reading(Wall.posts.filter { $0.id != 11 })))
    wall.draw()
    #expect(wall.tester.screen.list.selected == 10)
    let line = wall.lines()[3]
    #expect(line == " cccccccccccccccccc ▌aaaaaaaaaaaaaaaaaa  999999999999999999  888888888888888888")
  }

  @Test func `rows that arrive above move nothing on the screen`() throws {
    let posts = (1...60).map { ScreenTester.post(Int64(61 - $0), hours: Double($0) / 100, "post") }
    var tester = try Wall(80, 24, posts: posts, isGrid: true).tester
    tester.press(.pageDown, .pageDown, .down)
    let before = tester.lines
    let came = (61...64).reversed().map { ScreenTester.post(Int64($0), hours: 0, "new") }
    tester.send(.list(ScreenTester.reading(came + posts)))
    #expect(Array(tester.lines[2...20]) == Array(before[2...20]))
  }

  @Test func `v changes between list and grid, and is kept`() throws {
    var tester = try ScreenTester(80, 24)
    _ = tester.done()
    tester.press(.down, .character("v"))
    #expect(tester.done() == [.set("view", "grid")])
    #expect(tester.screen.metrics.isGrid)
    #expect(tester.screen.list.selected == 11)
    tester.press(.character("v"))
    #expect(tester.done() == [.set("view", "list")])
    #expect(!tester.screen.metrics.isGrid)
  }

  @Test func `a click selects the post under it, a second one opens it`() throws {
    var tester = try Wall(80, 24, isGrid: true).tester
    tester.send(.input(.mouse(Mouse(.press, row: 14, column: 45))))
    #expect(tester.screen.list.selected == 6)
    tester.send(.input(.mouse(Mouse(.press, row: 14, column: 45))))
    #expect(tester.screen.mode == .post(0))
    tester.press(.escape)
    for (row, column) in [(21, 79), (2, 3), (0, 0), (23, 79)] {
      tester.send(.input(.mouse(Mouse(.press, row: row, column: column))))
    }
    #expect(tester.screen.list.selected == 6)
  }

  @Test func `a post without pictures shows its words in its cell`() throws {
    var wall = try Wall(80, 24, posts: ScreenTester.posts, isGrid: true)
    #expect(wall.draw() == 0)
    #expect(wall.text().contains(" Post 12 of the"))
  }

  @Test(arguments: 0...24, [1, 3, 5, 20, 40, 80, 140])
  func `no size breaks a grid or a post's page`(rows: Int, columns: Int) throws {
    var wall = try Wall(columns, rows, isGrid: true)
    for key: Key in [.down, .right, .pageDown, .enter, .down, .pageDown, .tab, .escape, .end, .character("v")] {
      wall.tester.press(key)
      wall.draw()
      let lines = wall.lines()
      #expect(lines.count == rows)
      #expect(lines.allSatisfy { TextWidth.of($0) <= columns })
    }
  }
}
