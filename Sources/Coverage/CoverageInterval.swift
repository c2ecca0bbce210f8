/// A coverage interval: a contiguous part of a feed, in the server's order, of which nothing is missing.
package struct CoverageInterval: Sendable, Hashable {
  /// Its number. New intervals open above all others, so their numbers are in the feed's order.
  package let id: Int64
  /// The number of its feed.
  package let feed: Int64
  /// The server's id of its highest item.
  package var newest: String
  /// The server's id of its lowest item.
  package var oldest: String
  /// Whether the feed has nothing below it.
  package var reachedEnd: Bool
  /// The source's cursor for what is below.
  package var next: String?
  /// Grows with each change: a pull that knows another version was overtaken.
  package var version: Int
  /// The interval that this one is merged into, while its rows still move.
  package var successor: Int64?
  /// The position in the successor that its rows get; nil if they keep their order, beyond the successor's end.
  package var successorPosition: Int64?

  /// Creates an interval from its values.
  package init(
    id: Int64, feed: Int64, newest: String, oldest: String, reachedEnd: Bool = false, next: String? = nil,
    version: Int = 0, successor: Int64? = nil, successorPosition: Int64? = nil
  ) {
    (self.id, self.feed, self.newest, self.oldest) = (id, feed, newest, oldest)
    (self.reachedEnd, self.next, self.version) = (reachedEnd, next, version)
    (self.successor, self.successorPosition) = (successor, successorPosition)
  }

  /// Whether the interval below is linked with this one, although their rows have not moved yet.
  package func isLinked(with lower: CoverageInterval) -> Bool { lower.successor == id || successor == lower.id }
}

extension [CoverageInterval] {
  /// A feed's intervals, newest first, in groups: linked ones are one, although their rows have not moved yet.
  package var linked: [[CoverageInterval]] {
    reduce(into: []) { groups, interval in
      if let upper = groups.last?.last, upper.isLinked(with: interval) {
        groups[groups.count - 1].append(interval)
      } else {
        groups.append([interval])
      }
    }
  }
}

/// A direction in a feed.
package enum Direction: Sendable {
  /// Towards newer items.
  case up
  /// Towards older items.
  case down
}

/// An end of an interval: the outermost position in use, and the date of the item there.
package typealias IntervalEnd = (position: Int64, moment: String)
