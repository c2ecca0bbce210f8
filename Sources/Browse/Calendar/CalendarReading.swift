import FoundationEssentials
import MediaLibrary

/// A calendar's request for posts of the list.
public struct CalendarRequest: Sendable, Equatable {
  /// Time ranges; their upper bounds are excluded.
  public var intervals: [DateInterval]
  /// How many posts of each range to return; 0 returns only counts.
  public var rows: Int

  /// Creates a request.
  public init(_ intervals: [DateInterval], rows: Int = 0) { (self.intervals, self.rows) = (intervals, rows) }
}

/// The posts of a list in a time range.
public struct CalendarReading: Sendable, Equatable {
  /// The time range.
  public var interval: DateInterval
  /// The number of posts.
  public var count: Total
  /// The newest posts, newest first.
  public var rows: [ListRow]

  /// Creates a reading.
  public init(_ interval: DateInterval, count: Total, rows: [ListRow] = []) {
    (self.interval, self.count, self.rows) = (interval, count, rows)
  }

  /// The reading of a store.
  public init(_ interval: DateInterval, _ posts: PostTimeRange) {
    self.init(interval, count: Total(posts.count), rows: posts.posts.map { ListRow($0) })
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
