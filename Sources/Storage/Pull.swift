import Foundation
import Posts

/// One walk through a feed, from its start to its goal.
public struct Pull: Sendable, Hashable, Identifiable {
  /// The number of the walk's own row.
  public let id: Int64
  /// The number of the feed.
  public let feedID: Int64
  /// What is walked.
  public let feed: Feed
  /// Where it is to end.
  public let goal: PullGoal
  /// Whether it only fills a gap: what it leaves is known as the gap that it was.
  public var isFill = false
  /// Whether it goes on below what an earlier one has read.
  var goesOn = false
}

/// What a page brought. The five counts add up to the number of its items.
public struct Saved: Sendable, Hashable {
  /// Posts that were not held before.
  public var new = 0
  /// Posts of which something that people read had changed.
  public var updated = 0
  /// Posts that were held as they are; counters and addresses do not count.
  public var unchanged = 0
  /// Posts that came again and stay deleted.
  public var deleted = 0
  /// Items that could not be read.
  public var unreadable = 0
  /// The posts of the page that are not deleted, each once, in the page's order.
  public var posts: [Int64] = []
  /// What of the page was known before, in the feed's order.
  public var known = Known()
  /// Items that the feed had not shown before, whether or not their posts were held.
  public var arrived = 0

  /// Nothing.
  public init() {}
}

extension Store {
  /// Writes a pull's goal down, before its first request. A pull of the same feed that was left open is closed as
  /// unfinished.
  public func beginPull(of feed: Feed, goal: PullGoal, now: Date) throws(StorageError) -> Pull {
    try finishJoins(of: feed)
    return try write { db in
      let feedID = try id(of: feed, in: db)
      try closeOpenPulls(of: feedID, now: now, in: db)
      try forgetPulls(before: .max, of: feedID, coveredBy: goal, in: db) { $0.stretch == nil }
      return try insertPull(of: feed, feedID, goal: goal, kind: "pull", now: now, in: db)
    }
  }

  /// Ends a pull. `reached` says whether it came to its goal; where not, the rest is known to be missing. One that came
  /// to its goal does for the earlier ones that wanted no more.
  public func finishPull(_ pull: Pull, reached: Bool, now: Date) throws(StorageError) {
    try write { db in
      try db.run(
        "UPDATE cursor SET state = ?, finished_at = ? WHERE id = ? AND state = 'open'",
        [reached || pull.isFill ? "reached" : "unfinished", UTC.text(now), pull.id]
      )
      if reached, !pull.isFill {
        // One that passes over what is known has not read what an earlier one was to read there; and so many pages of
        // today are others than those that were to be read then.
        let readsAll = !pull.goal.known && !pull.goal.end
        try forgetPulls(before: pull.id, of: pull.feedID, coveredBy: pull.goal, in: db) {
          $0.stretch == nil || (readsAll && $0.goal.pages == nil)
        }
      }
      try Renaming.clear(in: db)
    }
  }

  /// Pulls that ended without a word, with their process.
  func closeOpenPulls(of feed: Int64, now: Date, in db: Database) throws {
    try db.run(
      """
      UPDATE cursor SET state = CASE kind WHEN 'fill' THEN 'reached' ELSE 'unfinished' END, finished_at = ?
      WHERE feed = ? AND state = 'open'
      """,
      [UTC.text(now), feed]
    )
    try Renaming.clear(in: db)
  }

  func insertPull(
    of feed: Feed,
    _ feedID: Int64,
    goal: PullGoal,
    kind: String,
    now: Date,
    in db: Database
  ) throws -> Pull {
    try db.run(
      """
      INSERT INTO cursor (feed, goal_pages, goal_since, goal_end, goal_known, kind, state, started_at)
      VALUES (?, ?, ?, ?, ?, ?, 'open', ?)
      """,
      [
        feedID, goal.pages, goal.since.map(UTC.text), goal.end ? 1 : 0, goal.known ? 1 : 0, kind, UTC.text(now),
      ]
    )
    return Pull(id: db.lastInsertedRowID, feedID: feedID, feed: feed, goal: goal, isFill: kind == "fill")
  }

  /// Unfinished pulls that a wider goal stands for.
  private func forgetPulls(
    before id: Int64,
    of feed: Int64,
    coveredBy goal: PullGoal,
    in db: Database,
    where condition: (UnfinishedPull) -> Bool
  ) throws {
    for left in try UnfinishedPull.all(of: feed, in: db) where left.id < id && goal.covers(left.goal) && condition(left)
    {
      try db.run("UPDATE cursor SET state = 'reached' WHERE id = ?", [left.id])
    }
  }

  /// The number of a feed's row, which is made where there is none.
  func id(of feed: Feed, in db: Database) throws -> Int64 {
    if let id: Int64 = try db.value("SELECT id FROM feed WHERE name = ?", [feed.name]) { return id }
    try db.run(
      "INSERT INTO feed (name, source, kind, value, server) VALUES (?, ?, ?, ?, ?)",
      [feed.name, feed.source.rawValue, feed.kind.rawValue, feed.value, feed.server.origin]
    )
    return db.lastInsertedRowID
  }
}
