import FoundationEssentials
import Posts
import SQLite

/// What a library contains.
public struct LibraryStats: Sendable, Equatable {
  /// Posts that are not deleted.
  public var posts = 0
  /// Posts that are deleted.
  public var deleted = 0
  /// Their authors.
  public var authors = 0
  /// Different tags.
  public var tags = 0
  /// Feeds that were pulled.
  public var feeds = 0
  /// Items that could not be read.
  public var unreadable = 0
  /// The number of attachments in each state.
  public var pictures: [PictureState: Int] = [:]
  /// Distinct stored pictures and files, avatars included.
  public var blobs = 0
  /// Their total length, in bytes.
  public var blobBytes = 0
  /// The date of the oldest post that is not deleted.
  public var oldest: Date?
  /// The date of the newest post that is not deleted.
  public var newest: Date?

  /// Nothing.
  public init() {}
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func stats() throws(StorageError) -> LibraryStats {
    try read { db in
      var stats = LibraryStats()
      try db.row(
        """
        SELECT (SELECT count(*) FROM post) AS posts,
          (SELECT count(*) FROM post_state WHERE deleted_at IS NOT NULL) AS deleted,
          (SELECT count(*) FROM author) AS authors, (SELECT count(*) FROM tag) AS tags,
          (SELECT count(*) FROM feed) AS feeds, (SELECT count(*) FROM unreadable) AS unreadable,
          count(*) AS blobs, coalesce(sum(bytes), 0) AS bytes
        FROM blob b WHERE NOT EXISTS (SELECT 1 FROM attachment WHERE blob = b.id)
          OR EXISTS (SELECT 1 FROM attachment WHERE blob = b.id AND state = 'stored')
        """
      ) { row in
        (stats.posts, stats.deleted) = try (row["posts"], row["deleted"])
        stats.posts -= stats.deleted
        (stats.authors, stats.tags, stats.feeds) = try (row["authors"], row["tags"], row["feeds"])
        (stats.unreadable, stats.blobs, stats.blobBytes) = try (row["unreadable"], row["blobs"], row["bytes"])
      }
      try db.rows("SELECT state, count(*) AS pictures FROM attachment GROUP BY state") { row in
        if let state = PictureState(rawValue: try row["state"]) { stats.pictures[state] = try row["pictures"] as Int }
      }
      stats.newest = try edge("DESC", in: db)
      stats.oldest = try edge("ASC", in: db)
      return stats
    }
  }

  private func edge(_ order: String, in db: Database) throws -> Date? {
    let date: String? = try db.value(
      """
      SELECT p.created_at FROM post p
      WHERE NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = p.id AND s.deleted_at IS NOT NULL)
      ORDER BY p.created_at \(order) LIMIT 1
      """
    )
    return date.flatMap(UTC.date)
  }
}
