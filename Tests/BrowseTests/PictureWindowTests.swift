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
      if let key { wall.stage.press(key) }
      let before = wall.stage.text
      wall.stage.press(.character("z"))
      wall.draw()
      #expect(wall.lines()[..<19].allSatisfy { $0 == String(repeating: "c", count: 60) })
      #expect(wall.lines()[19] == " image · 1200 × 800 · whole  ← → posts  Esc back  z 1:1")
      wall.stage.press(.right)
      wall.draw()
      #expect(wall.lines()[0].hasPrefix("bbbb"))
      wall.stage.press(.left, .escape)
      #expect(wall.stage.text == before)
    }
  }

  @Test func `of its actual size a part is seen, moved over by the arrows and never beyond the picture`() throws {
    var wall = try wall()
    wall.stage.press(.character("z"), .character("z"))
    let corner = { (wall: Wall) in wall.stage.canvas.pictures.first?.corner }
    // 60 × 19 cells of 8 × 16 pixels: 480 × 304 of 1200 × 800.
    #expect(corner(wall) == .init(x: 360, y: 248))
    wall.stage.press(.right, .down)
    #expect(corner(wall) == .init(x: 480, y: 312))
    wall.stage.press(.right, .right, .right, .pageDown, .pageDown)
    #expect(corner(wall) == .init(x: 720, y: 496))
    for _ in 0..<9 { wall.stage.press(.left, .up) }
    #expect(corner(wall) == .init(x: 0, y: 0))
    _ = wall.canvas()
    #expect(wall.wanted.map(\.filling) == [.actual])
    wall.stage.press(.character("z"))
    #expect(wall.stage.canvas.pictures.first?.corner == nil)
  }

  @Test func `Tab turns to the post's next picture, and the post's page shows that one afterwards`() throws {
    var posts = Wall.posts
    posts[0].pictures.append(Wall.picture(3))
    var wall = try wall(posts: posts)
    wall.stage.press(.enter, .character("z"), .tab)
    wall.draw()
    #expect(wall.lines()[0].hasPrefix("3333"))
    #expect(wall.lines()[19].contains("2 of 2"))
    wall.stage.press(.escape)
    #expect(wall.stage.text.contains("2 of 2"))
  }

  @Test func `a post without a picture, and a picture that is not here, say so`() throws {
    var stage = try Stage()
    stage.press(.character("z"))
    #expect(stage.lines[22] == " This post has no picture.")
    var posts = Stage.posts
    posts[0].pictures = [.init(kind: "image", state: "pending")]
    var wall = try wall(posts: posts)
    wall.stage.press(.character("z"))
    #expect(wall.stage.text.contains("not stored yet"))
    wall.stage.press(.character("O"))
    #expect(wall.stage.lines[19] == " The picture: not stored yet · r fetches it")
    #expect(wall.stage.done().allSatisfy { if case .open(.file) = $0 { false } else { true } })
  }

  @Test func `a post that goes while its picture is seen leaves the picture of the next, or what it came from`() throws
  {
    var wall = try wall()
    wall.stage.press(.character("z"))
    wall.stage.send(.list(Stage.reading(Array(Wall.posts.dropFirst()))))
    #expect(wall.stage.lines[0].contains("#cats"))
    wall.stage.press(.enter, .character("z"))
    wall.stage.send(.list(Stage.reading(Array(Wall.posts.dropFirst(2)))))
    #expect(wall.stage.screen.mode == .post(0))
  }

  @Test func `O hands the stored picture to the viewer, y copies the link, everywhere a post is shown`() throws {
    var posts = Wall.posts
    posts[0].url = "https://mastodon.social/@birds/12"
    for keys: [Key] in [[], [.enter], [.character("z")]] {
      var wall = try wall(posts: posts)
      for key in keys { wall.stage.press(key) }
      _ = wall.stage.done()
      wall.stage.press(.character("O"), .character("y"))
      let blob = try #require(posts[0].pictures[0].blob)
      #expect(wall.stage.done() == [.openFile(blob), .copy("https://mastodon.social/@birds/12")])
      #expect(wall.stage.text.contains("Copied, where the terminal allows it: https://"))
    }
    var stage = try Stage()
    _ = stage.done()
    stage.press(.character("y"))
    #expect(stage.done() == [])
    #expect(stage.lines[22] == " This post has no page.")
  }

  @Test(arguments: 0...8, [1, 3, 5, 20, 80])
  func `no size breaks a picture over the whole window`(rows: Int, columns: Int) throws {
    var wall = try wall(columns, rows)
    for key: Key in [.character("z"), .character("z"), .right, .down, .tab, .character("?"), .escape, .character("n")] {
      wall.stage.press(key)
      #expect(wall.stage.lines.count == rows)
      wall.draw()
    }
  }
}
