import Foundation
import Posts

// Which pictures of a feed are missing, whatever pages of it are read.

/// Which of the missing pictures are meant.
public enum MissingPictures: Sendable {
  /// Those that were wanted and never tried, as an interrupted pull leaves them; not those that were put off.
  case untried
  /// These, and failed ones whose time has come.
  case due
  /// All that are to be had: these, failed ones and those that were put off.
  case wanted
  /// These, and those that are gone.
  case all

  /// `?2` is the present, `?3` a time that only a wrong clock has written.
  private static let isDue = "(a.next_try_at IS NULL OR a.next_try_at <= ?2 OR a.next_try_at > ?3)"

  fileprivate var condition: String {
    switch self {
    case .untried: "a.state = 'pending' AND \(Self.isDue)"
    case .due: "a.state <> 'gone' AND \(Self.isDue)"
    case .wanted: "a.state <> 'gone' AND ?2 < ?3"
    case .all: "?2 < ?3"
    }
  }
}

extension Store {
  /// The missing pictures of a feed's posts.
  public func missingPictures(
    of feed: Feed, _ which: MissingPictures, now: Date
  ) throws(StorageError) -> [PictureTask] {
    try read { try $0.rows(Self.missingQuery(which), arguments(feed, now)).map(PictureTask.init(picture:)) }
  }

  /// Whether pictures of a feed's posts are there to be fetched that were never tried.
  public func hasUntriedPictures(of feed: Feed, now: Date) throws(StorageError) -> Bool {
    try read { try $0.row("\(Self.missingQuery(.untried)) LIMIT 1", arguments(feed, now)) != nil }
  }

  /// How many pictures are missing of each feed, or of one, by the feeds' names; feeds that miss none are left out.
  public func countsOfMissingPictures(
    _ which: MissingPictures = .wanted, of feed: Feed? = nil, now: Date
  ) throws(StorageError) -> [String: Int] {
    try read { db in
      let rows = try db.rows(Self.missingCountQuery(which), arguments(feed, now))
      return Dictionary(rows.map { ($0[0] as String, $0[1] as Int) }) { first, _ in first }
    }
  }

  /// How many pictures of the whole library are missing and to be had.
  public func countOfMissingPictures() throws(StorageError) -> Int {
    try read { db in
      try db.value(
        "SELECT count(*) FROM attachment a INDEXED BY attachment_missing WHERE \(Self.missing) AND a.state <> 'gone'")
        ?? 0
    }
  }

  private func arguments(_ feed: Feed?, _ now: Date) -> Arguments {
    [feed?.name, UTC.text(now), PictureWriter.never(from: now)]
  }

  /// It begins with what is missing, which is little, not with the feed's posts.
  static func missingQuery(_ which: MissingPictures) -> String {
    """
    SELECT a.id, a.kind, a.url, a.alternate_url, a.post, \(PictureTask.teller)
    FROM attachment a INDEXED BY attachment_missing
    WHERE \(missing) AND \(which.condition)
      AND EXISTS (
        SELECT 1 FROM feed_post b INDEXED BY feed_post_post CROSS JOIN feed f ON f.id = b.feed
        WHERE b.post = a.post AND f.name = ?1)
    """
  }

  static func missingCountQuery(_ which: MissingPictures) -> String {
    """
    SELECT f.name, count(DISTINCT a.id)
    FROM attachment a INDEXED BY attachment_missing
      CROSS JOIN feed_post b INDEXED BY feed_post_post ON b.post = a.post CROSS JOIN feed f ON f.id = b.feed
    WHERE \(missing) AND \(which.condition) AND (?1 IS NULL OR f.name = ?1)
    GROUP BY f.id
    """
  }

  /// As the index says it; deleted posts miss none.
  private static let missing = """
    a.state <> 'stored' AND a.state <> 'skipped' AND coalesce(a.url, a.alternate_url) IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = a.post AND s.deleted_at IS NOT NULL)
    """

  /// The missing avatars of those who wrote a feed's posts, by the same rules. It looks at every author.
  public func missingAvatars(
    of feed: Feed, _ which: MissingPictures, now: Date
  ) throws(StorageError) -> [PictureTask] {
    try read { try $0.rows(Self.missingAvatarsQuery(which), arguments(feed, now)).map { PictureTask(avatarOf: $0) } }
  }

  static func missingAvatarsQuery(_ which: MissingPictures) -> String {
    """
    SELECT a.id, a.avatar_url, a.server
    FROM (SELECT id, avatar_url, server, avatar_state AS state, avatar_next_try_at AS next_try_at FROM author) a
    WHERE a.state IN ('pending', 'failed', 'gone') AND a.avatar_url IS NOT NULL AND \(which.condition) AND EXISTS (
      SELECT 1 FROM post p CROSS JOIN feed_post b INDEXED BY feed_post_post ON b.post = p.id
        CROSS JOIN feed f ON f.id = b.feed
      WHERE p.author = a.id AND f.name = ?1)
    """
  }
}
