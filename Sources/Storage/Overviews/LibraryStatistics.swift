import FoundationEssentials
import Machine
import Posts

/// Which statistics to read.
public struct StatisticsQuery: Sendable, Hashable {
  /// Counts posts written in this time range, its end excluded; nil for all posts.
  public var within: DateInterval?
  /// The length of the periods in which posts are counted; nil to choose it by the time that they span.
  public var length: PeriodLength?
  /// The zone of days, weeks and months.
  public var zone: TimeZone
  /// Maximum number of tags and of authors.
  public var limit: Int

  /// Creates a query of a time, or of the whole library.
  public init(within: DateInterval? = nil, length: PeriodLength? = nil, zone: TimeZone, limit: Int = 20) {
    (self.within, self.length, self.zone, self.limit) = (within, length, zone, limit)
  }
}

/// Numbers for pictures of a library, read from one snapshot. Deleted posts are left out.
public struct LibraryStatistics: Sendable, Equatable {
  /// The posts of a period.
  public struct Posts: Sendable, Equatable {
    /// The period, its end excluded.
    public let period: DateInterval
    /// The number of posts of each source that has any.
    public let counts: [SourceName: Int]
  }

  /// What was stored in a month.
  public struct Growth: Sendable, Equatable {
    /// The month, its end excluded.
    public let month: DateInterval
    /// The number of pictures and files, avatars included, that are still there.
    public let blobs: Int
    /// Their bytes.
    public let bytes: Int
  }

  /// The length of the periods.
  public let length: PeriodLength
  /// The periods with posts, newest first.
  public let posts: [Posts]
  /// The tags with the most posts of all times, most first.
  public let tags: [TagCount]
  /// The authors with the most posts of all times, most first.
  public let authors: [AuthorCount]
  /// The months in which something was stored, newest first.
  public let growth: [Growth]
}

extension Store {
  /// Numbers for pictures of the whole library. The cost grows with the library.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func statistics(_ query: StatisticsQuery) throws(StorageError) -> LibraryStatistics {
    try read { db in
      let reader = StatisticsReader(query: query, db: db)
      let length = try query.length ?? reader.fittingLength()
      return LibraryStatistics(
        length: length,
        posts: try reader.posts(by: Periods(of: length, in: query.zone)),
        tags: try db.tagCounts(.tags, query.limit),
        authors: try db.authorCounts(.authors, query.limit),
        growth: try reader.growth()
      )
    }
  }
}

private struct StatisticsReader {
  let query: StatisticsQuery
  let db: Database

  private static let day = 86_400.0

  /// Some hundred periods at most, unless the posts span more than ten years.
  func fittingLength() throws -> PeriodLength {
    guard let span = try query.within?.duration ?? storedSpan() else { return .day }
    return span <= 100 * Self.day ? .day : span <= 750 * Self.day ? .week : .month
  }

  private func storedSpan() throws -> TimeInterval? {
    let ends = try ["min", "max"].map { try db.value("SELECT \($0)(created_at) FROM post") as String? }
    guard let first = ends[0].flatMap(UTC.date), let last = ends[1].flatMap(UTC.date) else { return nil }
    return last.timeIntervalSince(first)
  }

  func posts(by periods: Periods) throws -> [LibraryStatistics.Posts] {
    guard let predicate = try PostPredicate(PostListQuery(within: query.within), in: db) else { return [] }
    let totals = try PeriodCounts(periods: periods).counts(of: predicate, in: db)
    var sources = try sources()
    // An index has all posts in order of time, none those of a source. So the others of the largest are counted.
    guard let largest = sources.popLast() else { return [] }
    var others: [DateInterval: [SourceName: Int]] = [:]
    for source in sources {
      for sum in try sums(of: source, predicate, by: periods) { others[sum.period, default: [:]][source] = sum.count }
    }
    return totals.map { total in
      var counts = others[total.period] ?? [:]
      let rest = total.posts - counts.values.reduce(0, +)
      if rest > 0 { counts[largest] = rest }
      return LibraryStatistics.Posts(period: total.period, counts: counts)
    }
  }

  /// The sources of posts, the one with the most posts last.
  private func sources() throws -> [SourceName] {
    var names: [String] = []
    while let name: String = try db.value("SELECT min(source) FROM post WHERE source > $1", [names.last ?? ""]) {
      names.append(name)
    }
    guard names.count > 1 else { return names.map { SourceName(rawValue: $0) } }
    let counts: [Int] = try names.map { try db.value("SELECT count(*) FROM post WHERE source = $1", [$0]) ?? 0 }
    return zip(names, counts).sorted { $0.1 < $1.1 }.map { SourceName(rawValue: $0.0) }
  }

  private func sums(
    of source: SourceName, _ predicate: PostPredicate, by periods: Periods
  ) throws -> [PeriodSums.Sum] {
    var sums = PeriodSums(by: periods)
    // The plus keeps SQLite from the index of dates, which does not know the source.
    let others = predicate.conditions(on: .library, id: "p.id", time: "\(db.unindexed)p.created_at", in: db)
    let all = ["p.source = \(bind: source.rawValue)"] + others
    try db.rows("SELECT p.created_at FROM post p WHERE \(all.joined(by: " AND "))" as Clause) {
      sums.add(try $0["created_at"])
    }
    return sums.newestFirst
  }

  func growth() throws -> [LibraryStatistics.Growth] {
    var sums = PeriodSums(by: Periods(of: .month, in: query.zone))
    try db.rows("SELECT kind, ref, posts FROM total WHERE kind IN ('blobs', 'bytes')") { row in
      let (isCount, sum): (Bool, Int) = try (row["kind"] == "blobs", row["posts"])
      sums.add(Self.moment(in: try row["ref"]), count: isCount ? sum : 0, amount: isCount ? 0 : sum)
    }
    return sums.newestFirst.filter { $0.count > 0 }.map {
      LibraryStatistics.Growth(month: $0.period, blobs: $0.count, bytes: $0.amount)
    }
  }

  /// A moment in a quarter of an hour, by its number: 20261126183 is the last quarter of the hour from 18:00.
  private static func moment(in quarter: Int) -> String {
    let digits = String(quarter)
    let day = "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.dropFirst(6).prefix(2))"
    return "\(day)T\(digits.dropFirst(8).prefix(2)):\(10 + 15 * (quarter % 10)):00.000Z"
  }
}
