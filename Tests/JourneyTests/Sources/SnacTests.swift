import Foundation
import Testing

/// A server without links between pages, whose edits change post ids and whose timelines are not ordered by date.
@Suite(.timeLimit(.minutes(10))) struct SnacTests {
  @Test func `late posts hold up no pull, and a script that somebody speaks of stays text`() async throws {
    let demo = try await DialectDemo("snac", posts: 60)
    try await demo.readLatePosts()
    let captions = try await demo.listed().compactMap { $0["caption"] as? String }
    #expect(captions.contains { $0.hasSuffix("<script>alert(1)</script>") }, "\(captions)")
    try await demo.end()
  }

  @Test func `a timeline without links is read to its end`() async throws {
    let demo = try await DialectDemo("snac", posts: 130)
    let answer = try await demo.answer("/api/v1/timelines/tag/demo")
    #expect(answer.headers.all("Link").isEmpty)
    let summary = try await demo.pull("tag", "demo", "--all", "--server", demo.url)
    #expect((summary["complete"] as? Bool, summary["posts", "new"]) == (true, 130))
    #expect(try await demo.sandbox.media("gaps", "--json").output.isEmpty)
    try await demo.end()
  }

  @Test func `an edit that gives a post another id is found by its first one, and is a revision`() async throws {
    let demo = try await DialectDemo("snac", posts: 120)
    _ = try await demo.pull("tag", "demo", "--all", "--server", demo.url)
    let (before, after) = try await demo.edit(to: "edited since #demo")
    #expect(before["id"] as? String != after["id"] as? String)
    let looked = try await demo.sandbox.media("recheck", "--json").object()
    #expect((looked["looked_up"] as? Int, looked["edited"] as? Int) == (120, 1))
    #expect((looked["gone"] as? Int, looked["unanswered"] as? Int) == (0, 0))
    let edited = try #require(try await demo.listed().first { $0["caption"] as? String == "edited since #demo" })
    #expect(edited["url"] as? String == before["url"] as? String)
    let shown = try await demo.sandbox.media("show", "\(edited["id"] as? Int ?? 0)")
    #expect(shown.output.contains("it read:"), "\(shown.output)")
    try await demo.end()
  }

  @Test func `a post whose edit gave it another id is pulled as the one it was`() async throws {
    let demo = try await DialectDemo("snac", posts: 120)
    _ = try await demo.pull("tag", "demo", "--all", "--server", demo.url)
    let (before, _) = try await demo.edit(to: "edited since #demo")
    let pulled = try await demo.pull("tag", "demo", "--pages", "4", "--server", demo.url)
    #expect((pulled["posts", "new"], pulled["posts", "updated"]) == (0, 1))
    let posts = try await demo.listed()
    #expect(posts.count == 120)
    #expect(posts.count { $0["url"] as? String == before["url"] as? String } == 1)
    #expect(posts.contains { $0["caption"] as? String == "edited since #demo" })
    #expect(try await demo.sandbox.media("check").status == 0)
    try await demo.end()
  }
}
