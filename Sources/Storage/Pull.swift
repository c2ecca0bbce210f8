import Foundation
import GRDB
import Posts

/// Where a pull is to end. The first of what is given ends it.
public struct PullGoal: Sendable, Hashable {
  /// So many pages.
  public var pages: Int?
  /// The first page whose every post is older.
  public var since: Date?
  /// The feed's end.
  public var end: Bool

  /// A goal from its parts.
  public init(pages: Int? = nil, since: Date? = nil, end: Bool = false) {
    self.pages = pages
    self.since = since
    self.end = end
  }
}

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

  /// Nothing.
  public init() {}
}

extension Store {
  /// Writes a pull's goal down, before its first request. A pull of the same feed that was left open is closed as
  /// unfinished.
  public func beginPull(of feed: Feed, goal: PullGoal, now: Date) throws(StorageError) -> Pull {
    try write { db in
      let feedID = try id(of: feed, in: db)
      try db.run(
        "UPDATE cursor SET state = 'unfinished', finished_at = ? WHERE feed = ? AND state = 'open'",
        [UTC.text(now), feedID]
      )
      try db.run(
        """
        INSERT INTO cursor (feed, goal_pages, goal_since, goal_end, state, started_at) VALUES (?, ?, ?, ?, 'open', ?)
        """,
        [feedID, goal.pages, goal.since.map(UTC.text), goal.end ? 1 : 0, UTC.text(now)]
      )
      let id = db.lastInsertedRowID
      try Renaming.clear(in: db)
      return Pull(id: id, feedID: feedID, feed: feed, goal: goal)
    }
  }

  /// Ends a pull. `reached` says whether it came to its goal; where not, the rest is known to be missing.
  public func finishPull(_ pull: Pull, reached: Bool, now: Date) throws(StorageError) {
    try write { db in
      try db.run(
        "UPDATE cursor SET state = ?, finished_at = ? WHERE id = ? AND state = 'open'",
        [reached ? "reached" : "unfinished", UTC.text(now), pull.id]
      )
      try Renaming.clear(in: db)
    }
  }

  private func id(of feed: Feed, in db: Database) throws -> Int64 {
    if let row = try db.row("SELECT id FROM feed WHERE name = ?", [feed.name]) { return row[0] }
    try db.run(
      "INSERT INTO feed (name, source, kind, value, server) VALUES (?, ?, ?, ?, ?)",
      [feed.name, feed.source.rawValue, feed.kind.rawValue, feed.value, feed.server.origin]
    )
    return db.lastInsertedRowID
  }
}
