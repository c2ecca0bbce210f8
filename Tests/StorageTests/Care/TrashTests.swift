import Foundation
import Posts
import SQLite
import Testing

@testable import Storage

private let berlin = TimeZone(identifier: "Europe/Berlin")!

/// Lists of deleted posts only.
struct TrashTests {
  /// More deleted posts than are kept in memory, every third post.
  private func large() throws -> TestLibrary {
    let library = try TestLibrary()
    try library.store.write { db in
      try db.run(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO post (id, source, uri, created_at, caption, stored_at, updated_at)
        SELECT i, 'mastodon', i, strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + i * 60, 'unixepoch'), 'post ' || i,
          '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM n
        """, [3 * (Bound.exact + 1)])
      try db.run(
        "INSERT INTO post_state (post, deleted_at) SELECT id, '2026-01-01T00:00:00.000Z' FROM post WHERE id % 3 = 0")
    }
    return library
  }

  @Test(arguments: [
    PostListQuery(deleted: .only), PostListQuery(deleted: .only, grouping: .day(berlin)),
    PostListQuery(deleted: .only, grouping: .author),
    PostListQuery(within: DateInterval(start: .distantPast, end: .distantFuture), deleted: .only),
  ])
  func `a trash of more posts than are kept in memory is read in its order`(list: PostListQuery) throws {
    let library = try large()
    let reading = try library.store.window(list, after: 4)
    #expect(reading.rows.map(\.post.id) == [30_003, 30_000, 29_997, 29_994])
    #expect(reading.total == (list.within == nil ? .exactly(Bound.exact + 1) : .moreThan(Bound.exact)))
    let anchor = try #require(reading.rows.last?.key)
    let next = try library.store.window(list, around: anchor, before: 1, after: 2)
    #expect(next.rows.map(\.post.id) == [29_997, 29_994, 29_991])
    #expect(try library.store.deletedPosts(of: list).count == Bound.exact + 1)
    #expect(try library.store.months(of: list, in: .gmt).map(\.count).reduce(0, +) == Bound.exact + 1)
  }

  @Test func `a section of the trash counts only its deleted posts`() throws {
    let library = try TestLibrary()
    try library.pull([post(3), post(2), post(1)])
    try library.store.delete([2], now: noon)
    for grouping in [PostGrouping.day(berlin), .author, .tag] {
      let reading = try library.store.window(PostListQuery(deleted: .only, grouping: grouping))
      #expect(reading.sections.map(\.count) == [.exactly(1)], "\(grouping)")
    }
  }

  @Test func `the former name of the condition reads and sets it`() {
    var list = PostListQuery(includesDeleted: true)
    #expect(list.deleted == .included)
    list.deleted = .only
    #expect(list.includesDeleted)
    list.includesDeleted = false
    #expect(list.deleted == .excluded)
    #expect(PostListQuery() == PostListQuery(includesDeleted: false))
  }
}
