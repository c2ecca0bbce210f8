import FoundationEssentials
import Machine
import Posts
import Rows

/// A stored post, with the id by which the server of one of its feeds knows it.
public struct KnownPost: Sendable, Hashable, RowDecodable {
  /// The post's number.
  public let post: Int64
  /// The server's own id of it.
  public let remoteID: String
  /// When it was written, as stored.
  package let createdAt: String

  /// Reads `post`, `remote` and `created_at`.
  package init(_ row: some RowReading) throws {
    post = try row["post"]
    remoteID = try row["remote"]
    createdAt = try row["created_at"]
  }
}

extension Store {
  /// Posts of a feed that its server can be asked for, without deleted ones.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - others: Feeds whose posts are left out if they brought the post first.
  ///   - since: The earliest date of a post, or nil for all.
  ///   - after: The last post of the batch before, or nil for the first batch.
  ///   - limit: Maximum number of posts.
  /// - Returns: The posts, newest first.
  /// - Throws: `StorageError` if the library cannot be read.
  public func knownPosts(
    of feed: Feed, leaving others: [Feed] = [], since: Date? = nil, after: KnownPost? = nil, limit: Int
  ) throws(StorageError) -> [KnownPost] {
    try read { db in
      let known = Self.known(of: feed, leaving: others, since: since, after: after, in: db)
      return try db.rows("\(known) ORDER BY b.created_at DESC, b.post DESC LIMIT \(bind: limit)" as Clause)
    }
  }

  /// The number of posts that `knownPosts` returns in all. Takes time in proportion to it.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func countOfKnownPosts(
    of feed: Feed, leaving others: [Feed] = [], since: Date? = nil
  ) throws(StorageError) -> Int {
    try read { db in
      let known = Self.known(of: feed, leaving: others, since: since, after: nil, in: db)
      return try db.value("SELECT count(*) FROM (\(known)) AS known" as Clause) ?? 0
    }
  }

  private static func known(
    of feed: Feed, leaving others: [Feed], since: Date?, after: KnownPost?, in db: Database
  ) -> Clause {
    let end: Clause = "(\(bind: after?.createdAt ?? "~"), \(bind: after?.post ?? .max))"
    let others: Clause = "SELECT value FROM \(db.eachText)(\(bind: others.map(\.name).jsonList))"
    return """
      SELECT b.post, max(\(remoteID)) AS remote, b.created_at
      FROM feed f \(db.crossJoin) feed_post b ON b.feed = f.id \(db.crossJoin) post p ON p.id = b.post
      WHERE f.name = \(bind: feed.name) AND b.created_at >= \(bind: since.map(UTC.text) ?? "")
        AND (b.created_at, b.post) < \(end)
        AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = b.post AND s.deleted_at IS NOT NULL)
        AND NOT EXISTS (
          SELECT 1 FROM feed_post o JOIN feed g ON g.id = o.feed
          WHERE o.post = b.post AND g.name IN (\(others)) AND g.id <> f.id
            AND o.id < (SELECT min(m.id) FROM feed_post m WHERE m.post = b.post AND m.feed = f.id))
      GROUP BY b.created_at, b.post HAVING max(\(remoteID)) IS NOT NULL
      """
  }

  /// Posts whose recheck is due, each with the first of these feeds that brought it.
  ///
  /// A due post that cannot be requested from any of them moves on to its next recheck.
  ///
  /// - Parameters:
  ///   - feeds: The feeds whose servers can be asked.
  ///   - limit: Maximum number of posts.
  ///   - now: The current time.
  /// - Returns: The posts by feed, the longest overdue first.
  /// - Throws: `StorageError` if the library cannot be written.
  public func duePosts(
    among feeds: [Feed], limit: Int, now: Date
  ) throws(StorageError) -> [(feed: Feed, posts: [KnownPost])] {
    try write { db in
      let names = feeds.map(\.name).jsonList
      var found: [String: [KnownPost]] = [:]
      var rest = limit
      var last: (due: String, post: Int64) = ("", 0)
      while rest > 0 {
        let due = try db.rows(
          """
          SELECT due_at, post FROM recheck
          WHERE due_at <= $1 AND (due_at, post) > ($2, $3) ORDER BY due_at, post LIMIT $4
          """,
          [UTC.text(now), last.due, last.post, rest]
        ) { (due: try $0["due_at"] as String, post: try $0["post"] as Int64) }
        guard let end = due.last else { break }
        last = end
        for (_, post) in due {
          if let (feed, known) = try Self.first(of: names, for: post, in: db) {
            found[feed, default: []].append(known)
            rest -= 1
          } else {
            try RecheckWriter(db: db, now: now).moveOn(post)
          }
        }
      }
      return feeds.compactMap { feed in found[feed.name].map { (feed, $0) } }
    }
  }

  /// Makes the rechecks of posts due that a server said to be edited or deleted. Posts that are deleted here or known to be
  /// gone are left alone.
  ///
  /// - Parameters:
  ///   - uris: The identities of posts, whether or not the library has them.
  ///   - source: The source under which the library has them.
  ///   - now: The current time.
  /// - Returns: The number of posts that are due by it.
  /// - Throws: `StorageError` if the library cannot be written.
  public func makeDue(_ uris: [String], of source: SourceName, now: Date) throws(StorageError) -> Int {
    try write { db in
      let posts: [Int64] = try db.values(
        """
        SELECT p.id FROM \(db.eachText)($1) u \(db.crossJoin) post p ON p.source = $2 AND p.uri = u.value
        WHERE NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = p.id AND s.deleted_at IS NOT NULL)
          AND NOT EXISTS (SELECT 1 FROM recheck r WHERE r.post = p.id AND r.gone_at IS NOT NULL)
        """,
        [uris.jsonList, source.rawValue])
      try db.run(
        """
        INSERT INTO recheck (post, due_at) SELECT value, $2 FROM \(db.each)($1) WHERE TRUE
        ON CONFLICT (post) DO UPDATE SET due_at = excluded.due_at
        """,
        [posts.jsonList, UTC.text(now)])
      return posts.count
    }
  }

  /// Whether the recheck of any post is due.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func hasDuePosts(now: Date) throws(StorageError) -> Bool {
    try read { try $0.hasRow("SELECT 1 FROM recheck WHERE due_at <= $1 LIMIT 1", [UTC.text(now)]) }
  }

  /// Postpones the due recheck of posts that could not be checked.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  public func postpone(_ posts: [KnownPost], to time: Date) throws(StorageError) {
    try write { db in
      let writer = RecheckWriter(db: db, now: time)
      for post in posts { try writer.postpone(post.post, to: time) }
    }
  }

  /// The first of the feeds that brought a post, and the post as its server knows it. Nil for a deleted post.
  private static func first(
    of names: String, for post: Int64, in db: Database
  ) throws -> (feed: String, post: KnownPost)? {
    try db.row(
      """
      SELECT f.name, b.post, \(remoteID) AS remote, b.created_at
      FROM feed_post b JOIN feed f ON f.id = b.feed JOIN post p ON p.id = b.post
      WHERE b.post = $1 AND f.name IN (SELECT value FROM \(db.eachText)($2)) AND \(remoteID) IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = $1 AND s.deleted_at IS NOT NULL)
      ORDER BY b.id LIMIT 1
      """,
      [post, names]
    ) { (feed: try $0["name"], post: try KnownPost($0)) }
  }

  /// The id by which a feed's server knows a post. The id of a repeat is not the post's id.
  private static let remoteID =
    "iif(p.server = f.server AND p.remote_id IS NOT NULL, p.remote_id, iif(b.repeated_by IS NULL, b.remote_id, NULL))"
}
