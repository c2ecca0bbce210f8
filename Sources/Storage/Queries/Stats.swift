import FoundationEssentials
import Machine

/// What a library contains.
public struct LibraryStats: Sendable, Equatable {
  /// Posts that are not deleted.
  public var posts = 0
  /// Posts that are deleted.
  public var deleted = 0
  /// The authors of posts that are not deleted.
  public var authors = 0
  /// The tags of posts that are not deleted.
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

/// How many pictures and files a library keeps, avatars included, and how large they are.
public struct BlobTotals: Sendable, Equatable {
  /// How many.
  public var count = 0
  /// Their bytes.
  public var bytes = 0

  /// None.
  public init() {}

  /// - Parameters:
  ///   - count: How many.
  ///   - bytes: Their bytes.
  public init(count: Int, bytes: Int) { (self.count, self.bytes) = (count, bytes) }
}

extension Store {
  /// Counts everything. The cost grows with the library.
  public func stats() throws(StorageError) -> LibraryStats {
    try read { db in
      var stats = LibraryStats()
      try db.row(
        """
        SELECT (SELECT count(*) FROM post_state WHERE deleted_at IS NOT NULL) AS deleted,
          (SELECT count(*) FROM total WHERE kind = 'author' AND ref <> 0 AND posts > 0) AS authors,
          (SELECT count(*) FROM total WHERE kind = 'tag' AND posts > 0) AS tags,
          (SELECT count(*) FROM feed) AS feeds, (SELECT count(*) FROM unreadable) AS unreadable
        """
      ) { row in
        stats.deleted = try row["deleted"]
        (stats.authors, stats.tags, stats.feeds) = try (row["authors"], row["tags"], row["feeds"])
        stats.unreadable = try row["unreadable"]
      }
      stats.posts = try db.total("library", 0)
      let blobs = try blobTotals(in: db)
      (stats.blobs, stats.blobBytes) = (blobs.count, blobs.bytes)
      let states = PictureState.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      try db.rows("SELECT kind, posts FROM total WHERE kind IN (\(states)) AND ref = 0 AND posts > 0") { row in
        if let state = PictureState(rawValue: try row["kind"]) { stats.pictures[state] = try row["posts"] as Int }
      }
      stats.newest = try edge("DESC", in: db)
      stats.oldest = try edge("ASC", in: db)
      return stats
    }
  }

  /// How many pictures and files are kept, and their size. The cost does not depend on their number.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func blobTotals() throws(StorageError) -> BlobTotals { try read { try blobTotals(in: $0) } }

  private func blobTotals(in db: Database) throws -> BlobTotals {
    var totals = BlobTotals()
    // What attachments gave up has no bytes any more, and is counted with the others.
    try db.row(
      """
      WITH lost AS (
        SELECT bytes FROM blob
        WHERE id IN (SELECT blob FROM attachment WHERE blob IS NOT NULL AND state <> 'stored') AND NOT \(BlobRow.isShown))
      SELECT
        (SELECT coalesce(CAST(sum(posts) AS bigint), 0) FROM total WHERE kind = 'blobs') - (SELECT count(*) FROM lost) AS blobs,
        (SELECT coalesce(CAST(sum(posts) AS bigint), 0) FROM total WHERE kind = 'bytes') - (SELECT coalesce(CAST(sum(bytes) AS bigint), 0) FROM lost) AS bytes
      """
    ) { totals = BlobTotals(count: try $0["blobs"], bytes: try $0["bytes"]) }
    return totals
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
