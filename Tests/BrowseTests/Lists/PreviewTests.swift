import Foundation
import Terminal
import Testing

@testable import Browse

/// Previews of a remote user's timeline while the name is typed.
struct PreviewTests {
  private func tester() throws -> ScreenTester {
    var tester = try ScreenTester()
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)), .tags(["cats@mastodon.social"]))
    tester.type("t")
    _ = tester.done()
    return tester
  }

  private func answer(_ text: String, _ posts: [ListRow] = Array(ScreenTester.posts.prefix(3))) -> ScreenEvent {
    .previewed(TimelinePreviewResult(text: text, title: "@birds@b.example", content: .posts(posts)))
  }

  @Test func `a server is asked when nothing was typed for a while, and its posts are shown above the field`() throws {
    var tester = try tester()
    tester.type("@bi")
    tester.pass(0.3)
    tester.type("rds")
    tester.pass(0.3)
    #expect(tester.done() == [])
    tester.pass(0.11)
    #expect(tester.done() == [.preview("@birds")])
    #expect(tester.lines[2] == " Asking for @birds…")
    tester.send(answer("@birds"))
    #expect(tester.lines[2] == " @birds@b.example  newest posts, not stored · Enter keeps them")
    #expect(tester.lines[5].contains("Post 12 of the cats"))
    #expect(tester.lines[22].hasPrefix(" Show ▸ @birds"))
    tester.press(.enter)
    #expect(tester.done() == [.choose("@birds")])
  }

  @Test func `an answer to what was typed before is not shown, and what is typed next takes its place`() throws {
    var tester = try tester()
    tester.type("@bi")
    tester.pass(0.5)
    tester.type("rds")
    tester.send(answer("@bi"))
    #expect(!tester.text.contains("Post 12 of"))
    tester.pass(0.5)
    #expect(tester.done() == [.preview("@bi"), .preview("@birds")])
    tester.send(.previewed(TimelinePreviewResult(text: "@birds", content: .none("b.example has no user"))))
    #expect(tester.lines[2] == " b.example has no user")
    tester.press(.backspace, .backspace, .backspace, .backspace)
    tester.pass(1)
    #expect(tester.done() == [])
    #expect(tester.text.contains("Post 12 of"))
  }

  @Test func `leaving the field cancels the request`() throws {
    for key in [Key.escape, .enter] {
      var tester = try tester()
      tester.type("@birds")
      tester.pass(0.5)
      _ = tester.done()
      tester.press(key)
      #expect(tester.done() == (key == .enter ? [.preview(""), .choose("@birds")] : [.preview("")]))
      tester.send(answer("@birds"))
      #expect(!tester.text.contains("not stored"))
    }
  }

  @Test func `Enter shows the list of the server that answered in place of the typed one`() throws {
    var tester = try tester()
    tester.type("@birds@a.example")
    tester.pass(0.5)
    tester.send(
      .previewed(
        TimelinePreviewResult(
          text: "@birds@a.example", title: "@birds@b.example", elsewhere: "@birds@b.example", content: .posts([]))))
    _ = tester.done()
    tester.press(.enter)
    #expect(tester.done() == [.choose("@birds@b.example")])
    let shown = ListScope(title: "@birds", origin: "b.example")
    tester.send(.scope(shown), .elsewhere("@birds@d.example", of: ListScope(title: "@cats")))
    #expect(tester.done() == [])
    tester.send(.elsewhere("@birds@c.example", of: shown))
    #expect(tester.done() == [.choose("@birds@c.example")])
  }

  @Test func `showing all posts instead of a user drops the answer as well`() throws {
    var tester = try tester()
    tester.type("@birds")
    tester.pass(0.5)
    tester.press(.backspace, .backspace, .backspace, .backspace, .backspace, .backspace, .enter)
    #expect(tester.done() == [.preview("@birds"), .preview("")])
  }

  @Test(arguments: ["cats", "@", "@b", "two words", "@two words", "#cats"])
  func `a text that names no user makes no request`(text: String) throws {
    var tester = try tester()
    tester.type(text)
    tester.pass(5)
    #expect(tester.done() == [])
  }

  @Test(arguments: [(0, 0), (3, 3), (20, 5), (40, 12), (200, 50)])
  func `no size breaks it`(columns: Int, rows: Int) throws {
    var tester = try ScreenTester(columns, rows)
    tester.type("t@birds")
    tester.pass(1)
    tester.send(answer("@birds", StatesTests.posts))
    #expect(tester.lines.count == rows)
    for line in tester.lines { #expect(TextWidth.of(line) <= columns) }
  }
}
