import FoundationEssentials
import Machine
import Posts

extension Store {
  /// The verbatim answers of a feed's posts that need nothing more: all their files are stored, left out or gone, or the post was
  /// deleted.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - since: A time.
  ///   - limits: The limits of a pull. A post is not whole if other limits left out a file that these want.
  ///   - body: Called with each answer, and whether the feed showed the post before that time.
  /// - Throws: `StorageError` if the library cannot be read, and what `body` throws.
  public func eachWholeAnswer(
    of feed: Feed, since: Date, within limits: FileLimits = FileLimits(), _ body: ([UInt8], Bool) throws -> Void
  ) throws {
    let since = UTC.text(since)
    _ = try read { db in
      let reopened = try reopened(in: feed, by: limits, db)
      try db.rows(
        """
        SELECT b.post, r.body, min(b.seen_at) AS seen_at FROM feed f JOIN feed_post b ON b.feed = f.id JOIN raw r ON r.post = b.post
          LEFT JOIN post_state s ON s.post = b.post
        WHERE f.name = $1 AND (s.deleted_at IS NOT NULL OR NOT EXISTS (
          SELECT 1 FROM attachment a WHERE a.post = b.post AND a.state IN ('pending', 'failed')))
        GROUP BY b.post, r.body
        """,
        [feed.name]
      ) { row in
        if try reopened.contains(row["post"]) { return }
        let frame: [UInt8] = try row["body"]
        let seen: String = try row["seen_at"]
        if let answer = RawBytes.decompress(frame) { try body(answer, seen < since) }
      }
    }
  }

  /// The posts of a feed of which other limits left out files that these want.
  private func reopened(in feed: Feed, by limits: FileLimits, _ db: Database) throws -> Set<Int64> {
    guard !limits.isEmpty else { return [] }
    let skipped: [(post: Int64, reason: LeftOut?)] = try db.rows(
      """
      SELECT a.post, a.skipped_by, a.limits FROM feed f JOIN feed_post b ON b.feed = f.id JOIN attachment a ON a.post = b.post
      WHERE f.name = $1 AND a.state = 'skipped' AND a.skipped_by IS NOT NULL
      """,
      [feed.name]
    ) { (try $0["post"], LeftOut(stored: try $0["skipped_by"], limits: try $0["limits"])) }
    return Set(
      skipped.compactMap { post, reason in
        reason.flatMap { limits.reopen($0.limit, leftOutUnder: $0.limits) ? post : nil }
      })
  }
}
