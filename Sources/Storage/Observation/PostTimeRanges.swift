import FoundationEssentials
import Posts

/// The part of a list in a time range.
public struct PostTimeRange: Sendable, Equatable {
  /// The number of posts.
  public var count: ListTotal
  /// The newest of them, newest first, at most as many as requested.
  public var posts: [StoredPost]

  /// Creates the result of a range: its posts, or the first of them, and how many there are.
  public init(count: ListTotal, posts: [StoredPost]) {
    (self.count, self.posts) = (count, posts)
  }
}

extension Store {
  /// The part of a list in each of these time ranges. All of it is read from one snapshot.
  ///
  /// The cost grows with the posts in the ranges, up to some ten thousand each, not with the library. That of a search
  /// also grows with its results.
  ///
  /// - Parameters:
  ///   - list: The list; its grouping does not matter.
  ///   - intervals: The time ranges, their ends excluded.
  ///   - limit: The maximum number of posts to read for each range.
  /// - Returns: One result for each range, in the same order.
  public func timeRanges(
    of list: PostListQuery,
    within intervals: [DateInterval],
    atMost limit: Int = 0
  ) throws(StorageError) -> [PostTimeRange] {
    try read { db in
      let order = try PostPlan(byTime: list, in: db).order(isFollowed: false, in: db)
      let keys = try intervals.map { try RangeKeys(TimeRange($0), of: order, atMost: limit, in: db) }
      let posts = try PostReader(db: db).postsByNumber(keys.flatMap(\.ids))
      return keys.map { PostTimeRange(count: $0.count, posts: $0.ids.compactMap { posts[$0] }) }
    }
  }

  /// The key of a list's last row; nil if it is empty. It reads from the list's end: the cost does not grow with the
  /// list, except for a search.
  public func lastKey(of list: PostListQuery) throws(StorageError) -> PostKey? {
    try read { db in
      let backward = PostSelection.ScanRange(continues: false)
      return try PostPlan(list, in: db).keys(backward, limit: 1, in: db).first
    }
  }
}

/// The number of posts that a list has in a time range, and the numbers of the newest.
struct RangeKeys {
  let count: ListTotal
  /// Newest first.
  let ids: [Int64]

  init(_ timeRange: TimeRange, of order: any PostOrder, atMost limit: Int, in db: Database) throws {
    count = try order.count(within: timeRange, in: db)
    guard limit > 0, count != .exactly(0) else {
      ids = []
      return
    }
    // No post has this number: the key sorts directly before the range's newest post.
    let top = PostKey(createdAt: timeRange.end, id: .min)
    let course = PostSelection.ScanRange(start: top, range: timeRange)
    ids = try order.keys(course, limit: limit, in: db).prefix { timeRange.contains($0.createdAt) }.map(\.id)
  }
}

extension PostReader {
  /// Posts by their numbers. Numbers without a post are left out.
  func postsByNumber(_ ids: some Sequence<Int64>) throws -> [Int64: StoredPost] {
    Dictionary(try posts(Array(Set(ids))).map { ($0.id, $0) }) { first, _ in first }
  }
}
