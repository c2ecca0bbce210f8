import Posts

// Where a pull can continue if the server no longer knows the post at its position.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func fallbackIDs(of pull: Pull) throws(StorageError) -> [String] {
    try read { db in
      let standing = try PullCheckpoint.read(pull, in: db)
      guard let interval = standing.interval else { return [] }
      let position = min(standing.position, try interval.top(in: db)?.position ?? standing.position)
      var ids: [String] = []
      for offset in Self.fallbackOffsets {
        let id: String? = try db.value(
          """
          SELECT remote_id FROM feed_post WHERE coverage = ? AND place >= ? ORDER BY place, created_at LIMIT 1 OFFSET ?
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

  public func fallbackAnchors(near anchor: String, of pull: Pull) throws(StorageError) -> [String] {
    try read { db in
      let item = try db.row(
        "SELECT coverage, place FROM feed_post WHERE feed = ? AND remote_id = ?", [pull.feedID, anchor]
      ) { (interval: try $0["coverage"] as Int64?, position: try $0["place"] as Int64?) }
      guard let interval = item?.interval, let position = item?.position else { return [] }
      return try [("<", "DESC", 0), ("<", "DESC", 4), (">", "ASC", 0), ("<", "DESC", 20)].compactMap {
        (side, order, offset) in
        try db.value(
          """
          SELECT remote_id FROM feed_post WHERE coverage = ? AND place \(side) ?
          ORDER BY place \(order), created_at \(order) LIMIT 1 OFFSET ?
          """,
          [interval, position, offset]
        )
      }
    }
  }

  public func looksNewer(_ page: Page, than pull: Pull) throws(StorageError) -> Bool {
    let items = page.items.filter { !$0.pinned }
    let dates = items.compactMap { $0.repetition?.at ?? $0.post?.createdAt }.map(UTC.text)
    guard pull.continues, items.count > 1, let oldest = dates.min() else { return false }
    return try read { db in
      guard let interval = try PullCheckpoint.read(pull, in: db).interval else { return false }
      let newest: String? = try db.value(
        """
        SELECT max(moment) FROM (SELECT coalesce(repeated_at, created_at) AS moment FROM feed_post WHERE coverage = ?
          ORDER BY place DESC LIMIT 100)
        """,
        [interval.id]
      )
      guard let newest, oldest > newest else { return false }
      return try items.compactMap(\.feedID).allSatisfy { id in
        try !db.hasRow(
          "SELECT 1 FROM feed_post WHERE feed = ? AND remote_id = ? AND coverage IS NOT NULL", [pull.feedID, id])
      }
    }
  }

  public func intervals(above id: String, of feed: Feed) throws(StorageError) -> [FeedInterval] {
    try read { db in
      let ids: [Int64] = try db.values(
        """
        SELECT c.id FROM feed f
          JOIN feed_post p ON p.feed = f.id AND p.remote_id = ?
          JOIN coverage c ON c.feed = f.id AND c.id > p.coverage AND c.heir_place IS NULL
        WHERE f.name = ? ORDER BY c.id
        """,
        [id, feed.name]
      )
      return try ids.compactMap { id in
        try CoverageInterval.read(id, in: db).map { FeedInterval(id: $0.id, ids: try $0.samples(in: db)) }
      }
    }
  }

  public func holds(anyOf ids: [String], in interval: FeedInterval) throws(StorageError) -> Bool {
    try read { db in
      guard let interval = try CoverageInterval.read(interval.id, in: db) else { return false }
      let feed: Int64 = try db.value("SELECT feed FROM coverage WHERE id = ?", [interval.id]) ?? 0
      return try ids.contains { try interval.position(of: $0, feed: feed, in: db) != nil }
    }
  }

  public func holds(anyOf ids: [String], in pull: Pull) throws(StorageError) -> Bool {
    try read { db in
      guard let interval = try PullCheckpoint.read(pull, in: db).interval else { return false }
      return try ids.contains { try interval.position(of: $0, feed: pull.feedID, in: db) != nil }
    }
  }
}

/// A coverage interval of a feed.
public struct FeedInterval: Sendable {
  /// The interval's number in its store.
  package let id: Int64
  /// The server's ids of a few of its items: the newest first, then lower ones.
  public let ids: [String]

  /// An interval from its parts.
  package init(id: Int64, ids: [String]) {
    (self.id, self.ids) = (id, ids)
  }
}

extension CoverageInterval {
  /// The ids of a few of its items: the newest first, then lower ones.
  func samples(in db: Database) throws -> [String] {
    var ids = [newest]
    for offset in [1, 4, 20] {
      let id: String? = try db.value(
        "SELECT remote_id FROM feed_post WHERE coverage = ? ORDER BY place DESC, created_at DESC LIMIT 1 OFFSET ?",
        [self.id, offset]
      )
      if let id { ids.append(id) }
    }
    return ids.contains(oldest) ? ids : ids + [oldest]
  }

  /// The position of an item in the interval. Nil if the interval does not contain it.
  func position(of id: String, feed: Int64, in db: Database) throws -> Int64? {
    try db.value(
      "SELECT place FROM feed_post WHERE feed = ? AND remote_id = ? AND coverage = ?", [feed, id, self.id])
  }
}
