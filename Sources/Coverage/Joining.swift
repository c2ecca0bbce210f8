/// The result of joining two intervals that touch.
package enum Joint: Sendable, Hashable {
  /// They are merged. The upper one ended at this position.
  case whole(CoverageInterval, border: Int64)
  /// They count as one, but each still owns its rows: there are too many for one transaction.
  case linked(upper: CoverageInterval, lower: CoverageInterval)
}

/// How two intervals that touch become one.
package struct Joining: Sendable, Hashable {
  /// Whether the upper one's rows stay, and those of the lower one move.
  package let keepsUpper: Bool
  /// Whether too many rows move for one transaction.
  package let isLong: Bool
  /// What is added to the positions of the rows that move.
  package let shift: Int64
  /// The position at which the upper one ends, after the rows that move at once.
  package let border: Int64

  /// The rows of the shorter one move.
  ///
  /// - Parameters:
  ///   - upper: The positions of the upper one that are in use.
  ///   - lower: Those of the lower one.
  ///   - counts: The numbers of their items, each counted up to one more than may move at once.
  ///   - areMoving: Whether each is to become part of another one.
  ///   - most: Maximum number of rows that move at once.
  package init(
    _ upper: ClosedRange<Int64>, _ lower: ClosedRange<Int64>, counts: (upper: Int, lower: Int),
    areMoving: (upper: Bool, lower: Bool), most: Int
  ) {
    isLong = min(counts.upper, counts.lower) > most
    // An interval whose rows are to move elsewhere stays until they have moved.
    keepsUpper =
      if areMoving.upper || areMoving.lower {
        areMoving.upper
      } else if isLong || counts.upper == counts.lower {
        upper.upperBound - upper.lowerBound > lower.upperBound - lower.lowerBound
      } else {
        counts.upper > counts.lower
      }
    shift = keepsUpper ? lower.shift(.down, beyond: upper) : upper.shift(.up, beyond: lower)
    border = keepsUpper || isLong ? upper.lowerBound : upper.lowerBound + shift
  }
}

extension ClosedRange<Int64> {
  /// What moves these positions just beyond the upper or lower end of others.
  package func shift(_ direction: Direction, beyond others: ClosedRange<Int64>) -> Int64 {
    direction == .up ? others.upperBound + 1 - lowerBound : others.lowerBound - 1 - upperBound
  }
}
