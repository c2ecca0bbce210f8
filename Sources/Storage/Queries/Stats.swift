import FoundationEssentials
import Posts

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
      let row = try db.row(
        """
        SELECT (SELECT count(*) FROM post), (SELECT count(*) FROM post_state WHERE deleted_at IS NOT NULL),
          (SELECT count(*) FROM author), (SELECT count(*) FROM tag), (SELECT count(*) FROM feed),
          (SELECT count(*) FROM unreadable), count(*), coalesce(sum(bytes), 0)
        FROM blob b WHERE NOT EXISTS (SELECT 1 FROM attachment WHERE blob = b.id)
          OR EXISTS (SELECT 1 FROM attachment WHERE blob = b.id AND state = 'stored')
        """
      )
      guard let row else { return stats }
      stats.deleted = row[1]
      stats.posts = row[0] - stats.deleted
      (stats.authors, stats.tags, stats.feeds, stats.unreadable) = (row[2], row[3], row[4], row[5])
      (stats.blobs, stats.blobBytes) = (row[6], row[7])
      for row in try db.rows("SELECT state, count(*) FROM attachment GROUP BY state") {
        if let state = PictureState(rawValue: row[0]) { stats.pictures[state] = row[1] }
      }
      stats.newest = try edge("DESC", in: db)
      stats.oldest = try edge("ASC", in: db)
      return stats
    }
  }

  private func edge(_ order: String, in db: Database) throws -> Date? {
    let row = try db.row(
      """
      SELECT p.created_at FROM post p
      WHERE NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = p.id AND s.deleted_at IS NOT NULL)
      ORDER BY p.created_at \(order) LIMIT 1
      """
    )
    return row.flatMap { UTC.date($0[0]) }
  }
}
