import FoundationEssentials
import Machine
import Posts
import Rows

// Which pictures of a feed are missing, regardless of the pages that were read. Posts that a feed's posts quote count as
// its own: they came with them.

/// Selects missing pictures.
public enum MissingPictures: Sendable {
  /// Pictures that were wanted and never tried, as an interrupted pull leaves them, without postponed ones.
  case untried
  /// These, and failed ones whose next try is due.
  case due
  /// All that can be downloaded: these, failed ones and postponed ones.
  case wanted
  /// These, and those that are gone.
  case all

  /// `$2` is the present, `$3` a time that only a wrong clock writes. The first part repeats the index's condition.
  fileprivate func condition(_ state: String, _ nextTry: String) -> String {
    let states = self == .all ? "'pending', 'failed', 'gone'" : "'pending', 'failed'"
    let isDue = "(\(nextTry) IS NULL OR \(nextTry) <= $2 OR \(nextTry) > $3)"
    let more =
      switch self {
      case .untried: "\(state) = 'pending' AND \(isDue)"
      case .due: isDue
      case .wanted, .all: "$2 < $3"
      }
    return "\(state) IN (\(states)) AND \(more)"
  }
}

/// Where a search for a feed's missing pictures starts. The shorter way is used, so the cost grows neither with the other
/// feeds nor with a feed that misses nothing.
enum MissingSearch: CaseIterable {
  /// With everything missing in the library.
  case library
  /// With the feed's posts.
  case feed

  /// The shorter way for a feed. `question` selects what is missing in the library.
  fileprivate init(_ which: MissingPictures, of feed: String, _ question: String, in db: Database) throws {
    // No index contains those that are gone.
    if which == .all {
      self = .feed
      return
    }
    let posts: Int =
      try db.row(
        "SELECT t.posts FROM feed f JOIN total t ON t.kind = 'feed' AND t.ref = f.id WHERE f.name = $1", [feed]
      ) { try $0.number("posts") } ?? 0
    let missing: Int = try db.value("SELECT count(*) FROM (\(question) LIMIT $1) AS missing", [posts + 1]) ?? 0
    self = missing > posts ? .feed : .library
  }
}

extension Store {
  /// The missing pictures of a feed's posts.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - which: Which missing pictures.
  ///   - now: The current time.
  /// - Returns: A task for each picture.
  /// - Throws: `StorageError` if the library cannot be read.
  public func missingPictures(
    of feed: Feed, _ which: MissingPictures, now: Date
  ) throws(StorageError) -> [PictureTask] {
    try read { db in
      let search = try MissingSearch(which, of: feed.name, Self.anyMissing(in: db), in: db)
      return try db.rows(Self.missingQuery(which, search, in: db), arguments(feed, now)) {
        try PictureTask(picture: $0)
      }
    }
  }

