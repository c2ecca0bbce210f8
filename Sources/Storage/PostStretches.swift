import Foundation
import Posts

/// What of a list falls into a stretch of time.
public struct PostStretch: Sendable, Equatable {
  /// How many posts.
  public var count: ListTotal
  /// The newest of them, newest first; no more than were asked for.
  public var posts: [StoredPost]
}

extension Store {
  /// What of a list falls into each of these stretches of time, their ends not included: how many posts, and the newest
  /// of each, at most `limit`. All of it is read at one moment; the list's grouping does not matter.
  ///
  /// The cost grows with what falls into the stretches, up to some ten thousand posts of each, not with the library; that
  /// of a search also with what it finds.
  public func stretches(
    of list: PostListQuery,
    within intervals: [DateInterval],
    atMost limit: Int = 0
  ) throws(StorageError) -> [PostStretch] {
    var flat = list
    flat.grouping = .none
    return try read { db in
      let order = try PostPlan(flat, in: db).order(in: db)
      return try intervals.map { try stretch(Stint($0), of: order, atMost: limit, in: db) }
    }
  }

  private func stretch(
    _ stint: Stint,
    of order: any PostOrder,
    atMost limit: Int,
    in db: Database
  ) throws -> PostStretch {
    let count = try order.count(within: stint, in: db)
    guard limit > 0, count != .exactly(0) else { return PostStretch(count: count, posts: []) }
    // No post has so low a number: this is the place right above the stretch's newest.
    let top = PostKey(createdAt: stint.end, id: .min)
    let course = PostSelection.Course(start: top, range: stint)
    let keys = try order.keys(course, limit: limit, in: db).prefix { stint.contains($0.createdAt) }
    return PostStretch(count: count, posts: try PostReader(db: db).posts(keys.map(\.id)))
  }

  /// The key of a list's last row; nil where it has none. It is read from the list's end: how long the list is does not
  /// matter, but for a search.
  public func lastKey(of list: PostListQuery) throws(StorageError) -> PostKey? {
    try read { db in
      let backward = PostSelection.Course(goesOn: false)
      return try PostPlan(list, in: db).keys(backward, limit: 1, in: db).first
    }
  }
}
