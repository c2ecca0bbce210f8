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
    month = months.map { "\(padded($0.year, to: 4))-\(padded($0.month, to: 2))" }
    start = months.map { Int($0.interval.start.timeIntervalSince1970) }
    end = months.map { Int($0.interval.end.timeIntervalSince1970) }
    count = months.map(\.count)
  }
}

private func padded(_ number: Int, to width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(width - digits.count, 0)) + digits
}
