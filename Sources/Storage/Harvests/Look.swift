import Foundation
import Posts

/// A look for what is new above all that is known of a feed.
public struct Look: Sendable {
  /// The pull that it is.
  public let pull: Pull
  /// The id of the item above which it begins.
  public let anchor: String
}

extension Store {
  /// Begins to look above what is known of a feed, so many items below the top of its newest stretch.
  ///
  /// nil where nothing is known, or too little to tell by it where a page belongs. A look that is cut short leaves nothing
  /// unfinished: coverage claims nothing above the newest item seen, and the next look begins there. Of the feed's earlier
  /// pulls that came to their goal only the last is remembered.
  public func beginLook(of feed: Feed, below count: Int, now: Date) throws(StorageError) -> Look? {
    try finishJoins(of: feed)
    return try write { db in
      guard let (feedID, newest) = try newestStretch(of: feed, in: db), newest.newest != newest.oldest
      else { return nil }
      try db.run(
        "DELETE FROM cursor WHERE feed = ?1 AND state = 'reached' AND id < (SELECT max(id) FROM cursor WHERE feed = ?1)",
        [feedID]
      )
      let pull = try begin(feed, feedID, goal: PullGoal(known: true), kind: "fill", at: newest, now: now, in: db)
      return Look(pull: pull, anchor: try newest.anchor(below: count, in: db))
    }
  }

  /// Whether an item stands at the top of the stretch that a look has come to, or so near to it that those above may be
  /// gone upstream.
  public func isNearTop(_ id: String, of pull: Pull) throws(StorageError) -> Bool {
    try read { db in
      let above = try db.rows(
        """
        SELECT 1 FROM feed_post i JOIN feed_post b ON b.coverage = i.coverage AND b.place > i.place
        WHERE i.feed = ? AND i.remote_id = ? LIMIT 3
        """,
        [pull.feedID, id]
      )
      return above.count < 3
    }
  }

  /// Whether any page of a feed was read.
  public func isKnown(_ feed: Feed) throws(StorageError) -> Bool {
    try read { try newestStretch(of: feed, in: $0) != nil }
  }

  /// How many of the topmost items of a feed's newest stretch came into the feed since a moment, as far as their dates
  /// tell; no more than `most` are looked at.
  public func countOfTop(of feed: Feed, since moment: Date, most: Int) throws(StorageError) -> Int {
    try read { db in
      guard let (_, newest) = try newestStretch(of: feed, in: db) else { return 0 }
      return try db.value(
        """
        SELECT count(*) FROM (SELECT coalesce(repeated_at, created_at) AS moment FROM feed_post WHERE coverage = ?
          ORDER BY place DESC, created_at DESC LIMIT ?) WHERE moment >= ?
        """,
        [newest.id, most, UTC.text(moment)]
      ) ?? 0
    }
  }

  private func newestStretch(of feed: Feed, in db: Database) throws -> (feedID: Int64, Stretch)? {
    let row = try db.row(
      "SELECT f.id, max(c.id) FROM feed f JOIN coverage c ON c.feed = f.id WHERE f.name = ? GROUP BY f.id",
      [feed.name]
    )
    guard let row, let newest = try Stretch.read(row[1], in: db) else { return nil }
    return (row[0], newest)
  }
}
