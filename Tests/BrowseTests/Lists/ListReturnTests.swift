import Foundation
import MediaLibrary
import Terminal
import Testing

@testable import Browse

/// Ways back: to all posts, to text that could not be saved, out of a login that is no longer needed.
struct ListReturnTests {
  private static let tag = ListScope(
    title: "#cats", origin: "mastodon.social", canRefresh: true, canPullOlder: true, isWhole: false)

  private func tester(_ scope: ListScope = tag, posts: [ListRow]? = ScreenTester.posts) throws -> ScreenTester {
    var tester = try ScreenTester(posts: posts, scope: scope)
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    _ = tester.done()
    return tester
  }

  @Test func `Esc leads from a tag to all posts, after it has ended the search`() throws {
    var tester = try tester()
    #expect(tester.lines[23].hasPrefix(" ? help  Esc all posts"))
    tester.type("/bird")
    tester.press(.enter)
    #expect(tester.done() == [.search("bird")])
    tester.press(.escape)
    #expect(tester.done() == [.search("")])
    tester.press(.escape)
    #expect(tester.done() == [.choose("")])
    tester.send(.scope(ListScope(title: "All posts")))
    tester.press(.escape)
    #expect(tester.done() == [])
  }

  @Test func `t without a word leads to all posts, and says so`() throws {
    var tester = try tester()
    tester.type("t")
    #expect(tester.lines[22].hasSuffix("Enter shows all posts"))
    tester.press(.enter)
    #expect(tester.done() == [.tags, .choose("")])
    var whole = try self.tester(ListScope(title: "All posts"))
    whole.type("t")
    whole.press(.enter)
    #expect(whole.done() == [.tags])
  }

  @Test func `a text that could not be saved is there to be saved again`() throws {
    var tester = try tester()
    tester.type("aSaw a kingfisher")
    tester.press(.enter)
    #expect(tester.done() == [.add("Saw a kingfisher")])
    tester.send(.refused("the disk is full"))
    #expect(tester.lines[22].hasPrefix(" New post ▸ Saw a kingfisher"))
    #expect(tester.screen.notice == "the disk is full")
    // The text field takes the reason's row: the reason replaces the keys until one is pressed.
    #expect(tester.lines[23].hasPrefix(" the disk is full"))
    tester.press(.left)
    #expect(tester.lines[23].hasPrefix(" Enter add"))
    tester.press(.enter)
    #expect(tester.done() == [.add("Saw a kingfisher")])
    // What was begun meanwhile takes precedence. The text is offered next.
    tester.press(.enter)
    tester.send(.refused("the disk is full"))
    #expect(tester.screen.mode == .post(0))
    tester.press(.escape, .character("a"))
    #expect(tester.lines[22].hasPrefix(" New post ▸ Saw a kingfisher"))
    tester.press(.escape, .character("a"))
    #expect(tester.lines[22].hasPrefix(" New post ▸  "))
  }

  @Test func `a list that feeds come to counts down and can be refreshed, without a pull of its own at once`() throws {
    var tester = try ScreenTester(posts: [], scope: ListScope(title: "All posts"))
    _ = tester.done()
    tester.press(.character("r"))
    #expect(tester.done() == [])
    tester.send(.joined(ListScope(title: "All posts", origin: "tag:cats@mastodon.social", canRefresh: true)))
    #expect(tester.done() == [])
    #expect(tester.lines[0].hasSuffix("refresh in 1 m"))
    #expect(tester.lines[0].contains("tag:cats@mastodon.social"))
    tester.press(.character("r"))
    #expect(tester.done() == [.pull(.new)])
  }

  @Test func `a login that is wanted no more is no longer offered`() throws {
    var tester = try tester()
    tester.send(.login(.wanted(server: "mastodon.social")))
    #expect(tester.lines[23].contains("L log in"))
    tester.send(.login(.granted(server: "another.example")))
    #expect(tester.lines[23].contains("L log in"))
    tester.send(.login(.granted(server: "mastodon.social")))
    #expect(!tester.lines[23].contains("L log in"))
    tester.send(.login(.wanted(server: "mastodon.social")))
    tester.type("L")
    tester.send(.login(.granted(server: "mastodon.social")))
    #expect(tester.screen.mode == .list)
    #expect(tester.lines[22] == " mastodon.social shows this now.")
  }

  @Test func `if the server named a time, the screen shows it and no key, and the next refresh waits for it`() throws {
    var tester = try tester()
    let failure = "mastodon.social takes no more requests until 10:05"
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: failure, until: tester.now + 300)))
    #expect(tester.lines[22] == " \(failure)")
    #expect(tester.lines[0].hasSuffix("refresh in 5 m"))
    tester.press(.end)
    tester.send(.pull(.ended(.older, new: 0, isEnd: false, failure: failure, until: tester.now + 300)))
    #expect(tester.lines[21] == "        \(failure)")
    tester.pass(301)
    #expect(tester.lines[21] == "        \(failure) · ↓ tries again")
  }
}
