// Gives up bytes that are no longer stored. Their owner is pending again if it has an address.

extension PictureWriter {
  /// Gives up an attachment's bytes: it becomes pending if it has an address, else gone.
  func giveUp(attachment: Int64) throws {
    try db.run(
      """
      UPDATE attachment SET blob = NULL, attempts = 0, next_try_at = NULL,
        state = iif(coalesce(url, alternate_url) IS NULL, 'gone', 'pending'),
        failure = iif(coalesce(url, alternate_url) IS NULL, 'its bytes are lost and it has no address', NULL)
      WHERE id = $1
      """,
      [attachment]
    )
  }

  /// Gives up an author's avatar.
  func giveUp(avatar author: Int64) throws {
    try db.run(
      """
      UPDATE author SET avatar_blob = NULL, avatar_state = 'pending', avatar_attempts = 0, avatar_next_try_at = NULL,
        avatar_failure = NULL WHERE id = $1
      """,
      [author]
    )
  }

  /// Gives up a blob's bytes. Attachments with an address become pending; they keep their reference, so that the bytes
  /// are recognized if they return. Attachments without an address keep their state.
  ///
  /// - Returns: The posts to fetch.
  @discardableResult
  func giveUp(blob: Int64) throws -> [Int64] {
    let posts: [Int64] = try db.values(
      """
      UPDATE attachment SET attempts = 0, next_try_at = NULL, failure = NULL, state = iif(EXISTS
        (SELECT 1 FROM post_state s WHERE s.post = attachment.post AND s.deleted_at IS NOT NULL), 'skipped', 'pending')
      WHERE blob = $1 AND state = 'stored' AND coalesce(url, alternate_url) IS NOT NULL RETURNING post
      """,
      [blob]
    )
    let authors: [Int64] = try db.values("SELECT id FROM author WHERE avatar_blob = $1", [blob])
    for author in authors { try giveUp(avatar: author) }
    try db.run("DELETE FROM blob WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM attachment WHERE blob = $1)", [blob])
    return posts
  }

  /// Makes pictures of a post pending that were removed while it was deleted, but not those that a pull or a rule skipped.
  func requeue(ofPost post: Int64) throws {
    try db.run(
      """
      UPDATE attachment SET state = 'pending', failure = NULL
      WHERE post = $1 AND state = 'skipped' AND (blob IS NOT NULL OR failure IS NOT NULL)
        AND coalesce(failure, '') NOT LIKE $2
      """,
      [post, "\(RuleRunner.leftOut)%"]
    )
  }

  /// Shows a blob again whose bytes returned.
  func restore(blob: Int64) throws {
    try db.run(
      """
      UPDATE attachment SET state = 'stored', attempts = 0, next_try_at = NULL, failure = NULL, gone_at = NULL
      WHERE blob = $1 AND state <> 'stored'
      """,
      [blob]
    )
  }
}

extension Store {
  /// The pictures of posts that are neither stored nor skipped, each with the reason.
  public func missingPictures(ofPosts posts: [Int64]) throws(StorageError) -> [Finding] {
    try read { db in
      try db.rows(
        """
        SELECT a.post, a.position, coalesce(a.failure, 'it was not tried yet') AS failure FROM \(db.each)($1) j
          JOIN attachment a ON a.post = j.value LEFT JOIN post_state s ON s.post = a.post
        WHERE s.deleted_at IS NULL AND a.state IN ('pending', 'failed', 'gone') ORDER BY j.key, a.position
        """,
        [posts.jsonList]
      ) { row in
        let (post, position, failure): (Int64, Int, String) = try (row["post"], row.number("position"), row["failure"])
        return Finding(.pending, "picture \(position + 1) of post \(post) did not come anew: \(failure)", post: post)
      }
    }
  }
}
