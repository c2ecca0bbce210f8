import Coverage
import Machine
import Posts

// Where a pull can continue if the server no longer knows the post at its position.

extension Store {
  /// The ids of items at and above the position of a pull.
  ///
  /// - Returns: The nearest id first, each about three times as far away as the one before, then the newest id of the
  ///   interval. Empty if the pull has no interval.
  /// - Throws: `StorageError` if the library cannot be read.
  public func fallbackIDs(of pull: Pull) throws(StorageError) -> [String] {
    try read { db in
      let standing = try PullCheckpoint.read(pull, in: db)
      guard let interval = standing.interval else { return [] }
      let position = min(standing.position, try interval.end(.up, in: db)?.position ?? standing.position)
      var ids: [String] = []
      for offset in Self.fallbackOffsets {
        let id: String? = try db.value(
          """
          SELECT remote_id FROM feed_post WHERE coverage = $1 AND place >= $2 ORDER BY place, created_at LIMIT 1 OFFSET $3
          """,
          [interval.id, position, offset]
        )
        guard let id else { break }
        ids.append(id)
      }
      return ids + (ids.contains(interval.newest) ? [] : [interval.newest])
    }
  }

  private static let fallbackOffsets = [0, 1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19_683]

  /// The ids of items near one above which a pull was to ask for a page.
  ///
  /// - Parameters:
  ///   - anchor: The server's id of that item.
  ///   - pull: The pull.
  /// - Returns: Ids below the item first, then above. Empty if no interval contains the item.
  /// - Throws: `StorageError` if the library cannot be read.
  public func fallbackAnchors(near anchor: String, of pull: Pull) throws(StorageError) -> [String] {
    try read { db in
      let item = try db.row(
        "SELECT coverage, place FROM feed_post WHERE feed = $1 AND remote_id = $2", [pull.feedID, anchor]
      ) { (interval: try $0["coverage"] as Int64?, position: try $0["place"] as Int64?) }
      guard let interval = item?.interval, let position = item?.position else { return [] }
      return try [("<", "DESC", 0), ("<", "DESC", 4), (">", "ASC", 0), ("<", "DESC", 20)].compactMap {
        (side, order, offset) in
        try db.value(
          """
          SELECT remote_id FROM feed_post WHERE coverage = $1 AND place \(side) $2
          ORDER BY place \(order), created_at \(order) LIMIT 1 OFFSET $3
          """,
          [interval, position, offset]
        )
      }
    }
  }

  /// Whether the server seems to show its newest items instead of the page below what a pull has read.
  ///
  /// Judged by dates: no interval contains any of the items, and all are newer than the topmost items of the pull's
  /// interval. Dates raise a suspicion, and prove nothing.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func looksNewer(_ page: Page, than pull: Pull) throws(StorageError) -> Bool {
    let items = page.items.filter { !$0.pinned }
    let dates = items.compactMap { $0.repetition?.at ?? $0.post?.createdAt }.map(UTC.text)
    guard pull.continues, items.count > 1, let oldest = dates.min() else { return false }
    return try read { db in
      guard let interval = try PullCheckpoint.read(pull, in: db).interval else { return false }
      let newest: String? = try db.value(
        """
        SELECT max(moment) FROM (SELECT coalesce(repeated_at, created_at) AS moment FROM feed_post WHERE coverage = $1
          ORDER BY place DESC LIMIT 100) AS newest
        """,
        [interval.id]
      )
      guard let newest, oldest > newest else { return false }
      return try items.compactMap(\.feedID).allSatisfy { id in
        try !db.hasRow(
          "SELECT 1 FROM feed_post WHERE feed = $1 AND remote_id = $2 AND coverage IS NOT NULL", [pull.feedID, id])
      }
    }
  }

  /// The intervals above the one that contains an item.
  ///
  /// - Parameters:
  ///   - id: The server's id of the item.
  ///   - feed: The feed.
  /// - Returns: The lowest interval first. Empty if no interval contains the item.
  /// - Throws: `StorageError` if the library cannot be read.
  public func intervals(above id: String, of feed: Feed) throws(StorageError) -> [FeedInterval] {
    try read { db in
      let item =
        "(SELECT p.coverage FROM feed f JOIN feed_post p ON p.feed = f.id WHERE f.name = $1 AND p.remote_id = $2)"
      return try CoverageInterval.all(
        "feed = (SELECT id FROM feed WHERE name = $1) AND id > \(item) AND heir_place IS NULL ORDER BY id",
        [feed.name, id], in: db
      ).map { FeedInterval(id: $0.id, ids: try $0.samples(in: db)) }
    }
  }

  /// Whether an interval contains one of these items.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func holds(anyOf ids: [String], in interval: FeedInterval) throws(StorageError) -> Bool {
    try read { db in
      guard let interval = try CoverageInterval.read(interval.id, in: db) else { return false }
      return try ids.contains { try interval.position(of: $0, in: db) != nil }
    }
  }

  /// Whether the interval of a pull contains one of these items.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func holds(anyOf ids: [String], in pull: Pull) throws(StorageError) -> Bool {
    try read { db in
      guard let interval = try PullCheckpoint.read(pull, in: db).interval else { return false }
      return try ids.contains { try interval.position(of: $0, in: db) != nil }
    }
  }
}

/// A coverage interval of a feed.
public struct FeedInterval: Sendable {
  /// The interval's number in its store.
  package let id: Int64
  /// The server's ids of a few of its items: the newest first, then lower ones.
  public let ids: [String]
}

extension CoverageInterval {
  /// The ids of a few of its items: the newest first, then lower ones.
  func samples(in db: Database) throws -> [String] {
    var ids = [newest]
    for offset in [1, 4, 20] {
      let id: String? = try db.value(
        "SELECT remote_id FROM feed_post WHERE coverage = $1 ORDER BY place DESC, created_at DESC LIMIT 1 OFFSET $2",
        [self.id, offset]
      )
      if let id { ids.append(id) }
    }
    return ids.contains(oldest) ? ids : ids + [oldest]
  }

  /// The position of an item in the interval. Nil if the interval does not contain it.
  func position(of id: String, in db: Database) throws -> Int64? {
    try db.value(
      "SELECT place FROM feed_post WHERE feed = $1 AND remote_id = $2 AND coverage = $3", [feed, id, self.id])
  }
}
