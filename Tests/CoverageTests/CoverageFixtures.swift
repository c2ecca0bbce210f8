import Coverage
import Foundation

let noon = Date(timeIntervalSince1970: 1_790_000_000)

/// An interval of feed 1, by its number and its edges.
func interval(
  _ id: Int64, _ newest: Int, _ oldest: Int, end: Bool = false, successor: Int64? = nil, position: Int64? = nil
) -> CoverageInterval {
  CoverageInterval(
    id: id, feed: 1, newest: "\(newest)", oldest: "\(oldest)", reachedEnd: end, successor: successor,
    successorPosition: position)
}

/// An item whose date grows with its number, as far as `moment` says nothing else.
func item(_ number: Int, in interval: Int64? = nil, at position: Int64? = nil, moment: Int? = nil) -> PositionedItem {
  PositionedItem(id: "\(number)", moment: text(moment ?? number), interval: interval, position: position)
}

/// A date, such that text is ordered as numbers are.
func text(_ moment: Int) -> String { String(moment + 1_000_000) }
