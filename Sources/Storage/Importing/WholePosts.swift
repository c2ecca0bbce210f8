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
  ///   - body: Called with each answer, and whether the feed showed the post before that time.
  /// - Throws: `StorageError` if the library cannot be read, and what `body` throws.
  public func eachWholeAnswer(of feed: Feed, since: Date, _ body: ([UInt8], Bool) throws -> Void) throws {
    let since = UTC.text(since)
    _ = try read { db in
      try db.rows(
        """
        SELECT r.body, min(b.seen_at) AS seen_at FROM feed f JOIN feed_post b ON b.feed = f.id JOIN raw r ON r.post = b.post
          LEFT JOIN post_state s ON s.post = b.post
        WHERE f.name = $1 AND (s.deleted_at IS NOT NULL OR NOT EXISTS (
          SELECT 1 FROM attachment a WHERE a.post = b.post AND a.state IN ('pending', 'failed')))
        GROUP BY b.post, r.body
        """,
        [feed.name]
      ) { row in
        let frame: [UInt8] = try row["body"]
        let seen: String = try row["seen_at"]
        if let answer = RawBytes.decompress(frame) { try body(answer, seen < since) }
      }
    }
  }
}
