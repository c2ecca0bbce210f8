import Foundation
import Pictures
import Terminal
import Testing

@testable import Browse

/// The page of a post with pictures.
struct PostPageTests {
  private static let post: ListRow = {
    var post = Wall.posts[0]
    post.url = "https://mastodon.social/@birds/12"
    post.tags = ["kittens"]
    var tall = Wall.picture(11, alt: "The same cat, from above")
    tall.pixels = .init(width: 400, height: 800)
    tall.size = "400 × 800"
    post.pictures = [Wall.picture(12, alt: "A cat on a wall"), tall, Wall.picture(3, kind: "video")]
    return post
  }()

  @Test func `the picture has its proportions and as many rows as leave room for words`() throws {
    var wall = try Wall(60, 20, posts: [Self.post])
    wall.tester.press(.enter)
    wall.draw()
    #expect(
      wall.text() == """
         #cats  mastodon.social  1 post                 refreshing…
        ────────────────────────────────────────────────────────────
         Birds & Bees
         @birds@mastodon.social
         Today, 09:00

         cccccccccccccccccccccccccccccc
         cccccccccccccccccccccccccccccc
         cccccccccccccccccccccccccccccc
         cccccccccccccccccccccccccccccc
         cccccccccccccccccccccccccccccc
         cccccccccccccccccccccccccccccc
         cccccccccccccccccccccccccccccc
         cccccccccccccccccccccccccccccc
         cccccccccccccccccccccccccccccc
         cccccccccccccccccccccccccccccc

         image · 1200 × 800 · 1 of 3

         Esc back  Tab next picture  ← → posts  ↑ ↓ scroll
        """)
  }

  @Test func `an entry shows when it ends, and its files their names`() throws {
    var post = Self.post
    post.endsAt = post.createdAt.addingTimeInterval(5400)
    post.pictures = [ListRow.Picture(kind: "file", state: "stored")]
    post.pictures[0].name = "map of the walk.pdf"
    var wall = try Wall(60, 20, posts: [post])
    wall.tester.press(.enter)
    #expect(wall.text().contains("\n Today, 09:00 – 10:30\n"))
    #expect(wall.text().contains("\n file · map of the walk.pdf"))
    post.endsAt = post.createdAt.addingTimeInterval(86_400 * 3)
    var later = try Wall(60, 20, posts: [post])
    later.tester.press(.enter)
    #expect(later.text().contains("\n Today, 09:00 – Monday, 23 November 2026, 09:00\n"))
  }

  @Test func `Tab goes from one picture to the next and round, and a video says what it is and its size`() throws {
    var wall = try Wall(60, 20, posts: [Self.post])
    wall.tester.press(.enter, .tab)
    wall.draw()
    let second = wall.text()
    #expect(second.contains("\n bbbbbbbbbb\n") && second.contains("\n image · 400 × 800 · 2 of 3\n"))
    wall.tester.press(.tab)
    wall.draw()
    let third = wall.text()
    #expect(third.contains("\n video · 1200 × 800 · 3.2 MB · 3 of 3 · o opens it\n"))
    #expect(!third.contains("bbb"))
    wall.tester.press(.tab)
    #expect(wall.text().contains("1 of 3"))
    wall.tester.press(.backTab)
    #expect(wall.text().contains("3 of 3"))
  }

  @Test func `scrolled, the picture goes up with the words below it`() throws {
    var wall = try Wall(60, 20, posts: [Self.post])
    wall.tester.press(.enter)
    for _ in 0..<7 { wall.tester.press(.down) }
    wall.draw()
    let lines = wall.lines()
    #expect(lines[2...8].allSatisfy { $0 == " " + String(repeating: "c", count: 30) })
    #expect(lines[10] == " image · 1200 × 800 · 1 of 3")
    #expect(lines[11] == " A cat on a wall")
    #expect(lines[13] == " Post 12 of the cats in the garden. #cats")
    wall.tester.press(.pageDown)
    #expect(wall.lines().contains(" https://mastodon.social/@birds/12"))
  }

  @Test func `with enough room the picture stands beside the text and stays when that is scrolled`() throws {
    var wall = try Wall(120, 30, posts: [Self.post])
    wall.tester.press(.enter)
    wall.draw()
    let lines = wall.lines()
    #expect(lines[2] == " Birds & Bees".padded(to: 52) + String(repeating: "c", count: 67))
    #expect(lines[6].hasPrefix(" image · 1200 × 800 · 1 of 3 "))
    #expect(lines.count { $0.hasSuffix("cccc") } == 22)
    wall.tester.press(.down)
    #expect(wall.lines()[2].hasSuffix("cccc"))
  }

  @Test func `another post begins with its first picture, one come back to with the one that was seen`() throws {
    var other = Self.post
    other.id = 11
    var wall = try Wall(60, 20, posts: [Self.post, other])
    wall.tester.press(.enter, .tab, .right)
    #expect(wall.text().contains("1 of 3"))
    wall.tester.press(.left)
    #expect(wall.text().contains("2 of 3"))
  }

  @Test func `a picture that is not here says why and what helps`() throws {
    var post = Self.post
    post.pictures = [.init(kind: "image", alt: "A cat", size: "10 × 10", state: "pending")]
    var wall = try Wall(60, 20, posts: [post])
    wall.tester.press(.enter)
    #expect(wall.draw() == 0)
    #expect(wall.text().contains("\n image · 10 × 10 · not stored yet · r fetches it\n A cat\n"))
    post.pictures[0].putOff = "24 Nov 14:05"
    wall = try Wall(60, 20, posts: [post])
    wall.tester.press(.enter)
    #expect(wall.draw() == 0)
    #expect(wall.text().contains("\n image · 10 × 10 · put off until 24 Nov 14:05 · r fetches\n it then\n A cat\n"))
  }
}
