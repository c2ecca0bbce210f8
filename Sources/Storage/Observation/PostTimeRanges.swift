import FoundationEssentials
import Posts
import SQLite

/// The part of a list in a time range.
public struct PostTimeRange: Sendable, Equatable {
  /// The number of posts.
  public var count: ListTotal
  /// The newest of them, newest first, at most as many as requested.
  public var posts: [StoredPost]

  /// A result from its parts.
  public init(count: ListTotal, posts: [StoredPost]) {
    (self.count, self.posts) = (count, posts)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func timeRanges(
    of list: PostListQuery,
    within intervals: [DateInterval],
    atMost limit: Int = 0
  ) throws(StorageError) -> [PostTimeRange] {
    var flat = list
    flat.grouping = .none
    return try read { db in
      let order = try PostPlan(flat, in: db).order(in: db)
      return try intervals.map { try timeRange(TimeRange($0), of: order, atMost: limit, in: db) }
    }
  }

  private func timeRange(
    _ timeRange: TimeRange,
    of order: any PostOrder,
    atMost limit: Int,
    in db: Database
  ) throws -> PostTimeRange {
    let count = try order.count(within: timeRange, in: db)
    guard limit > 0, count != .exactly(0) else { return PostTimeRange(count: count, posts: []) }
    // No post has this number: the key sorts directly before the range's newest post.
    let top = PostKey(createdAt: timeRange.end, id: .min)
    let course = PostSelection.ScanRange(start: top, range: timeRange)
    let keys = try order.keys(course, limit: limit, in: db).prefix { timeRange.contains($0.createdAt) }
    return PostTimeRange(count: count, posts: try PostReader(db: db).posts(keys.map(\.id)))
  }

  public func lastKey(of list: PostListQuery) throws(StorageError) -> PostKey? {
    try read { db in
      let backward = PostSelection.ScanRange(continues: false)
      return try PostPlan(list, in: db).keys(backward, limit: 1, in: db).first
    }
  }
}
