import Foundation
import MediaLibrary
import Terminal
import Testing

@testable import Browse

/// Ways back: to all posts, to text that could not be saved, out of a login that is no longer needed.
struct ListReturnTests {
  private static let tag = ListScope(
    title: "#cats", origin: "mastodon.social", canRefresh: true, canPullOlder: true, isWhole: false)

  private func stage(_ scope: ListScope = tag, posts: [ListRow]? = Stage.posts) throws -> Stage {
    var stage = try Stage(posts: posts, scope: scope)
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    _ = stage.done()
    return stage
  }

  @Test func `Esc leads from a tag to all posts, after it has ended the search`() throws {
    var stage = try stage()
    #expect(stage.lines[23].hasPrefix(" ? help  Esc all posts"))
    stage.type("/bird")
    stage.press(.enter)
    #expect(stage.done() == [.search("bird")])
    stage.press(.escape)
    #expect(stage.done() == [.search("")])
    stage.press(.escape)
    #expect(stage.done() == [.choose("")])
    stage.send(.scope(ListScope(title: "All posts")))
    stage.press(.escape)
    #expect(stage.done() == [])
  }

  @Test func `t without a word leads to all posts, and says so`() throws {
    var stage = try stage()
    stage.type("t")
    #expect(stage.lines[22].hasSuffix("Enter shows all posts"))
    stage.press(.enter)
    #expect(stage.done() == [.tags, .choose("")])
    var whole = try self.stage(ListScope(title: "All posts"))
    whole.type("t")
    whole.press(.enter)
    #expect(whole.done() == [.tags])
  }

  @Test func `a text that could not be saved is there to be saved again`() throws {
    var stage = try stage()
    stage.type("aSaw a kingfisher")
    stage.press(.enter)
    #expect(stage.done() == [.add("Saw a kingfisher")])
    stage.send(.refused("the disk is full"))
    #expect(stage.lines[22].hasPrefix(" New post ▸ Saw a kingfisher"))
    #expect(stage.screen.notice == "the disk is full")
    // The text field takes the reason's row: the reason replaces the keys until one is pressed.
    #expect(stage.lines[23].hasPrefix(" the disk is full"))
    stage.press(.left)
    #expect(stage.lines[23].hasPrefix(" Enter add"))
    stage.press(.enter)
    #expect(stage.done() == [.add("Saw a kingfisher")])
    // What was begun meanwhile takes precedence. The text is offered next.
    stage.press(.enter)
    stage.send(.refused("the disk is full"))
    #expect(stage.screen.mode == .post(0))
    stage.press(.escape, .character("a"))
    #expect(stage.lines[22].hasPrefix(" New post ▸ Saw a kingfisher"))
    stage.press(.escape, .character("a"))
    #expect(stage.lines[22].hasPrefix(" New post ▸  "))
  }

  @Test func `a list that feeds come to counts down and can be refreshed, without a pull of its own at once`() throws {
    var stage = try Stage(posts: [], scope: ListScope(title: "All posts"))
    _ = stage.done()
    stage.press(.character("r"))
    #expect(stage.done() == [])
    stage.send(.joined(ListScope(title: "All posts", origin: "tag:cats@mastodon.social", canRefresh: true)))
    #expect(stage.done() == [])
    #expect(stage.lines[0].hasSuffix("refresh in 60 s"))
    #expect(stage.lines[0].contains("tag:cats@mastodon.social"))
    stage.press(.character("r"))
    #expect(stage.done() == [.pull(.new)])
  }

  @Test func `a login that is wanted no more is no longer offered`() throws {
    var stage = try stage()
    stage.send(.login(.wanted(server: "mastodon.social")))
    #expect(stage.lines[23].contains("L log in"))
    stage.send(.login(.granted(server: "another.example")))
    #expect(stage.lines[23].contains("L log in"))
    stage.send(.login(.granted(server: "mastodon.social")))
    #expect(!stage.lines[23].contains("L log in"))
    stage.send(.login(.wanted(server: "mastodon.social")))
    stage.type("L")
    stage.send(.login(.granted(server: "mastodon.social")))
    #expect(stage.screen.mode == .list)
    #expect(stage.lines[22] == " mastodon.social shows this now.")
  }

  @Test func `if the server named a time, the screen shows it and no key, and the next refresh waits for it`() throws {
    var stage = try stage()
    let failure = "mastodon.social takes no more requests until 10:05"
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: failure, until: stage.now + 300)))
    #expect(stage.lines[22] == " \(failure)")
    #expect(stage.lines[0].hasSuffix("refresh in 5 min"))
    stage.press(.end)
    stage.send(.pull(.ended(.older, new: 0, isEnd: false, failure: failure, until: stage.now + 300)))
    #expect(stage.lines[21] == "        \(failure)")
    stage.pass(301)
    #expect(stage.lines[21] == "        \(failure) · ↓ tries again")
  }
}
