import GRDB
import Posts

// Bytes that are no longer kept: whose they were begins anew where it can be fetched.

extension PictureWriter {
  /// An attachment without its bytes: to be fetched anew where the web has them, else gone.
  func giveUp(attachment: Int64) throws {
    try db.run(
      """
      UPDATE attachment SET blob = NULL, attempts = 0, next_try_at = NULL,
        state = iif(coalesce(url, alternate_url) IS NULL, 'gone', 'pending'),
        failure = iif(coalesce(url, alternate_url) IS NULL, 'its bytes are lost and it has no address', NULL)
      WHERE id = ?
      """,
      [attachment]
    )
  }

  /// An author without the avatar's bytes.
  func giveUp(avatar author: Int64) throws {
    try db.run(
      """
      UPDATE author SET avatar_blob = NULL, avatar_state = 'pending', avatar_attempts = 0, avatar_next_try_at = NULL,
        avatar_failure = NULL WHERE id = ?
      """,
      [author]
    )
  }

  /// Takes a blob's row away, and whatever shows it begins anew. Returns the posts that showed it.
  @discardableResult
  func giveUp(blob: Int64) throws -> [Int64] {
    let shown = try db.rows("SELECT id, post FROM attachment WHERE blob = ?", [blob])
    for row in shown { try giveUp(attachment: row[0]) }
    for row in try db.rows("SELECT id FROM author WHERE avatar_blob = ?", [blob]) { try giveUp(avatar: row[0]) }
    try db.run("DELETE FROM blob WHERE id = ?", [blob])
    return shown.map { $0[1] }
  }
}

extension Store {
  /// The pictures of posts that are neither kept nor left out on purpose, and why.
  public func missingPictures(ofPosts posts: [Int64]) throws(StorageError) -> [Finding] {
    try read { db in
      try db.rows(
        """
        SELECT a.post, a.position, coalesce(a.failure, 'it was not tried yet') FROM json_each(?) j
          JOIN attachment a ON a.post = j.value LEFT JOIN post_state s ON s.post = a.post
        WHERE s.deleted_at IS NULL AND a.state IN ('pending', 'failed', 'gone') ORDER BY j.key, a.position
        """,
        ["[\(posts.map(String.init).joined(separator: ","))]"]
      ).map { row in
        let words = "picture \((row[1] as Int) + 1) of post \(row[0] as Int64) did not come anew: \(row[2] as String)"
        return Finding(.pending, words, post: row[0])
      }
    }
  }
}
