import FoundationEssentials
import MediaLibrary
import Posts
import Storage

/// The months of a list, which the scrubber maps positions to.
enum Months {
  /// A month with posts.
  struct Count: Sendable, Equatable {
    /// `2026-11`.
    let name: String
    /// Its first moment and the first moment of the next month.
    let interval: DateInterval
    let count: Int
  }

  /// The maximum number of months that are counted, from the newest on.
  private static let limit = 1200

  /// The months with posts, newest first.
  static func counts(of list: PostListQuery, in library: Library) throws -> [Count] {
    guard let newest = try library.snapshot(of: list, window: Window(after: 1)).rows.first?.post.createdAt,
      let last = try library.store.lastKey(of: list), let oldest = UTC.date(String(last.description.prefix(24)))
    else { return [] }
    let calendar = ZoneCalendar()
    var intervals = [calendar.month(of: newest)]
    while let month = intervals.last, month.start > oldest, intervals.count < limit {
      intervals.append(calendar.month(of: month.start.addingTimeInterval(-1)))
    }
    let readings = try library.store.timeRanges(of: list, within: intervals, atMost: 0)
    return zip(intervals, readings).compactMap { interval, reading in
      let count =
        switch reading.count {
        case .exactly(let count), .moreThan(let count): count
        }
      let parts = calendar.reading(of: interval.start)
      let month = "\(parts.year)-\(parts.month < 10 ? "0" : "")\(parts.month)"
      return count > 0 ? Count(name: month, interval: interval, count: count) : nil
    }
  }
}

/// The months of a list as JSON: parallel arrays, newest first.
struct MonthsAnswer: Encodable, Sendable {
  /// `2026-11`.
  let month: [String]
  /// When they begin, in seconds since 1970.
  let start: [Int]
  /// When the next months begin.
  let end: [Int]
  let count: [Int]

  init(_ months: [Months.Count]) {
    month = months.map(\.name)
    start = months.map { Int($0.interval.start.timeIntervalSince1970) }
    end = months.map { Int($0.interval.end.timeIntervalSince1970) }
    count = months.map(\.count)
  }
}
