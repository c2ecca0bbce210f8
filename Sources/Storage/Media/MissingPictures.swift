import FoundationEssentials
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

  /// `?2` is the present, `?3` a time that only a wrong clock writes. The first part repeats the index's condition.
  fileprivate func condition(_ state: String, _ nextTry: String) -> String {
    let states = self == .all ? "'pending', 'failed', 'gone'" : "'pending', 'failed'"
    let isDue = "(\(nextTry) IS NULL OR \(nextTry) <= ?2 OR \(nextTry) > ?3)"
    let more =
      switch self {
      case .untried: "\(state) = 'pending' AND \(isDue)"
      case .due: isDue
      case .wanted, .all: "?2 < ?3"
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
        "SELECT t.posts FROM feed f JOIN total t ON t.kind = 'feed' AND t.ref = f.id WHERE f.name = ?", [feed]
      ) { try $0.number("posts") } ?? 0
    let missing: Int = try db.value("SELECT count(*) FROM (\(question) LIMIT ?)", [posts + 1]) ?? 0
    self = missing > posts ? .feed : .library
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func missingPictures(
    of feed: Feed, _ which: MissingPictures, now: Date
  ) throws(StorageError) -> [PictureTask] {
    try read { db in
      let search = try MissingSearch(which, of: feed.name, Self.anyMissing, in: db)
      return try db.rows(Self.missingQuery(which, search), arguments(feed, now)) { try PictureTask(picture: $0) }
    }
  }

  public func hasUntriedPictures(of feed: Feed, now: Date) throws(StorageError) -> Bool {
    try read { db in
      let search = try MissingSearch(.untried, of: feed.name, Self.anyMissing, in: db)
      return try db.hasRow("\(Self.missingQuery(.untried, search)) LIMIT 1", arguments(feed, now))
    }
  }

  public func countOfMissingPictures(of feed: Feed, now: Date) throws(StorageError) -> Int {
    try read { db in
      let search = try MissingSearch(.wanted, of: feed.name, Self.anyMissing, in: db)
      return try db.value("SELECT count(*) FROM (\(Self.missingQuery(.wanted, search)))", arguments(feed, now)) ?? 0
    }
  }

  public func countsOfMissingPictures(
    _ which: MissingPictures = .wanted, of feed: Feed? = nil, now: Date
  ) throws(StorageError) -> [String: Int] {
    try read { db in
      let rows = try db.rows(Self.missingCountQuery(which), arguments(feed, now)) {
        (try $0["name"] as String, try $0["pictures"] as Int)
      }
      return Dictionary(rows) { first, _ in first }
    }
  }

  public func countOfMissingPictures() throws(StorageError) -> Int {
    try read { try $0.value("SELECT count(*) FROM (\(Self.anyMissing) AND \(Self.isShown))") ?? 0 }
  }

  public func missingAvatars(
    of feed: Feed, _ which: MissingPictures, now: Date
  ) throws(StorageError) -> [PictureTask] {
    try read { db in
      let search = try MissingSearch(which, of: feed.name, Self.anyMissingAvatar, in: db)
      return try db.rows(Self.missingAvatarsQuery(which, search), arguments(feed, now)) {
        try PictureTask(avatarOf: $0)
      }
    }
  }

  private func arguments(_ feed: Feed?, _ now: Date) -> Arguments {
    [feed?.name, UTC.text(now), PictureWriter.never(from: now)]
  }

  // MARK: Questions

  static func missingQuery(_ which: MissingPictures, _ search: MissingSearch) -> String {
    let index = which == .all ? "" : "INDEXED BY attachment_missing"
    let from =
      switch search {
      case .library: "attachment a \(index) WHERE \(isOfFeed("a.post"))"
      case .feed: "(\(postsOfFeed)) d CROSS JOIN attachment a \(index) ON a.post = d.post WHERE TRUE"
      }
    return "SELECT \(PictureTask.columns) FROM \(from) AND \(isMissing(which)) AND \(isShown)"
  }

  static func missingCountQuery(_ which: MissingPictures) -> String {
    let index = which == .all ? "" : "INDEXED BY attachment_missing"
    let isMeant = "\(isMissing(which)) AND \(isShown)"
    return """
      SELECT f.name, count(*) AS pictures FROM (
        SELECT a.id, b.feed
        FROM attachment a \(index) CROSS JOIN feed_post b INDEXED BY feed_post_post ON b.post = a.post
        WHERE \(isMeant)
        UNION SELECT a.id, b.feed
        FROM attachment a \(index) CROSS JOIN quote q INDEXED BY quote_quoted ON q.quoted = a.post
          CROSS JOIN feed_post b INDEXED BY feed_post_post ON b.post = q.post
        WHERE \(isMeant)) m CROSS JOIN feed f ON f.id = m.feed
      WHERE f.name = ?1 OR ?1 IS NULL
      GROUP BY f.id
      """
  }

  static func missingAvatarsQuery(_ which: MissingPictures, _ search: MissingSearch) -> String {
    let isMeant = "\(which.condition("u.avatar_state", "u.avatar_next_try_at")) AND u.avatar_url IS NOT NULL"
    let from =
      switch search {
      case .library:
        """
        author u INDEXED BY author_missing
        WHERE EXISTS (SELECT 1 FROM post p INDEXED BY post_author WHERE p.author = u.id AND \(isOfFeed("p.id")))
        """
      case .feed:
        """
        (SELECT DISTINCT p.author FROM (\(postsOfFeed)) d CROSS JOIN post p ON p.id = d.post) w
          CROSS JOIN author u ON u.id = w.author WHERE TRUE
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

  private static let anyMissing = """
    SELECT 1 FROM attachment a INDEXED BY attachment_missing
    WHERE a.state IN ('pending', 'failed') AND coalesce(a.url, a.alternate_url) IS NOT NULL
    """

  private static let anyMissingAvatar = """
    SELECT 1 FROM author u INDEXED BY author_missing
    WHERE u.avatar_state IN ('pending', 'failed') AND u.avatar_url IS NOT NULL
    """

  /// The feed's posts and the posts that they quote, each once.
  private static let postsOfFeed = """
    SELECT b.post FROM feed f CROSS JOIN feed_post b INDEXED BY feed_post_newest ON b.feed = f.id WHERE f.name = ?1
    UNION SELECT q.quoted
    FROM feed f CROSS JOIN feed_post b INDEXED BY feed_post_newest ON b.feed = f.id CROSS JOIN quote q ON q.post = b.post
    WHERE f.name = ?1 AND q.quoted IS NOT NULL
    """

  /// Whether a post is one of them.
  private static func isOfFeed(_ post: String) -> String {
    """
    (EXISTS (
        SELECT 1 FROM feed_post b INDEXED BY feed_post_post CROSS JOIN feed f ON f.id = b.feed
        WHERE b.post = \(post) AND f.name = ?1)
      OR EXISTS (
        SELECT 1 FROM quote q INDEXED BY quote_quoted
          CROSS JOIN feed_post b INDEXED BY feed_post_post ON b.post = q.post CROSS JOIN feed f ON f.id = b.feed
        WHERE q.quoted = \(post) AND f.name = ?1))
    """
  }
}
