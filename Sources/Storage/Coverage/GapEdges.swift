import Coverage
import Posts

/// A gap between two coverage intervals of a feed, and the posts at its edges.
public struct InnerGap: Sendable, Hashable {
  /// Identifies the gap while it is filled from either side.
  public struct ID: Sendable, Hashable {
    /// The interval above.
    public let upper: Int64
    /// The interval below.
    public let lower: Int64

    /// Creates an id.
    public init(upper: Int64, lower: Int64) { (self.upper, self.lower) = (upper, lower) }
  }

  /// The gap's identity.
  public let id: ID
  /// The gap.
  public let gap: Gap
  /// The number of the last post above it. Nil if that post is gone.
  public let postAbove: Int64?
  /// The number of the first post below it. Nil if that post is gone.
  public let postBelow: Int64?
}

extension Store {
  /// The gaps between a feed's coverage intervals, newest first.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - isRunning: Whether a pull of a feed is running. What it has yet to read is not missing.
  /// - Returns: The gaps, and whether an unfinished pull left something missing below everything known.
  /// - Throws: `StorageError` if the library cannot be read.
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
        return InnerGap(id: ends, gap: gap, postAbove: try post(gap.above), postBelow: try post(gap.below))
      }
    }
    return (inner, all.contains { $0.kind == .unfinished && $0.above != nil && $0.below == nil })
  }

  /// Finds the post at an edge by the feed and its ids: a scan of an interval takes time in proportion to its length.
  static let edgeQuery = """
    SELECT post FROM feed_post
    WHERE feed = (SELECT feed FROM coverage WHERE id = $1) AND remote_id = $2 AND coverage IS NOT NULL
    """
}

extension Store {
  /// Whether posts are still missing between the two intervals of a gap.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func isOpen(_ gap: Gap) throws(StorageError) -> Bool {
    try read { db in
      guard let ends = gap.ends, let upper = try CoverageInterval.read(ends.upper, in: db)?.root(in: db) else {
        return false
      }
      let next: Int64? = try db.value(
        "SELECT max(id) FROM coverage WHERE feed = $1 AND id < $2 AND heir IS NULL", [upper.feed, upper.id])
      return next == ends.lower
    }
  }
}
