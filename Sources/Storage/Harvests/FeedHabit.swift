import Foundation
import Posts

/// What harvests have learnt of a feed.
public struct FeedHabit: Sendable, Hashable {
  /// The most items that one of its pages held; 0 where none was seen.
  public var largestPage: Int
  /// When a harvest last looked deeper for what came late.
  public var deepAt: Date?
  /// Before when what is missing is not asked for again, since asking brought nothing; nil where it may be.
  public var fillAt: Date?

  /// Habits from their parts; nothing is known unless said.
  public init(largestPage: Int = 0, deepAt: Date? = nil, fillAt: Date? = nil) {
    self.largestPage = largestPage
    self.deepAt = deepAt
    self.fillAt = fillAt
  }
}

extension Store {
  /// What harvests have learnt of a feed; nothing of one that none has pulled.
  public func habit(of feed: Feed) throws(StorageError) -> FeedHabit {
    try read { db in
      let row = try db.row(
        "SELECT l.largest_page, l.deep_at, l.fill_at FROM feed f JOIN look l ON l.feed = f.id WHERE f.name = ?",
        [feed.name]
      )
      guard let row else { return FeedHabit() }
      return FeedHabit(
        largestPage: row[0], deepAt: (row[1] as String?).flatMap(UTC.date),
        fillAt: (row[2] as String?).flatMap(UTC.date))
    }
  }

  /// Remembers it for the next harvest.
  public func keep(_ habit: FeedHabit, of feed: Feed) throws(StorageError) {
    try write { db in
      try db.run(
        "INSERT OR REPLACE INTO look (feed, largest_page, deep_at, fill_at) VALUES (?, ?, ?, ?)",
        [try id(of: feed, in: db), habit.largestPage, habit.deepAt.map(UTC.text), habit.fillAt.map(UTC.text)]
      )
    }
  }

  /// The age by which 99 of 100 posts that came late into a feed had come, in seconds; nil where none came late.
  ///
  /// It looks at the newest thousand of the feed: one came late that was first seen after another at its place.
  public func lateness(of feed: Feed) throws(StorageError) -> TimeInterval? {
    let ages = try read { db in
      try db.rows(Self.latenessQuery, [feed.name]).map { max(0, $0[0] as Double) }
    }
    return ages.isEmpty ? nil : ages[(ages.count * 99 + 99) / 100 - 1]
  }

  static let latenessQuery = """
    SELECT 86400 * (julianday(n.seen_at) - julianday(coalesce(n.repeated_at, n.created_at))) AS age
    FROM (SELECT coverage, place, seen_at, created_at, repeated_at FROM feed_post
        WHERE feed = (SELECT id FROM feed WHERE name = ?) ORDER BY created_at DESC LIMIT 1000) n
    WHERE EXISTS (
      SELECT 1 FROM feed_post o WHERE o.coverage = n.coverage AND o.place = n.place AND o.seen_at < n.seen_at)
    ORDER BY age
    """
}