  /// Whether a feed's posts have pictures that were never tried and can be downloaded.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func hasUntriedPictures(of feed: Feed, now: Date) throws(StorageError) -> Bool {
    try read { db in
      let search = try MissingSearch(.untried, of: feed.name, Self.anyMissing(in: db), in: db)
      return try db.hasRow("\(Self.missingQuery(.untried, search, in: db)) LIMIT 1", arguments(feed, now))
    }
  }

  /// The number of a feed's pictures that are missing and can be downloaded.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func countOfMissingPictures(of feed: Feed, now: Date) throws(StorageError) -> Int {
    try read { db in
      let search = try MissingSearch(.wanted, of: feed.name, Self.anyMissing(in: db), in: db)
      let missing = Self.missingQuery(.wanted, search, in: db)
      return try db.value("SELECT count(*) FROM (\(missing)) AS missing", arguments(feed, now)) ?? 0
    }
  }

  /// The number of missing pictures by feed. Reads all missing pictures.
  ///
  /// - Parameters:
  ///   - which: Which missing pictures.
  ///   - feed: A feed, or nil for all feeds.
  ///   - now: The current time.
  /// - Returns: The numbers by the feeds' names, without feeds that miss none.
  /// - Throws: `StorageError` if the library cannot be read.
  public func countsOfMissingPictures(
    _ which: MissingPictures = .wanted, of feed: Feed? = nil, now: Date
  ) throws(StorageError) -> [String: Int] {
    try read { db in
      let rows = try db.rows(Self.missingCountQuery(which, in: db), arguments(feed, now)) {
        (try $0["name"] as String, try $0["pictures"] as Int)
      }
      return Dictionary(rows) { first, _ in first }
    }
  }

  /// The number of pictures of the whole library that are missing and can be downloaded.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func countOfMissingPictures() throws(StorageError) -> Int {
    try read { db in
      try db.value("SELECT count(*) FROM (\(Self.anyMissing(in: db)) AND \(Self.isShown)) AS missing") ?? 0
    }
  }

  /// The missing avatars of the authors of a feed's posts, by the same rules as `missingPictures`.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func missingAvatars(
    of feed: Feed, _ which: MissingPictures, now: Date
  ) throws(StorageError) -> [PictureTask] {
    try read { db in
      let search = try MissingSearch(which, of: feed.name, Self.anyMissingAvatar(in: db), in: db)
      return try db.rows(Self.missingAvatarsQuery(which, search, in: db), arguments(feed, now)) {
        try PictureTask(avatarOf: $0)
      }
    }
  }

  private func arguments(_ feed: Feed?, _ now: Date) -> Arguments {
    [feed?.name, UTC.text(now), PictureWriter.never(from: now)]
  }

  // MARK: Questions

  static func missingQuery(_ which: MissingPictures, _ search: MissingSearch, in db: Database) -> String {
    let index = which == .all ? "" : db.index("attachment_missing")
    let from =
      switch search {
      case .library: "attachment a \(index) WHERE \(isOfFeed("a.post", in: db))"
      case .feed: "(\(postsOfFeed(in: db))) d \(db.crossJoin) attachment a \(index) ON a.post = d.post WHERE TRUE"
      }
    return "SELECT \(PictureTask.columns) FROM \(from) AND \(isMissing(which)) AND \(isShown)"
  }

  static func missingCountQuery(_ which: MissingPictures, in db: Database) -> String {
    let index = which == .all ? "" : db.index("attachment_missing")
    let isMeant = "\(isMissing(which)) AND \(isShown)"
    return """
      SELECT f.name, count(*) AS pictures FROM (
        SELECT a.id, b.feed
        FROM attachment a \(index) \(db.crossJoin) feed_post b \(db.index("feed_post_post")) ON b.post = a.post
        WHERE \(isMeant)
        UNION SELECT a.id, b.feed
        FROM attachment a \(index) \(db.crossJoin) quote q \(db.index("quote_quoted")) ON q.quoted = a.post
          \(db.crossJoin) feed_post b \(db.index("feed_post_post")) ON b.post = q.post
        WHERE \(isMeant)) m \(db.crossJoin) feed f ON f.id = m.feed
      WHERE f.name = $1 OR $1 IS NULL
      GROUP BY f.id
      """
  }

  static func missingAvatarsQuery(_ which: MissingPictures, _ search: MissingSearch, in db: Database) -> String {
    let isMeant = "\(which.condition("u.avatar_state", "u.avatar_next_try_at")) AND u.avatar_url IS NOT NULL"
    let from =
      switch search {
      case .library:
        """
        author u \(db.index("author_missing"))
        WHERE EXISTS (SELECT 1 FROM post p \(db.index("post_author")) WHERE p.author = u.id AND \(isOfFeed("p.id", in: db)))
        """
      case .feed:
        """
        (SELECT DISTINCT p.author FROM (\(postsOfFeed(in: db))) d \(db.crossJoin) post p ON p.id = d.post) w
          \(db.crossJoin) author u ON u.id = w.author WHERE TRUE
        """
      }
    return "SELECT u.id, u.avatar_url, u.server FROM \(from) AND \(isMeant)"
  }

  private static func isMissing(_ which: MissingPictures) -> String {
    "\(which.condition("a.state", "a.next_try_at")) AND coalesce(a.url, a.alternate_url) IS NOT NULL"
  }

  /// Deleted posts miss no pictures.
  private static let isShown =
    "NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = a.post AND s.deleted_at IS NOT NULL)"

  private static func anyMissing(in db: Database) -> String {
    """
    SELECT 1 FROM attachment a \(db.index("attachment_missing"))
    WHERE a.state IN ('pending', 'failed') AND coalesce(a.url, a.alternate_url) IS NOT NULL
    """
  }

  private static func anyMissingAvatar(in db: Database) -> String {
    """
    SELECT 1 FROM author u \(db.index("author_missing"))
    WHERE u.avatar_state IN ('pending', 'failed') AND u.avatar_url IS NOT NULL
    """
  }

  /// The feed's posts and the posts that they quote, each once.
  private static func postsOfFeed(in db: Database) -> String {
    """
    SELECT b.post FROM feed f \(db.crossJoin) feed_post b \(db.index("feed_post_newest")) ON b.feed = f.id
    WHERE f.name = $1
    UNION SELECT q.quoted FROM feed f \(db.crossJoin) feed_post b \(db.index("feed_post_newest")) ON b.feed = f.id
      \(db.crossJoin) quote q ON q.post = b.post
    WHERE f.name = $1 AND q.quoted IS NOT NULL
    """
  }

  /// Whether a post is one of them.
  private static func isOfFeed(_ post: String, in db: Database) -> String {
    """
    (EXISTS (
        SELECT 1 FROM feed_post b \(db.index("feed_post_post")) \(db.crossJoin) feed f ON f.id = b.feed
        WHERE b.post = \(post) AND f.name = $1)
      OR EXISTS (
        SELECT 1 FROM quote q \(db.index("quote_quoted"))
          \(db.crossJoin) feed_post b \(db.index("feed_post_post")) ON b.post = q.post
          \(db.crossJoin) feed f ON f.id = b.feed
        WHERE q.quoted = \(post) AND f.name = $1))
    """
  }
}
