import Foundation
import MemoryBlobs
import PostgreSQL
import PostgreSQLServer
import Testing

@testable import Storage

/// What `media check` finds and mends in PostgreSQL.
@Suite struct PostgreSQLCheckTests {
  private let address: String
  private let store: Store

  init() throws {
    address = try PostgreSQLServer.shared().newDatabase()
    store = try Store.open(address, shownAs: "/l", for: .writing) { _ in sched_yield() }
    let pull = try store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
    _ = try store.save(page([4, 3, 2, 1], next: .end), in: pull, now: noon)
    try store.finishPull(pull, reached: true, now: noon)
  }

  private func check(repair: Bool = false) throws -> (findings: [Finding], result: CheckResult) {
    var findings: [Finding] = []
    let result = try store.check(
      MemoryBlobs { noon }, CheckPlan(repair: repair), now: noon, isPulling: { false }, onStep: { _ in },
      found: { finding, _ in findings.append(finding) })
    return (findings.filter(\.isFault), result)
  }

  @Test func `a library that is in order has no finding`() throws {
    #expect(try check().findings.map(\.detail) == [])
  }

  @Test(arguments: [
    (
      "INSERT INTO media.total_delta (kind, ref, posts) VALUES ('library', 0, 5)",
      "all library is said to have 9 posts and has 4"
    ),
    (
      "DELETE FROM media.total_delta WHERE kind = 'tag'; DELETE FROM media.total_base WHERE kind = 'tag'",
      "tag 1 is said to have no number of posts and has 4"
    ),
    (
      "INSERT INTO media.tag_extra (tag, post, created_at) SELECT 1, id, created_at FROM media.post WHERE id = 2",
      "a post is in the list of a tag that it has nothing to do with"
    ),
    (
      "INSERT INTO media.total_delta (kind, ref, posts) VALUES ('bytes', 20251120120, 7)",
      "bytes of the quarter of an hour 20251120120 are said to be 7 and are 0"
    ),
    (
      "INSERT INTO media.total_delta (kind, ref, posts) VALUES ('gone', 0, 2)",
      "gone pictures are said to be 2 and are 0"
    ),
    (
      "INSERT INTO media.total_delta (kind, ref, posts) VALUES ('cache', 0, 7)",
      "the cache is said to have 7 bytes and has 0"
    ),
    ("UPDATE media.caption_words SET line = ' other ' WHERE post = 2", "the search index does not fit a post"),
    (
      "UPDATE media.post SET edited_at = '2026-11-20 09:00:00Z' WHERE id = 2",
      "edited_at of row 2 of post is \"2026-11-20 09:00:00Z\", which \"media check --repair\" writes as "
        + "2026-11-20T09:00:00.000Z"
    ),
    ("DELETE FROM media.caption_words WHERE post = 3", "the search index does not fit a post"),
    (
      "UPDATE media.post_tag SET created_at = '2020-01-01T00:00:00.000Z' WHERE post = 1",
      "a post stands in the list of a tag at another date than its own"
    ),
  ])
  func `rows that do not fit are named and mended`(harm: String, words: String) throws {
    try PostgreSQLConnection(address).execute(harm)
    let details = try check().findings.map(\.detail)
    #expect(details.contains(words), "\(details)")
    #expect(try check(repair: true).result.remaining == 0)
    #expect(try check().findings.map(\.detail) == [])
    #expect(try store.posts(PostQuery(search: "post 2 ")).count == 1)
  }
}
