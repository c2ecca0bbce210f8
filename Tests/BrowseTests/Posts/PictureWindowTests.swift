import Foundation
import Pictures
import Terminal
import Testing

@testable import Browse

/// The full-window picture, and actions on it and on a post's link.
struct PictureWindowTests {
  private func wall(_ columns: Int = 60, _ rows: Int = 20, posts: [ListRow] = Wall.posts) throws -> Wall {
    try Wall(columns, rows, posts: posts)
  }

  @Test func `z shows the picture over the whole window, and leads back`() throws {
    for key: Key? in [nil, .enter] {
      var wall = try wall()
      if let key { wall.tester.press(key) }
      let before = wall.tester.text
      wall.tester.press(.character("z"))
      wall.draw()
      #expect(wall.lines()[..<19].allSatisfy { $0 == String(repeating: "c", count: 60) })
      #expect(wall.lines()[19] == " image · 1200 × 800 · whole  ← → posts  Esc back  z 1:1")
      wall.tester.press(.right)
      wall.draw()
      #expect(wall.lines()[0].hasPrefix("bbbb"))
      wall.tester.press(.left, .escape)
      #expect(wall.tester.text == before)
    }
  }

  @Test func `of its actual size a part is seen, moved over by the arrows and never beyond the picture`() throws {
    var wall = try wall()
    wall.tester.press(.character("z"), .character("z"))
    let corner = { (wall: Wall) in wall.tester.canvas.pictures.first?.corner }
    // 60 × 19 cells of 8 × 16 pixels: 480 × 304 of 1200 × 800.
    #expect(corner(wall) == .init(x: 360, y: 248))
    wall.tester.press(.right, .down)
    #expect(corner(wall) == .init(x: 480, y: 312))
    wall.tester.press(.right, .right, .right, .pageDown, .pageDown)
    #expect(corner(wall) == .init(x: 720, y: 496))
    for _ in 0..<9 { wall.tester.press(.left, .up) }
    #expect(corner(wall) == .init(x: 0, y: 0))
    _ = wall.canvas()
    #expect(wall.wanted.map(\.filling) == [.actual])
    wall.tester.press(.character("z"))
    #expect(wall.tester.canvas.pictures.first?.corner == nil)
  }

  @Test func `Tab turns to the post's next picture, and the post's page shows that one afterwards`() throws {
    var posts = Wall.posts
    posts[0].pictures.append(Wall.picture(3))
    var wall = try wall(posts: posts)
    wall.tester.press(.enter, .character("z"), .tab)
    wall.draw()
    #expect(wall.lines()[0].hasPrefix("3333"))
    #expect(wall.lines()[19].contains("2 of 2"))
    wall.tester.press(.escape)
    #expect(wall.tester.text.contains("2 of 2"))
  }

  @Test func `a post without a picture, and a picture that is not here, say so`() throws {
    var tester = try ScreenTester()
    tester.press(.character("z"))
    #expect(tester.lines[22] == " This post has no picture.")
    var posts = ScreenTester.posts
    posts[0].pictures = [.init(kind: "image", state: "pending")]
    var wall = try wall(posts: posts)
    wall.tester.press(.character("z"))
    #expect(wall.tester.text.contains("not stored yet"))
    wall.tester.press(.character("O"))
    #expect(wall.tester.lines[19] == " The picture: not stored yet · r fetches it")
    #expect(wall.tester.done().allSatisfy { if case .open(.file) = $0 { false } else { true } })
  }

  @Test func `a post that goes while its picture is seen leaves the picture of the next, or what it came from`() throws
  {
    var wall = try wall()
    wall.tester.press(.character("z"))
    wall.tester.send(.list(ScreenTester.reading(Array(Wall.posts.dropFirst()))))
    #expect(wall.tester.lines[0].contains("#cats"))
    wall.tester.press(.enter, .character("z"))
    wall.tester.send(.list(ScreenTester.reading(Array(Wall.posts.dropFirst(2)))))
    #expect(wall.tester.screen.mode == .post(0))
  }

  @Test func `O hands the stored picture to the viewer, y copies the link, everywhere a post is shown`() throws {
    var posts = Wall.posts
    posts[0].url = "https://mastodon.social/@birds/12"
    for keys: [Key] in [[], [.enter], [.character("z")]] {
      var wall = try wall(posts: posts)
      for key in keys { wall.tester.press(key) }
      _ = wall.tester.done()
      wall.tester.press(.character("O"), .character("y"))
      let blob = try #require(posts[0].pictures[0].blob)
      #expect(wall.tester.done() == [.openFile(blob), .copy("https://mastodon.social/@birds/12")])
      #expect(wall.tester.lines.suffix(2).joined().contains("Copied, where the terminal allows it: https://"))
    }
    var tester = try ScreenTester()
    _ = tester.done()
    tester.press(.character("y"))
    #expect(tester.done() == [])
    #expect(tester.lines[22] == " This post has no page.")
  }

  @Test(arguments: 0...8, [1, 3, 5, 20, 80])
  func `no size breaks a picture over the whole window`(rows: Int, columns: Int) throws {
    var wall = try wall(columns, rows)
    for key: Key in [.character("z"), .character("z"), .right, .down, .tab, .character("?"), .escape, .character("n")] {
      wall.tester.press(key)
      #expect(wall.tester.lines.count == rows)
      wall.draw()
    }
  }
}
