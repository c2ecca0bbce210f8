import FoundationEssentials
import Posts

// Pulls that begin at a gap, not at the feed's top.

/// The lower end of a coverage interval.
public struct FeedEdge: Sendable, Hashable {
  /// The server's id of the last item.
  public let id: String
  /// The source's cursor for what is below, if it gave one.
  public let next: Posts.Cursor?
  /// Whether the feed ends here.
  public let isEnd: Bool

  /// An edge from its parts.
  package init(id: String, next: Posts.Cursor?, isEnd: Bool) {
    (self.id, self.next, self.isEnd) = (id, next, isEnd)
  }

  init(_ interval: CoverageInterval) {
    id = interval.oldest
    next = interval.next.map(Posts.Cursor.init)
    isEnd = interval.reachedEnd
  }
}

/// A resumed pull.
public struct Resumption: Sendable {
  /// The pull, open again.
  public let pull: Pull
  /// How many pages it still has to read; nil if no number of pages ends it.
  public let pages: Int?
  /// Where it continues; nil at the feed's top, or if the cursor is unknown.
  public let start: Posts.Cursor?
  /// Whether it has read no post yet, and begins at the feed's top.
  public let isAtTop: Bool

  /// A resumed pull from its parts.
  package init(pull: Pull, pages: Int?, start: Posts.Cursor?, isAtTop: Bool) {
    (self.pull, self.pages, self.start, self.isAtTop) = (pull, pages, start, isAtTop)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func resumePull(
    of feed: Feed, leaving stuck: Set<Int64>, now: Date
  ) throws(StorageError) -> Resumption? {
    try finishJoins(of: feed)
    return try write { db in
      guard let feedID: Int64 = try db.value("SELECT id FROM feed WHERE name = ?", [feed.name]) else {
        return nil
      }
      try closeOpenPulls(of: feedID, now: now, in: db)
      for unfinished in try UnfinishedPull.all(of: feedID, in: db) where !stuck.contains(unfinished.id) {
        if try unfinished.isCovered(in: db) {
          try db.run("UPDATE cursor SET state = 'reached' WHERE id = ?", [unfinished.id])
          continue
        }
        try db.run(
          "UPDATE cursor SET state = 'open', finished_at = NULL, coverage_version = ?, place = ? WHERE id = ?",
          [unfinished.interval?.version ?? 0, try unfinished.position(in: db)?.position, unfinished.id]
        )
        return Resumption(
          pull: Pull(
            id: unfinished.id, feedID: feedID, feed: feed, goal: unfinished.goal, continues: unfinished.interval != nil),
          pages: unfinished.goal.pages.map { max(1, $0 - unfinished.pages) },
          // An interval opens at the feed's top, or the order of intervals is lost.
          start: unfinished.interval == nil ? nil : unfinished.next.map(Posts.Cursor.init),
          isAtTop: unfinished.interval == nil
        )
      }
      return nil
    }
  }

  public func beginAnew(_ lost: Pull, now: Date) throws(StorageError) -> Pull {
    try write { db in
      try closeOpenPulls(of: lost.feedID, now: now, in: db)
      try db.run("UPDATE cursor SET state = 'reached' WHERE id = ?", [lost.id])
      return try insertPull(of: lost.feed, lost.feedID, goal: lost.goal, kind: "pull", now: now, in: db)
    }
  }

  public func beginFillFromTop(of gap: Gap, now: Date) throws(StorageError) -> Pull? {
    try finishJoins(of: gap.feed)
    return try write { db in
      guard let ends = gap.ends, try CoverageInterval.read(ends.upper, in: db) != nil,
        let feedID: Int64 = try db.value("SELECT feed FROM coverage WHERE id = ?", [ends.lower])
      else { return nil }
      try closeOpenPulls(of: feedID, now: now, in: db)
      return try insertPull(of: gap.feed, feedID, goal: PullGoal(end: true), kind: "fill", now: now, in: db)
    }
  }

  public func beginPull(below feed: Feed, goal: PullGoal, now: Date) throws(StorageError) -> (Pull, FeedEdge)? {
    try finishJoins(of: feed)
    return try write { db in
      let row = try db.row(
        "SELECT f.id, min(c.id) AS lowest FROM feed f JOIN coverage c ON c.feed = f.id WHERE f.name = ? GROUP BY f.id",
        [feed.name]
      ) { (feed: try $0["id"] as Int64, lowest: try $0["lowest"] as Int64) }
      guard let row, let lowest = try CoverageInterval.read(row.lowest, in: db) else { return nil }
      let pull = try begin(feed, row.feed, goal: goal, kind: "pull", at: lowest, now: now, in: db)
      return (pull, FeedEdge(lowest))
    }
  }

  public func beginFill(
    of gap: Gap,
    upwards: Bool,
    halfPage: Int,
    now: Date
  ) throws(StorageError) -> (pull: Pull, edge: FeedEdge, anchor: String)? {
    try finishJoins(of: gap.feed)
    return try write { db in
      guard let ends = gap.ends, let upper = try CoverageInterval.read(ends.upper, in: db),
        let lower = try CoverageInterval.read(ends.lower, in: db),
        let feedID: Int64 = try db.value("SELECT feed FROM coverage WHERE id = ?", [lower.id])
      else { return nil }
      let goal = PullGoal(known: true)
      let start = upwards ? lower : upper
      let pull = try begin(gap.feed, feedID, goal: goal, kind: "fill", at: start, now: now, in: db)
      return (pull, FeedEdge(upper), try lower.anchor(below: halfPage, in: db))
    }
  }

  public func stepOver(_ pull: Pull) throws(StorageError) -> FeedEdge {
    try write { db in
      let checkpoint = try PullCheckpoint.read(pull, in: db)
      guard let interval = checkpoint.interval else { throw StorageError.overtaken(feed: pull.feed.name) }
      try db.run(
        "UPDATE cursor SET place = ?, next = ? WHERE id = ?",
        [try interval.bottom(in: db)?.position, interval.next, pull.id]
      )
      return FeedEdge(interval)
    }
  }

  func begin(
    _ feed: Feed,
    _ feedID: Int64,
    goal: PullGoal,
    kind: String,
    at interval: CoverageInterval,
    now: Date,
    in db: Database
  ) throws -> Pull {
    try closeOpenPulls(of: feedID, now: now, in: db)
    var pull = try insertPull(of: feed, feedID, goal: goal, kind: kind, now: now, in: db)
    pull.continues = true
    try db.run(
      "UPDATE cursor SET coverage = ?, coverage_version = ?, place = ?, next = ? WHERE id = ?",
      [interval.id, interval.version, try interval.bottom(in: db)?.position, interval.next, pull.id]
    )
    return pull
  }
}
