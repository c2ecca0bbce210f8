import FoundationEssentials
import MediaLibrary

/// A calendar's request for posts of the list.
public struct CalendarRequest: Sendable, Equatable {
  /// The days of a month, of which only the posts are counted; empty if they are known.
  public var days: [DateInterval]
  /// The hours of a day.
  public var hours: [DateInterval]
  /// The maximum number of posts to return for each hour.
  public var rows: Int
}

/// The answer to a request.
public struct CalendarAnswer: Sendable, Equatable {
  /// The requested days.
  public var days: [CalendarReading]
  /// The requested hours.
  public var hours: [CalendarReading]

  /// Creates an answer.
  public init(days: [CalendarReading], hours: [CalendarReading]) { (self.days, self.hours) = (days, hours) }
}

/// The posts of a list that stand in a time range.
public struct CalendarReading: Sendable, Equatable {
  /// The time range; its upper bound is excluded.
  public var interval: DateInterval
  /// The number of posts.
  public var count: Total
  /// The number of those that begin before it.
  public var continuedCount: Int
  /// The newest posts that begin in it, newest first.
  public var rows: [ListRow]
  /// The entries that begin before it and end after its start, earliest first.
  public var continued: [ListRow]

  /// Creates a reading.
  public init(
    _ interval: DateInterval, count: Total, continuedCount: Int = 0, rows: [ListRow] = [], continued: [ListRow] = []
  ) {
    (self.interval, self.count, self.continuedCount) = (interval, count, continuedCount)
    (self.rows, self.continued) = (rows, continued)
  }

  /// The reading of a store.
  public init(_ interval: DateInterval, _ posts: PostOverlap) {
    self.init(
      interval, count: Total(posts.count), continuedCount: posts.continuedCount, rows: posts.begun.map { ListRow($0) },
      continued: posts.continued.map { ListRow($0) })
  }
}

extension Sequence<CalendarReading> {
  /// The number of posts of ranges that follow each other. What reaches into several of them counts once.
  var total: Total {
    var (sum, isFirst) = (Total.exactly(0), true)
    for reading in self {
      let known = reading.count.known - (isFirst ? 0 : reading.continuedCount)
      let count = if case .moreThan = reading.count { Total.moreThan(known) } else { Total.exactly(known) }
      (sum, isFirst) = (sum + count, false)
    }
    return sum
  }
}

extension Total {
  /// A count that may be a lower bound.
  static func + (one: Total, other: Total) -> Total {
    switch (one, other) {
    case (.exactly(let one), .exactly(let other)): .exactly(one + other)
    default: .moreThan(one.known + other.known)
    }
  }

  /// The number counted.
  var known: Int {
    switch self {
    case .exactly(let count), .moreThan(let count): count
    }
  }

  /// `128`, `1.2k`, `10k+`.
  var brief: String {
    let number =
      known < 1000 ? "\(known)" : known < 10_000 ? "\(known / 1000).\(known % 1000 / 100)k" : "\(known / 1000)k"
    if case .moreThan = self { return "\(number)+" }
    return number
  }
}
