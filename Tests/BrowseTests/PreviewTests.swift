import Foundation
import Terminal
import Testing

@testable import Browse

/// Previews of a remote user's timeline while the name is typed.
struct PeekTests {
  private func stage() throws -> Stage {
    var stage = try Stage()
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)), .tags(["cats@mastodon.social"]))
    stage.type("t")
    _ = stage.done()
    return stage
  }

  private func answer(_ text: String, _ posts: [ListRow] = Array(Stage.posts.prefix(3))) -> ScreenEvent {
    .peeked(TimelinePreviewResult(text: text, title: "@birds@b.example", content: .posts(posts)))
  }

  @Test func `a server is asked when nothing was typed for a while, and its posts are shown above the field`() throws {
    var stage = try stage()
    stage.type("@bi")
    stage.pass(0.3)
    stage.type("rds")
    stage.pass(0.3)
    #expect(stage.done() == [])
    stage.pass(0.11)
    #expect(stage.done() == [.peek("@birds")])
    #expect(stage.lines[2] == " Asking for @birds…")
    stage.send(answer("@birds"))
    #expect(stage.lines[2] == " @birds@b.example  newest posts, not stored · Enter keeps them")
    #expect(stage.lines[5].contains("Post 12 of the cats"))
    #expect(stage.lines[22].hasPrefix(" Show ▸ @birds"))
    stage.press(.enter)
    #expect(stage.done() == [.choose("@birds")])
  }

  @Test func `an answer to what was typed before is not shown, and what is typed next takes its place`() throws {
    var stage = try stage()
    stage.type("@bi")
    stage.pass(0.5)
    stage.type("rds")
    stage.send(answer("@bi"))
    #expect(!stage.text.contains("Post 12 of"))
    stage.pass(0.5)
    #expect(stage.done() == [.peek("@bi"), .peek("@birds")])
    stage.send(.peeked(TimelinePreviewResult(text: "@birds", content: .none("b.example has no user"))))
    #expect(stage.lines[2] == " b.example has no user")
    stage.press(.backspace, .backspace, .backspace, .backspace)
    stage.pass(1)
    #expect(stage.done() == [])
    #expect(stage.text.contains("Post 12 of"))
  }

  @Test func `leaving the field cancels the request`() throws {
    for key in [Key.escape, .enter] {
      var stage = try stage()
      stage.type("@birds")
      stage.pass(0.5)
      _ = stage.done()
      stage.press(key)
      #expect(stage.done() == (key == .enter ? [.peek(""), .choose("@birds")] : [.peek("")]))
      stage.send(answer("@birds"))
      #expect(!stage.text.contains("not stored"))
    }
  }

  @Test func `showing all posts instead of a user drops the answer as well`() throws {
    var stage = try stage()
    stage.type("@birds")
    stage.pass(0.5)
    stage.press(.backspace, .backspace, .backspace, .backspace, .backspace, .backspace, .enter)
    #expect(stage.done() == [.peek("@birds"), .peek("")])
  }

  @Test(arguments: ["cats", "@", "@b", "two words", "@two words", "#cats"])
  func `a text that names no user makes no request`(text: String) throws {
    var stage = try stage()
    stage.type(text)
    stage.pass(5)
    #expect(stage.done() == [])
  }

  @Test(arguments: [(0, 0), (3, 3), (20, 5), (40, 12), (200, 50)])
  func `no size breaks it`(columns: Int, rows: Int) throws {
    var stage = try Stage(columns, rows)
    stage.type("t@birds")
    stage.pass(1)
    stage.send(answer("@birds", StatesTests.posts))
    #expect(stage.lines.count == rows)
    for line in stage.lines { #expect(TextWidth.of(line) <= columns) }
  }
}
