import Foundation
import HTTP
import SQLite
import Testing

@testable import Storage

/// A server that counts picture requests separately, and writes times in every valid way.
@Suite(.timeLimit(.minutes(10))) struct GoToSocialTests {
  @Test func `late posts hold up no pull, and every way to write a time is read`() async throws {
    let demo = try await DialectDemo("gotosocial", posts: 60)
    try await demo.readLatePosts()
    try await demo.end()
  }

  @Test func `an edit is a revision, though posts are looked up one by one`() async throws {
    let demo = try await DialectDemo("gotosocial", posts: 120)
    _ = try await demo.pull("tag", "demo", "--all", "--server", demo.url)
    let (before, after) = try await demo.edit(to: "edited since #demo")
    #expect(before["id"] as? String == after["id"] as? String)
    let looked = try await demo.sandbox.media("recheck", "--json").object()
    #expect((looked["looked_up"] as? Int, looked["edited"] as? Int, looked["gone"] as? Int) == (120, 1, 0))
    try await demo.end()
  }

  @Test func `a search is pulled to its end`() async throws {
    let demo = try await DialectDemo("gotosocial", posts: 120)
    let summary = try await demo.pull("search", "demo", "--all", "--server", demo.url)
    #expect((summary["complete"] as? Bool, summary["posts", "new"]) == (true, 120))
    try await demo.end()
  }

  /// Requests a small picture until the server refuses.
  private func useUp(_ demo: DialectDemo) async throws {
    while try await demo.answer("/emoji/blobcat.png", ["Range": "bytes=0-0"]).status != 429 {}
  }

  @Test func `pictures beyond the limit are put off until its end, and come then`() async throws {
    let demo = try await DialectDemo("gotosocial", posts: 5)
    try await useUp(demo)
    let tag = ["tag", "demo", "--no-avatars", "--server", demo.url]
    let ended = try await demo.sandbox.run(tag)
    expect(ended, fails: 75, saying: "put off until ", "127.0.0.1", output: true)
    let missing = try #require(try await demo.sandbox.media("stats", "--json").object()["pictures", "pending"])
    #expect(missing > 0)
    #expect(!ended.errors.contains("failed"), "\(ended.errors)")
    // The window ends for the server and for the library.
    let again = try await demo.restart()
    try await demo.sandbox.sql(
      """
      UPDATE rate SET ends_at = '2001-01-01T00:00:00.000Z', closed_until = NULL, probed_at = NULL;
      UPDATE attachment SET next_try_at = '2001-01-01T00:00:00.000Z' WHERE next_try_at IS NOT NULL;
      """)
    let filled = try await demo.sandbox.media("gaps", "--fill", "--json")
    #expect(filled.status == 0, "\(filled.errors)")
    let stats = try await demo.sandbox.media("stats", "--json").object()
    #expect((stats["pictures", "pending"], stats["pictures", "failed"]) == (0, 0))
    again.signal(SIGTERM)
    _ = try await again.end()
  }
}
