import Foundation
import MediaLibrary
import Terminal
import Testing

@testable import Browse

/// The height of a post in the list, and its emphasized parts.
struct LooksTests {
  private func heights(_ posts: [ListRow], _ columns: Int = 80, _ rows: Int = 24) -> [Int] {
    posts.map { $0.height(Metrics(columns: columns, rows: rows)) }
  }

  @Test func `a post takes the lines that its text needs, and no more than the screen allows`() {
    let posts = ["Short.", String(repeating: "words go on ", count: 9), String(repeating: "words go on ", count: 90)]
      .map { ScreenTester.post(1, hours: 1, $0, tags: []) }
    #expect(heights(posts) == [3, 4, 5])
    #expect(heights(posts, 120, 50) == [3, 3, 7])
    #expect(heights(posts, 200, 50) == [3, 3, 8])
    #expect(heights(posts, 40, 12) == [3, 3, 3])
    #expect(heights(posts, 20, 5) == [2, 2, 2])
    var pictured = posts[0]
    pictured.pictures = [Wall.picture(1)]
    #expect(heights([pictured]) == [5])
    #expect(heights([pictured], 120, 50) == [7])
    #expect(heights([pictured], 200, 50) == [11])
  }

  @Test func `a list is as wide as the screen`() throws {
    let tester = try ScreenTester(
      200, 50, posts: [ScreenTester.post(1, hours: 1, String(repeating: "word ", count: 60))])
    #expect(tester.lines[2].hasSuffix("1 post"))
    #expect(TextWidth.of(tester.lines[2]) > 195 && TextWidth.of(tester.lines[5]) > 185)
  }

  @Test func `tags that stand at the end of a text that is cut short are shown once`() throws {
    let long = String(repeating: "Cats sleep. ", count: 30) + "#Cats #garden"
    let lines = try ScreenTester(80, 24, posts: [ScreenTester.post(1, hours: 1, long, tags: ["cats", "garden"])]).lines
    #expect(lines[5].hasSuffix("…"))
    #expect(lines[6] == "▌       #cats #garden")
    #expect(lines.count { $0.contains("#") } == 2)
    let short = try ScreenTester(
      80, 24, posts: [ScreenTester.post(1, hours: 1, "Look! #Cats, #garden.", tags: ["cats", "garden"])])
    #expect(short.lines[4] == "▌       Look! #Cats, #garden.")
    #expect(short.lines[5].isEmpty)
  }

  @Test func `tags in a post's text are not repeated on its screen`() throws {
    var tester = try ScreenTester(
      80, 24, posts: [ScreenTester.post(1, hours: 1, "Look! #Cats", tags: ["cats", "garden"])])
    tester.press(.enter)
    #expect(tester.text.contains(" Look! #Cats\n\n #garden\n"))
  }

  @Test func `a title has a line of its own, or its own weight where there is one line`() throws {
    var post = ScreenTester.post(1, hours: 1, "The text of it.", tags: [])
    post.title = "A title"
    let wide = try ScreenTester(80, 24, posts: [post])
    #expect(wide.lines[4...5].map { $0 } == ["▌       A title", "▌       The text of it."])
    #expect(wide.canvas[4, 8].style == .bold && wide.canvas[5, 8].style == .plain)
    let narrow = try ScreenTester(40, 12, posts: [post])
    #expect(narrow.lines[4] == "▌ A title  The text of it.")
    #expect(narrow.canvas[4, 2].style == .bold && narrow.canvas[4, 11].style == .plain)
  }

  @Test func `posts that not everybody may see are marked in list and grid and on their own screen`() throws {
    var post = Wall.posts[0]
    post.visibility = .followers
    #expect(try ScreenTester(80, 24, posts: [post]).lines[3].hasSuffix("  followers  1 h"))
    var wall = try Wall(60, 40, posts: [post])
    wall.tester.press(.enter)
    wall.draw()
    #expect(wall.text().contains("Only followers of its author may see it."))
    for visibility in [nil, .public, .unlisted, .pending] as [Visibility?] {
      post.visibility = visibility
      #expect(try ScreenTester(80, 24, posts: [post]).lines[3] == ScreenTester(80, 24, posts: [Wall.posts[0]]).lines[3])
    }
  }

  @Test func `posts gone from their server are marked in list and grid`() throws {
    var post = ScreenTester.post(1, hours: 1, "A cat.")
    post.goneAt = post.createdAt
    #expect(try ScreenTester(80, 24, posts: [post]).lines[3].hasSuffix("  gone  1 h"))
    var wall = try Wall(80, 24, posts: [post], isGrid: true)
    #expect(wall.lines()[10].contains("gone 1 h"))
  }

  @Test func `a page down shows what stood below the screen, whatever the posts' heights`() throws {
    let posts = (1...40).map { number in
      ScreenTester.post(
        Int64(41 - number), hours: Double(number) / 10,
        String(repeating: "words go on ", count: number % 4 * 8), tags: [])
    }
    var tester = try ScreenTester(80, 24, posts: posts)
    var seen: Set<Int64> = []
    for _ in 0..<20 {
      seen.formUnion(tester.shown)
      tester.press(.pageDown)
    }
    #expect(seen == Set(posts.map(\.id)))
    #expect(tester.screen.list.selected == 1)
    for _ in 0..<20 { tester.press(.pageUp) }
    #expect(tester.screen.list.selected == 40)
  }
}

extension ScreenTester {
  /// The posts that begin on the screen.
  fileprivate var shown: [Int64] {
    let (list, metrics) = (screen.list, screen.metrics)
    let layout = RowLayout(list.reading, metrics)
    let top = list.offset(layout, metrics)
    return layout.items.compactMap { item in
      guard case .post(let row) = item.content, (top..<(top + metrics.height)).contains(item.top) else { return nil }
      return list.reading.rows[row].id
    }
  }
}
