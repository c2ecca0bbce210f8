import Coverage
import FoundationEssentials
import Machine
import Posts

/// A pull of new posts above everything known of a feed.
public struct IncrementalPull: Sendable {
  /// The pull.
  public let pull: Pull
  /// The id of the item above which it begins.
  public let anchor: String
}

extension Store {
  /// Begins to pull what is above the feed's newest interval.
  ///
  /// An interrupted pull leaves nothing unfinished: coverage claims nothing above the newest item seen, and the next pull
  /// begins there. Of the feed's earlier pulls that reached their goal, only the last is kept.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - count: How many items below the interval's top the pull begins.
  ///   - now: The current time.
  /// - Returns: The pull, or nil if too little is known to tell where a page belongs.
  /// - Throws: `StorageError` if the library cannot be written.
  public func beginIncrementalPull(of feed: Feed, below count: Int, now: Date) throws(StorageError) -> IncrementalPull?
  {
    try writeJoined(feed) { db in
      guard let newest = try CoverageInterval.outermost(.up, of: feed, in: db), newest.newest != newest.oldest
      else { return nil }
      try db.run(
        "DELETE FROM cursor WHERE feed = $1 AND state = 'reached' AND id < (SELECT max(id) FROM cursor WHERE feed = $1)",
        [newest.feed]
      )
      let pull = try begin(feed, goal: PullGoal(known: true), kind: "fill", at: newest, now: now, in: db)
      return IncrementalPull(pull: pull, anchor: try newest.anchor(below: count, in: db))
    }
  }

  /// Whether an item is at the top of the pull's interval, or so near that the items above it may be gone upstream.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func isNearTop(_ id: String, of pull: Pull) throws(StorageError) -> Bool {
    try read { db in
      let above: Int? = try db.value(
        """
        SELECT count(*) FROM (SELECT 1
          FROM feed_post i JOIN feed_post b ON b.coverage = i.coverage AND b.place > i.place
          WHERE i.feed = $1 AND i.remote_id = $2 LIMIT 3) AS counted
        """,
        [pull.feedID, id]
      )
      return above ?? 0 < 3
    }
  }

  /// Whether any page of a feed was read.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func isKnown(_ feed: Feed) throws(StorageError) -> Bool {
    try read { try CoverageInterval.outermost(.up, of: feed, in: $0) != nil }
  }

  /// The number of items at the top of a feed's newest interval that came into the feed since a moment, judged by their
  /// dates.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - moment: The moment.
  ///   - most: Maximum number of items that are read.
  /// - Throws: `StorageError` if the library cannot be read.
  public func countOfTop(of feed: Feed, since moment: Date, most: Int) throws(StorageError) -> Int {
    try read { db in
      guard let newest = try CoverageInterval.outermost(.up, of: feed, in: db) else { return 0 }
      return try db.value(
        """
        SELECT count(*) FROM (SELECT coalesce(repeated_at, created_at) AS moment FROM feed_post WHERE coverage = $1
          ORDER BY place DESC, created_at DESC LIMIT $2) AS newest WHERE moment >= $3
        """,
        [newest.id, most, UTC.text(moment)]
      ) ?? 0
    }
  }
}
