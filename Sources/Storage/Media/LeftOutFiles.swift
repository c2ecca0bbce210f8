import FoundationEssentials
import Posts
import Rows

// What limits of pulls left out.

/// A file that a limit leaves out.
public struct PictureLeftOut: Sendable, Hashable {
  /// Its owner.
  public var owner: PictureOwner
  /// Which limit, of which limits.
  public var reason: LeftOut
  /// The addresses that were tried; nil if they do not matter.
  public var urls: [String]?

  /// A file from its parts.
  public init(owner: PictureOwner, reason: LeftOut, urls: [String]? = nil) {
    (self.owner, self.reason, self.urls) = (owner, reason, urls)
  }
}

/// The newest posts of a feed, whose files a pull takes.
public struct NewestPosts: Sendable, Hashable {
  /// The posts, and those that they quote.
  public var posts: [Int64]
  /// The number of files that were left out until now.
  public var taken: Int

  /// Posts from their parts.
  public init(posts: [Int64], taken: Int) { (self.posts, self.taken) = (posts, taken) }
}

extension Store {
  /// Records files that a limit leaves out, in one transaction. Skips one whose owner has another file by now.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  public func leaveOut(_ files: [PictureLeftOut], now: Date) throws(StorageError) {
    try write { db in
      let writer = PictureWriter(db: db, now: now)
      for file in files { try writer.leaveOut(file) }
    }
  }

  /// Makes the files of a feed's newest posts pending that were left out because their posts were not among the newest.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - limits: The limits of the pull. They name a number of newest posts.
  ///   - now: The current time.
  /// - Returns: The newest posts by date, without deleted ones.
  /// - Throws: `StorageError` if the library cannot be written.
  public func takeNewest(of feed: Feed, within limits: FileLimits, now: Date) throws(StorageError) -> NewestPosts {
    try write { db in
      let posts: [Int64] = try db.values(Self.newestQuery(in: db), [feed.name, limits.newest ?? 0])
      let taken = try LimitWriter(db: db, limits: limits, occasion: .newest).apply(to: posts)
      return NewestPosts(posts: posts, taken: -taken)
    }
  }

  private static func newestQuery(in db: Database) -> String {
    """
    WITH newest (post) AS (
      SELECT n.post FROM (
        SELECT b.created_at, b.post FROM feed f \(db.crossJoin) feed_post b \(db.index("feed_post_newest")) ON b.feed = f.id
        WHERE f.name = $1
          AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = b.post AND s.deleted_at IS NOT NULL)
        GROUP BY b.created_at, b.post ORDER BY b.created_at DESC, b.post DESC LIMIT $2) n)
    SELECT n.post FROM newest n
    UNION SELECT q.quoted FROM newest n JOIN quote q ON q.post = n.post WHERE q.quoted IS NOT NULL
    """
  }

  /// Makes the files of posts pending that were skipped, whatever left them out. These limits alone count from now on.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  public func wantFiles(ofPosts posts: [Int64], within limits: FileLimits, now: Date) throws(StorageError) {
    try write { db in _ = try LimitWriter(db: db, limits: limits, occasion: .asked).apply(to: posts) }
  }

  /// Whether a pull within these limits that reads a feed's newest page again would take files that others left out.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func hasLeftOut(of feed: Feed, reopenedBy limits: FileLimits) throws(StorageError) -> Bool {
    let reasons: [LeftOut?] = try read { db in
      try db.rows(
        """
        SELECT DISTINCT a.skipped_by, a.limits FROM (\(Self.newestOfFeed)) n JOIN attachment a ON a.post = n.post
          LEFT JOIN post_state s ON s.post = n.post
        WHERE s.deleted_at IS NULL AND a.state = 'skipped' AND a.skipped_by IS NOT NULL
        """,
        [feed.name]
      ) { LeftOut(stored: try $0["skipped_by"], limits: try $0["limits"]) }
    }
    return reasons.contains { reason in reason.map { limits.reopen($0.limit, leftOutUnder: $0.limits) } ?? false }
  }
}
