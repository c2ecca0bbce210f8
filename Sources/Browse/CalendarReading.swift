import Foundation
import MediaLibrary

/// What a calendar asks of the list.
public struct CalendarAsk: Sendable, Equatable {
  /// Stretches of time, their ends not included.
  public var intervals: [DateInterval]
  /// How many posts of each are wanted; without any, their numbers alone.
  public var rows: Int

  /// An ask from its parts.
  public init(_ intervals: [DateInterval], rows: Int = 0) { (self.intervals, self.rows) = (intervals, rows) }
}

/// What of the list falls into a stretch of time.
public struct CalendarReading: Sendable, Equatable {
  /// The stretch.
  public var interval: DateInterval
  /// How many posts.
  public var count: Total
  /// The newest of them, newest first.
  public var rows: [ListRow]

  /// A reading from its parts.
  public init(_ interval: DateInterval, count: Total, rows: [ListRow] = []) {
    (self.interval, self.count, self.rows) = (interval, count, rows)
  }

  /// What a store holds.
  public init(_ interval: DateInterval, _ stretch: PostStretch) {
    self.init(interval, count: Total(stretch.count), rows: stretch.posts.map { ListRow($0) })
  }
}

extension Total {
  /// So many and so many more.
  static func + (one: Total, other: Total) -> Total {
    switch (one, other) {
    case (.exactly(let one), .exactly(let other)): .exactly(one + other)
    default: .moreThan(one.known + other.known)
    }
  }

  /// How many were counted.
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
