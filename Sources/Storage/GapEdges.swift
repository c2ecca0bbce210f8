import Posts

/// What is missing between two stretches of a feed, and the posts that stand at its edges.
public struct InnerGap: Sendable, Hashable {
  /// What makes it the same one while it is being filled, from whichever side.
  public struct ID: Sendable, Hashable {
    /// The stretch above.
    public let upper: Int64
    /// The stretch below.
    public let lower: Int64

    /// An id from its parts.
    public init(upper: Int64, lower: Int64) { (self.upper, self.lower) = (upper, lower) }
  }

  /// Which one it is.
  public let id: ID
  /// What is missing.
  public let gap: Gap
  /// The number of the last post above it; nil where that is gone.
  public let postAbove: Int64?
  /// The number of the first post below it; nil where that is gone.
  public let postBelow: Int64?
}

extension Store {
  /// What is known to be missing of a feed between what is there, the newest first, and whether something that a pull
  /// was to read is missing below all that is known. `isRunning` as for `gaps`.
  public func innerGaps(
    of feed: Feed,
    isRunning: (Feed) -> Bool = { _ in false }
  ) throws(StorageError) -> (gaps: [InnerGap], isCutShort: Bool) {
    let all = try gaps(of: feed, isRunning: isRunning)
    let inner = try read { db in
      try all.compactMap { gap -> InnerGap? in
        guard let ends = gap.ends else { return nil }
        let post = { (remote: String?) -> Int64? in
          try db.value(Self.edgeQuery, [ends.upper, remote])
        }
        return InnerGap(
          id: InnerGap.ID(upper: ends.upper, lower: ends.lower),
          gap: gap,
          postAbove: try post(gap.above),
          postBelow: try post(gap.below)
        )
      }
    }
    return (inner, all.contains { $0.kind == .unfinished && $0.above != nil && $0.below == nil })
  }

  /// The post at an edge of two stretches, by the feed and its ids: to look through a stretch takes as long as it is.
  static let edgeQuery = """
    SELECT post FROM feed_post
    WHERE feed = (SELECT feed FROM coverage WHERE id = ?1) AND remote_id = ?2 AND coverage IS NOT NULL
    """
}

extension Store {
  /// Whether something is missing still between the stretches that a gap was found between.
  public func isOpen(_ gap: Gap) throws(StorageError) -> Bool {
    try read { db in
      guard let ends = gap.ends, let upper = try Stretch.read(ends.upper, in: db)?.root(in: db) else {
        return false
      }
      let next: Int64? = try db.value(
        """
        SELECT max(id) FROM coverage WHERE feed = (SELECT feed FROM coverage WHERE id = ?1) AND id < ?1 AND heir IS NULL
        """,
        [upper.id]
      )
      return next == ends.lower
    }
  }
}
