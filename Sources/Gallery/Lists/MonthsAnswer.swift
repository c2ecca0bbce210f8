import FoundationEssentials
import Storage

/// The months of a list as JSON, which the scrubber maps positions to: parallel arrays, newest first.
struct MonthsAnswer: Encodable, Sendable {
  /// `2026-11`.
  let month: [String]
  /// When they begin, in seconds since 1970.
  let start: [Int]
  /// When the next months begin.
  let end: [Int]
  /// How many posts they have.
  let count: [Int]

  init(_ months: [PostMonth]) {
    month = months.map(\.text)
    start = months.map { Int($0.interval.start.timeIntervalSince1970) }
    end = months.map { Int($0.interval.end.timeIntervalSince1970) }
    count = months.map(\.count)
  }
}
