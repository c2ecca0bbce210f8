import Foundation
import Pictures
import Terminal
import Testing

@testable import Browse

/// Pictures on the list's screen, as text: each is drawn as its own letter.
struct PictureScreenTests {
  @Test func `pictures stand beside the text, cut where the screen ends`() throws {
    var wall = try Wall(60, 16)
    wall.draw()
    #expect(
      wall.text() == """
         #cats  mastodon.social  12 posts               refreshing…
        ────────────────────────────────────────────────────────────
                Today ──────────────────────────────────── 10 posts
        ▌  BB   Birds & Bees  @birds@mastodon…  1 h  cccccccccccccc
        ▌       Post 12 of the cats in the garden.   cccccccccccccc
        ▌       #cats                                cccccccccccccc
        ▌                                            cccccccccccccc

           BB   Birds & Bees  @birds@mastodon…  2 h  bbbbbbbbbbbbbb
                Post 11 of the cats in the garden.   bbbbbbbbbbbbbb
                #cats                                bbbbbbbbbbbbbb
                                                     bbbbbbbbbbbbbb

           BB   Birds & Bees  @birds@mastodon…  3 h  aaaaaaaaaaaaaa

         ? help  Enter whole  d delete  a add  / search  t tag
        """)
  }

  @Test func `a tile stands there until the picture is drawn, and what is seen is drawn before what is to be seen`()
    throws
  {
    var wall = try Wall(60, 16)
    let canvas = wall.canvas()
    #expect((3...6).allSatisfy { canvas[$0, 45].style == .ground && canvas[$0, 58].style == .ground })
    #expect(wall.wanted.map { $0.path.dropFirst().prefix(1) } == ["c", "b", "a", "9", "8"])
    wall.tester.press(.end)
    _ = wall.canvas()
    #expect(wall.wanted.map { $0.path.dropFirst().prefix(1) } == ["2", "1"])
  }

  @Test func `a drawn picture is not drawn again, and a small memory does not draw for ever`() throws {
    for (memory, again) in [(1 << 20, 0), (0, 5)] {
      var wall = try Wall(60, 16, memory: memory)
      #expect(wall.draw() == 5)
      wall.tester.press(.end)
      #expect(wall.draw() > 0)
      wall.tester.press(.home)
      #expect(wall.draw() == again)
      #expect(wall.text().contains("cccccccccccccc"))
    }
  }

  @Test func `a face takes the place of the initials where faces are wanted`() throws {
    var posts = Wall.posts
    posts[0].avatar = Wall.picture(14).blob
    var wall = try Wall(80, 24, posts: posts)
    wall.draw()
    #expect(wall.lines()[3...4].map { $0.prefix(6) } == ["▌ eeee", "▌ eeee"])
    let off = SettingRow(name: "avatars", value: "off", help: "", choices: ["on", "off"])
    wall.tester.send(.settings([off], refresh: 60))
    #expect(wall.lines()[3].hasPrefix("▌  BB "))
  }

  @Test(arguments: [
    ("pending", "", ["image", "not stored", "yet", "r fetches it"]),
    ("failed", "the server says 404", ["image", "failed: the", "server says", "404"]),
    ("gone", "", ["image", "gone from", "its server", "r asks again"]),
    ("skipped", "", ["image", "not fetched", "see media", "pictures"]),
    ("skipped", "larger than 5 MB", ["image", "not fetched:", "larger than", "5 MB"]),
  ])
  func `a picture that is not here says why, and what helps`(state: SafeText, failure: SafeText, text: [String]) throws
  {
    var posts = Wall.posts
    posts[0].pictures = [.init(kind: "image", state: state)]
    posts[0].pictures[0].failure = failure
    var wall = try Wall(80, 24, posts: posts)
    wall.draw()
    let cell = wall.lines()[3...6].map { $0.dropFirst(64).split(separator: " ").joined(separator: " ") }
    #expect(cell.filter { !$0.isEmpty } == text.filter { !$0.isEmpty })
  }

  @Test(arguments: [
    DrawingFailure.refused("the picture is damaged"), .broken("the picture ended the program that draws"),
    .unavailable("media-picture, which draws them, is neither beside media nor on PATH"),
  ])
  func `a picture that cannot be drawn says so in its cell, and is not tried again`(failure: DrawingFailure) throws {
    var wall = try Wall(80, 24)
    _ = wall.canvas()
    wall.take(wall.wanted[0], .failure(failure))
    wall.draw()
    let lines = wall.lines()
    #expect(lines[3].hasSuffix(" cannot be"))
    let word = failure.message.split(separator: " ")[0]
    #expect(lines[4].hasSuffix(" drawn: \(word)") || lines[4].hasSuffix(" drawn:"))
    #expect(lines[8].hasSuffix("bbbb"))
    #expect(wall.wanted.isEmpty)
    for line in lines { #expect(TextWidth.of(line) <= 80) }
  }

  @Test func `a picture over which the drawing program ended is tried once more when it comes to be shown again`()
    throws
  {
    for (failure, tries) in [(DrawingFailure.broken("too slow"), 2), (.refused("damaged"), 1)] {
      var wall = try Wall(80, 24)
      _ = wall.canvas()
      let request = wall.wanted[0]
      var count = 0
      for _ in 0..<4 {
        _ = wall.canvas()
        while wall.wanted.contains(request) {
          count += 1
          wall.take(request, .failure(failure))
          #expect(wall.text().contains("cannot be"))
        }
        wall.draw()
        wall.tester.press(.end)
        wall.draw()
        wall.tester.press(.home)
      }
      #expect(count == tries)
    }
  }

  @Test func `a picture that is drawn at the second attempt is shown`() throws {
    var wall = try Wall(80, 24)
    _ = wall.canvas()
    wall.take(wall.wanted[0], .failure(.broken("too slow")))
    wall.draw()
    #expect(wall.text().contains("cannot be"))
    wall.tester.press(.end)
    wall.draw()
    wall.tester.press(.home)
    wall.draw()
    #expect(!wall.text().contains("cannot be"))
    #expect(wall.lines()[3].hasSuffix("cccc"))
  }

  @Test func `several pictures are counted, a video says what it is, and what is sensitive waits for Enter`() throws {
    var posts = Wall.posts
    posts[0].pictures.append(Wall.picture(5))
    posts[1].pictures = [Wall.picture(5, kind: "video")]
    posts[2].isSensitive = true
    var wall = try Wall(80, 24, posts: posts)
    wall.draw()
    let lines = wall.lines()
    #expect(lines[3].contains("2 pictures  1 h  cccc"))
    let video = lines[8...11].map { $0.dropFirst(65).split(separator: " ").joined(separator: " ") }
    #expect(video == ["video", "1200 × 800", "3.2 MB", ""])
    #expect(lines[14].hasSuffix("sensitive"))
    #expect(lines[15].hasSuffix("Enter to see"))
    wall.tester.press(.down, .down, .enter)
    wall.draw()
    #expect(wall.text().contains("aaaaaaaa"))
  }

  @Test func `without pictures the words of the tiles are there`() throws {
    var wall = try Wall(80, 24)
    wall.tester.send(.pictures(nil))
    #expect(wall.draw() == 0)
    let lines = wall.lines()
    #expect(lines[4].hasSuffix(" image"))
    #expect(lines[5].hasSuffix(" 1200 × 800"))
  }

  @Test func `a row that slides out takes its picture with it, and nothing is left behind`() throws {
    var wall = try Wall(60, 16, isStill: false)
    wall.draw()
    wall.tester.send(.list(ScreenTester.reading(Wall.posts.filter { $0.id != 11 })))
    wall.tester.pass(0.03)
    #expect(wall.lines()[8] == "    BB   Birds & Bees  @birds@mastodon…  2 h  bbbbbbbbbbbbbb")
    wall.tester.pass(0.06)
    #expect(wall.lines()[8] == "                 BB   Birds & Bees  @birds@mastodon…  2 h  b")
    wall.tester.pass(0.5)
    wall.draw()
    #expect(!wall.text().contains("bbb"))
    #expect(wall.lines()[8].hasSuffix("  3 h  aaaaaaaaaaaaaa"))
  }

  @Test func `no picture stands over the tags that are chosen from`() throws {
    var wall = try Wall(60, 16, format: .kitty)
    wall.draw()
    wall.tester.send(.tags(["birds", "bees", "trees"]))
    wall.tester.press(.character("t"))
    wall.draw()
    let canvas = wall.canvas()
    let top = try #require(canvas.lines.firstIndex { $0.contains("trees") })
    #expect(canvas.pictures.count == 1)
    #expect(canvas.pictures.allSatisfy { $0.row + $0.seen.upperBound < top })
  }

  @Test func `pictures of pixels are shown where they are whole, and only there`() throws {
    var wall = try Wall(60, 16, format: .kitty)
    wall.draw()
    let canvas = wall.canvas()
    #expect(canvas.pictures.map(\.row) == [3, 8])
    #expect(canvas.pictures.allSatisfy { $0.rows == 4 && $0.columns == 14 && $0.column == 45 })
    #expect(wall.pixels(canvas.pictures[0]).hasPrefix("cccc"))
    #expect(wall.pixels(CellRect(name: "x", row: 0, column: 0, rows: 1, columns: 1)).isEmpty)
    // Its background lies below, and stands for the clipped one.
    #expect(canvas[3, 45].style == .ground && canvas[13, 45].style == .ground && canvas[13, 45].text == " ")
  }
}
