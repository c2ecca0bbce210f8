import Coverage
import FoundationEssentials
import Machine
import Posts

/// One pull of a feed, from its start to its goal.
public struct Pull: Sendable, Hashable, Identifiable {
  /// The number of the pull's row.
  public let id: Int64
  /// The number of the feed.
  public let feedID: Int64
  /// The feed that is pulled.
  public let feed: Feed
  /// Where it ends.
  public let goal: PullGoal
  /// Whether it only fills a gap. If it stops early, the rest stays known as that gap.
  public var isFill = false
  /// Whether it continues below what an earlier pull read.
  package var continues = false
}

/// What a page brought. The five counts add up to the number of its items.
public struct Saved: Sendable, Hashable {
  /// Posts that were not stored before.
  public var new = 0
  /// Posts that changed in something that people read.
  public var updated = 0
  /// Posts that are stored unchanged; counters and addresses do not count.
  public var unchanged = 0
  /// Posts that came again and stay deleted.
  public var deleted = 0
  /// Items that could not be read.
  public var unreadable = 0
  /// The posts of the page that are not deleted, each once, in the page's order.
  public var posts: [Int64] = []
  /// Of these, the items of a feed whose own date of change moved.
  public var revised: [Int64] = []
  /// What of the page was known before, in the feed's order.
  public var known = Known()
  /// Items that the feed had not shown before, whether or not their posts were stored.
  public var arrived = 0
  /// How many more files of these posts limits leave out than before.
  public var leftOut = 0

  /// Nothing.
  public init() {}
}

extension Store {
  /// Begins a pull: records its goal before its first request. Closes an open pull of the same feed as unfinished.
  public func beginPull(of feed: Feed, goal: PullGoal, now: Date) throws(StorageError) -> Pull {
    try writeJoined(feed) { db in
      let feedID = try id(of: feed, in: db)
      try closeOpenPulls(of: feedID, now: now, in: db)
      try forgetPulls(before: .max, of: feedID, in: db) { $0.interval == nil && goal.covers($0.goal) }
      return try insertPull(of: feed, feedID, goal: goal, kind: "pull", now: now, in: db)
    }
  }

  /// Ends a pull. A pull that reached its goal also satisfies earlier unfinished ones that its goal covers.
  ///
  /// - Parameter reached: Whether it reached its goal. If false, the rest is recorded as missing.
  public func finishPull(_ pull: Pull, reached: Bool, now: Date) throws(StorageError) {
    try write { db in
      try db.run(
        "UPDATE cursor SET state = $1, finished_at = $2 WHERE id = $3 AND state = 'open'",
        [reached || pull.isFill ? "reached" : "unfinished", UTC.text(now), pull.id]
      )
      if reached, !pull.isFill {
        try forgetPulls(before: pull.id, of: pull.feedID, in: db) { $0.isSatisfied(by: pull.goal) }
      }
      try Renaming.clear(in: db)
    }
  }

  /// Closes pulls whose process died.
  func closeOpenPulls(of feed: Int64, now: Date, in db: Database) throws {
    try db.run(
      """
      UPDATE cursor SET state = CASE kind WHEN 'fill' THEN 'reached' ELSE 'unfinished' END, finished_at = $1
      WHERE feed = $2 AND state = 'open'
      """,
      [UTC.text(now), feed]
    )
    try Renaming.clear(in: db)
  }

  func insertPull(
    of feed: Feed, _ feedID: Int64, goal: PullGoal, kind: String, now: Date, in db: Database
  ) throws -> Pull {
    let id = try db.insertNumbered(
      """
      INSERT INTO cursor (feed, goal_pages, goal_since, goal_end, goal_known, kind, state, started_at)
      VALUES ($1, $2, $3, $4, $5, $6, 'open', $7)
      """,
      [
        feedID, goal.pages, goal.since.map(UTC.text), goal.end ? 1 : 0, goal.known ? 1 : 0, kind, UTC.text(now),
      ]
    )
    return Pull(id: id, feedID: feedID, feed: feed, goal: goal, isFill: kind == "fill")
  }

  /// Closes unfinished pulls of which nothing is left.
  private func forgetPulls(
    before id: Int64, of feed: Int64, in db: Database, where isCovered: (UnfinishedPull) -> Bool
  ) throws {
    for unfinished in try UnfinishedPull.all(of: feed, in: db) where unfinished.id < id && isCovered(unfinished) {
      try db.run("UPDATE cursor SET state = 'reached' WHERE id = $1", [unfinished.id])
    }
  }

  /// The number of a feed's row. Inserts the row if there is none.
  func id(of feed: Feed, in db: Database) throws -> Int64 {
    if let id: Int64 = try db.value("SELECT id FROM feed WHERE name = $1", [feed.name]) { return id }
    return try db.insertNumbered(
      "INSERT INTO feed (name, source, kind, value, server) VALUES ($1, $2, $3, $4, $5)",
      [feed.name, feed.source.rawValue, feed.kind.rawValue, feed.value, feed.server.origin]
    )
  }
}
