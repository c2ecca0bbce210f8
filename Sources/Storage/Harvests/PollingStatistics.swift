import FoundationEssentials
import Machine
import Posts
import Rows

/// What harvests have learnt about a feed.
public struct PollingStatistics: Sendable, Hashable {
  /// The largest number of items on one of its pages. 0 if no page was seen.
  public var largestPage: Int
  /// When a harvest last read deeper, for late posts.
  public var deepAt: Date?
  /// Gaps are not requested again before this time, since a request brought nothing. Nil if they may be requested.
  public var fillAt: Date?

  /// Creates statistics. By default nothing is known.
  public init(largestPage: Int = 0, deepAt: Date? = nil, fillAt: Date? = nil) {
    self.largestPage = largestPage
    self.deepAt = deepAt
    self.fillAt = fillAt
  }
}

extension PollingStatistics: RowDecodable {
  package init(_ row: some RowReading) throws {
    try self.init(largestPage: row.number("largest_page"), deepAt: row.date("deep_at"), fillAt: row.date("fill_at"))
  }
}

extension Store {
  /// What harvests have learnt about a feed, or an empty value if none has pulled it.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func pollingStatistics(of feed: Feed) throws(StorageError) -> PollingStatistics {
    try read { db in
      try db.row(
        "SELECT l.largest_page, l.deep_at, l.fill_at FROM feed f JOIN look l ON l.feed = f.id WHERE f.name = $1",
        [feed.name]
      ) ?? PollingStatistics()
    }
  }

  /// Stores what harvests have learnt about a feed.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  public func keep(_ statistics: PollingStatistics, of feed: Feed) throws(StorageError) {
    try write { db in
      try db.run(
        """
        INSERT INTO look (feed, largest_page, deep_at, fill_at) VALUES ($1, $2, $3, $4) ON CONFLICT (feed)
        DO UPDATE SET largest_page = excluded.largest_page, deep_at = excluded.deep_at, fill_at = excluded.fill_at
        """,
        [
          try id(of: feed, in: db), statistics.largestPage, statistics.deepAt.map(UTC.text),
          statistics.fillAt.map(UTC.text),
        ]
      )
    }
  }

  /// The age at which 99 of 100 late posts of a feed had arrived.
  ///
  /// Reads the feed's newest thousand posts. A post is late if it was first seen after another at its position.
  ///
  /// - Returns: The age in seconds, or nil if no post was late.
  /// - Throws: `StorageError` if the library cannot be read.
  public func lateness(of feed: Feed) throws(StorageError) -> TimeInterval? {
    let ages = try read { db in
      try db.rows(Self.latenessQuery, [feed.name]) { max(0, try $0["age"] as Double) }
    }
    return ages.isEmpty ? nil : ages[(ages.count * 99 + 99) / 100 - 1]
  }

  static let latenessQuery = """
    SELECT 86400 * (julianday(n.seen_at) - julianday(coalesce(n.repeated_at, n.created_at))) AS age
    FROM (SELECT coverage, place, seen_at, created_at, repeated_at FROM feed_post
        WHERE feed = (SELECT id FROM feed WHERE name = $1) ORDER BY created_at DESC LIMIT 1000) n
    WHERE EXISTS (
      SELECT 1 FROM feed_post o WHERE o.coverage = n.coverage AND o.place = n.place AND o.seen_at < n.seen_at)
    ORDER BY age
    """
}
