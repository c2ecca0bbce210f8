import FoundationEssentials

/// What of a list stands in a time range of a calendar: the posts of the range, and earlier ones that end after its start.
public struct PostOverlap: Sendable, Equatable {
  /// The number of all of them.
  public var count: ListTotal
  /// The number of those that begin before the range. A sum over several ranges counts these again in each.
  public var continuedCount: Int
  /// The newest posts of the range, newest first, at most as many as requested.
  public var begun: [StoredPost]
  /// The posts that begin before the range and end after its start, earliest first, at most as many as requested.
  public var continued: [StoredPost]

  /// Creates the result of a range: posts that begin in it, and posts that go on from before.
  public init(count: ListTotal, continuedCount: Int, begun: [StoredPost], continued: [StoredPost]) {
    (self.count, self.continuedCount, self.begun, self.continued) = (count, continuedCount, begun, continued)
  }
}

extension Store {
  /// What of a list stands in each of these time ranges of a calendar: its posts, and those that begin before it and end
  /// after its start. All of it is read from one snapshot.
  ///
  /// The cost is that of `timeRanges`, and grows with the posts that have an end after the first start, by some tens of
  /// nanoseconds each. They are few in a library of many posts.
  ///
  /// - Parameters:
  ///   - list: The list; its grouping does not matter.
  ///   - intervals: The time ranges, their ends excluded.
  ///   - limit: The maximum number of posts of each kind to read for each range.
  /// - Returns: One result for each range, in the same order.
  /// - Throws: `StorageError` if the library cannot be read.
  public func overlaps(
    of list: PostListQuery, within intervals: [DateInterval], atMost limit: Int = 0
  ) throws(StorageError) -> [PostOverlap] {
    try read { db in
      let plan = try PostPlan(byTime: list, in: db)
      let order = try plan.order(isFollowed: false, in: db)
      let ranges = intervals.map(TimeRange.init)
      let begun = try ranges.map { try RangeKeys($0, of: order, atMost: limit, in: db) }
      let spans = try plan.predicate.map { try PostSpans(of: $0, over: ranges, in: db) } ?? PostSpans()
      let continued = ranges.map(spans.continued)
      let shown = continued.map { $0.prefix(limit).map(\.id) }
      let posts = try PostReader(db: db).postsByNumber(begun.flatMap(\.ids) + shown.joined())
      return ranges.indices.map { index in
        PostOverlap(
          count: begun[index].count + spans.total(continued[index].count), continuedCount: continued[index].count,
          begun: begun[index].ids.compactMap { posts[$0] }, continued: shown[index].compactMap { posts[$0] })
      }
    }
  }
}

extension ListTotal {
  /// A sum that may be a lower bound.
  fileprivate static func + (one: ListTotal, other: ListTotal) -> ListTotal {
    switch (one, other) {
    case (.exactly(let one), .exactly(let other)): .exactly(one + other)
    case (.exactly(let one), .moreThan(let other)), (.moreThan(let one), .exactly(let other)),
      (.moreThan(let one), .moreThan(let other)):
      .moreThan(one + other)
    }
  }
}

/// The posts of a list that end after one of several moments and begin before it. Few posts have an end, and an index has
/// only these, so their number does not depend on the size of the library.
struct PostSpans {
  /// A post with an end.
  struct Span {
    let id: Int64
    let start: String
    let end: String
  }

  /// Earliest first.
  private var spans: [Span] = []
  /// Whether there are more than were read.
  private var isCutShort = false

  /// None.
  init() {}

  /// The posts that cross the start of a range.
  init(of predicate: PostPredicate, over ranges: [TimeRange], in db: Database) throws {
    let starts = ranges.map(\.start)
    guard let first = starts.min(), let last = starts.max() else { return }
    let clause = Self.statement(endingAfter: first, beginningBefore: last, in: db)
    let found = try db.rows(clause) { Span(id: try $0["id"], start: try $0["created_at"], end: try $0["ends_at"]) }
    isCutShort = found.count == Bound.matches
    let crossing = found.filter { span in starts.contains { span.start < $0 && $0 < span.end } }
    guard !crossing.isEmpty else { return }
    let listed = PostSelection(source: .numbered(Set(crossing.map(\.id))), predicate: predicate)
    let members = Set(try listed.keys(limit: -1, in: db).map(\.id))
    spans = crossing.filter { members.contains($0.id) }.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
  }

  /// Selects the posts that end after one moment and begin before another, from the index of posts with an end.
  static func statement(endingAfter first: String, beginningBefore last: String, in db: Database) -> Clause {
    """
    SELECT id, created_at, ends_at FROM post \(db.index("post_ends"))
    WHERE ends_at > \(bind: first) AND created_at < \(bind: last) LIMIT \(bind: Bound.matches)
    """
  }

  /// The posts that begin before a range and end after its start, earliest first.
  func continued(into range: TimeRange) -> [Span] { spans.filter { $0.start < range.start && range.start < $0.end } }

  /// A number of them as a total.
  func total(_ count: Int) -> ListTotal { isCutShort ? .moreThan(count) : .exactly(count) }
}
