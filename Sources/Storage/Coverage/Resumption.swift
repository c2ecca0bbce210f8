import Coverage
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
}

extension Store {
  /// Resumes the feed's latest unfinished pull. Pulls that others have completed meanwhile are closed.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - stuck: Pulls that must not be resumed.
  ///   - now: The time of the call.
  /// - Returns: The pull, or nil if there is none to resume.
  public func resumePull(
    of feed: Feed, leaving stuck: Set<Int64> = [], now: Date
  ) throws(StorageError) -> Resumption? {
    try writeJoined(feed) { db in
      guard let feedID: Int64 = try db.value("SELECT id FROM feed WHERE name = $1", [feed.name]) else {
        return nil
      }
      try closeOpenPulls(of: feedID, now: now, in: db)
      for unfinished in try UnfinishedPull.all(of: feedID, in: db) where !stuck.contains(unfinished.id) {
        if try unfinished.isCovered(in: db) {
          try db.run("UPDATE cursor SET state = 'reached' WHERE id = $1", [unfinished.id])
          continue
        }
        try db.run(
          "UPDATE cursor SET state = 'open', finished_at = NULL, coverage_version = $1, place = $2 WHERE id = $3",
          [unfinished.interval?.version ?? 0, unfinished.position, unfinished.id]
        )
        return Resumption(
          pull: Pull(
            id: unfinished.id, feedID: feedID, feed: feed, goal: unfinished.goal, continues: unfinished.interval != nil),
          pages: unfinished.pagesLeft,
          // An interval opens at the feed's top, or the order of intervals is lost.
          start: unfinished.interval == nil ? nil : unfinished.next.map(Posts.Cursor.init),
          isAtTop: unfinished.interval == nil
        )
      }
      return nil
    }
  }

  /// Begins a pull again at the feed's top, in place of one whose cursor is lost.
  public func beginAnew(_ lost: Pull, now: Date) throws(StorageError) -> Pull {
    try write { db in
      try closeOpenPulls(of: lost.feedID, now: now, in: db)
      try db.run("UPDATE cursor SET state = 'reached' WHERE id = $1", [lost.id])
      return try insertPull(of: lost.feed, lost.feedID, goal: lost.goal, kind: "pull", now: now, in: db)
    }
  }

  /// Begins to fill a gap from the feed's top, through what is known; nil if the gap no longer exists.
  public func beginFillFromTop(of gap: Gap, now: Date) throws(StorageError) -> Pull? {
    try writeJoined(gap.feed) { db in
      guard let feedID = try gap.intervals(in: db)?.lower.feed else { return nil }
      try closeOpenPulls(of: feedID, now: now, in: db)
      return try insertPull(of: gap.feed, feedID, goal: PullGoal(end: true), kind: "fill", now: now, in: db)
    }
  }

  /// Begins a pull below everything that is known of the feed; nil if nothing is known.
  public func beginPull(below feed: Feed, goal: PullGoal, now: Date) throws(StorageError) -> (Pull, FeedEdge)? {
    try writeJoined(feed) { db in
      guard let lowest = try CoverageInterval.outermost(.down, of: feed, in: db) else { return nil }
      let pull = try begin(feed, goal: goal, kind: "pull", at: lowest, now: now, in: db)
      return (pull, FeedEdge(lowest))
    }
  }

  /// Begins to fill a gap, from the coverage interval above it or from the one below.
  ///
  /// - Parameters:
  ///   - gap: The gap.
  ///   - upwards: Whether to begin at the interval below.
  ///   - halfPage: Half the number of items on a page.
  ///   - now: The time of the call.
  /// - Returns: nil if the gap no longer exists. `edge` is the lower end of the interval above. `anchor` is the id of
  ///   an item half a page below the top of the lower interval, so that a pull upwards also finds late posts.
  public func beginFill(
    of gap: Gap, upwards: Bool, halfPage: Int, now: Date
  ) throws(StorageError) -> (pull: Pull, edge: FeedEdge, anchor: String)? {
    try writeJoined(gap.feed) { db in
      guard let (upper, lower) = try gap.intervals(in: db) else { return nil }
      let start = upwards ? lower : upper
      let pull = try begin(gap.feed, goal: PullGoal(known: true), kind: "fill", at: start, now: now, in: db)
      return (pull, FeedEdge(upper), try lower.anchor(below: halfPage, in: db))
    }
  }

  /// Moves a pull past the rest of the interval that it has reached.
  ///
  /// - Returns: The interval's lower end.
  /// - Throws: `StorageError.overtaken` if another pull changed the interval.
  public func stepOver(_ pull: Pull) throws(StorageError) -> FeedEdge {
    try write { db in
      let checkpoint = try PullCheckpoint.read(pull, in: db)
      guard let interval = checkpoint.interval else { throw StorageError.overtaken(feed: pull.feed.name) }
      try db.run(
        "UPDATE cursor SET place = $1, next = $2 WHERE id = $3",
        [try interval.end(.down, in: db)?.position, interval.next, pull.id]
      )
      return FeedEdge(interval)
    }
  }

  func begin(
    _ feed: Feed, goal: PullGoal, kind: String, at interval: CoverageInterval, now: Date, in db: Database
  ) throws -> Pull {
    try closeOpenPulls(of: interval.feed, now: now, in: db)
    var pull = try insertPull(of: feed, interval.feed, goal: goal, kind: kind, now: now, in: db)
    pull.continues = true
    try db.run(
      "UPDATE cursor SET coverage = $1, coverage_version = $2, place = $3, next = $4 WHERE id = $5",
      [interval.id, interval.version, try interval.end(.down, in: db)?.position, interval.next, pull.id]
    )
    return pull
  }
}
