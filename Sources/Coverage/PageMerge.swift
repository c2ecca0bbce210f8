/// Decides where the items of a page belong in their feed, one after the other in one direction. It reads and writes
/// nothing: each step says what to write or what to ask.
///
/// Posts appear on top, posts appear late in what was read, and posts vanish upstream, edges of an interval included. The
/// merge therefore remembers its position in the interval. Its pull has not seen what lies beyond, and passes it only when
/// the feed shows that it continues beyond. Ids are never compared. Dates decide where the order is ambiguous. If dates
/// mislead, the interval claims less than was read, never more.
package struct PageMerge {
  /// What follows on the page.
  package enum Step {
    /// Items that came late, in a part that was already read.
    case late([Placement])
    /// An item of an interval further on, with this number. `join` or `passOver` answers.
    case meets(Int64)
  }

  /// An item, by its index on the page, and its position in the interval.
  package typealias Placement = (item: Int, position: Int64)

  package let direction: Direction
  private(set) var items: [PositionedItem]
  /// The item that is next.
  package private(set) var index = 0
  /// Items without an interval, or out of order, since the last item of this interval.
  private var waiting: [Int] = []
  /// The interval that grows; nil if the pull has none yet.
  package var interval: CoverageInterval?
  /// The current position, valid if there is an interval.
  package internal(set) var position: Int64
  /// The intervals behind that are linked with this one and still own their rows.
  var linked: Set<Int64> = []
  var isJoined = false
  /// Items of a higher interval that are out of order.
  private(set) var outOfOrder: Set<Int> = []
  /// How much of the page's end was known before its pull. What the pull stored does not count.
  package private(set) var known = Known()
  /// Whether the page shows only known items, up to the interval's top.
  let isTop: Bool

  /// Continues from the checkpoint of a pull.
  ///
  /// - Parameters:
  ///   - items: The items of a page, in the order of the direction.
  ///   - interval: The pull's interval. Upwards, the merge begins at the first of its items on the page.
  ///   - position: The pull's position in it.
  package init(_ direction: Direction, _ items: [PositionedItem], in interval: CoverageInterval?, at position: Int64) {
    (self.direction, self.items, self.interval, self.position) = (direction, items, interval, position)
    isTop = items.last?.id == interval?.newest && items.allSatisfy { $0.interval != nil }
    switch direction {
    case .down:
      if let last = items.last, isAhead(last), let first = items.firstIndex(where: isAhead) {
        known = Known(isTouched: true, overlap: items.count - first)
      }
    case .up:
      self.position = .min
      index = items.firstIndex { $0.interval == interval?.id } ?? items.endIndex
      waiting = Array(0..<index)
    }
  }

  /// The id of the first item that waits for the next item of the interval.
  package var firstWaiting: String? { waiting.first.map { items[$0].id } }

  /// The next step; nil at the page's end. `finish` then places the items that still wait.
  package mutating func next() -> Step? {
    while index < items.endIndex {
      let item = items[index]
      var late: Int64?
      if let interval, item.interval == interval.id, let known = item.position {
        // Items behind the position were shown again because posts came on top meanwhile, or to find the position. What
        // the page shows above them is no lower.
        late = max(known, position)
        position = direction == .down ? min(known, position) : max(known, position)
      } else if let id = item.interval, linked.contains(id) {
        late = position
      } else if let id = item.interval, isFurther(id) {
        return .meets(id)
      } else {
        waiting.append(index)
      }
      index += 1
      if let late, !waiting.isEmpty { return .late(place(at: late)) }
    }
    return nil
  }

  /// Answers that items of another interval are only out of order. A lower interval loses such an item. A higher one keeps
  /// it: a single post of it among others was stored out of order.
  package mutating func passOver() {
    if direction == .down { waiting.append(index) } else { outOfOrder.insert(index) }
    index += 1
  }

  /// Takes the items from the next one on as they are now, after a join.
  package mutating func reread(_ rest: [PositionedItem]) { items.replaceSubrange(index..., with: rest) }

  /// Places the waiting items beyond the whole interval.
  ///
  /// - Parameter end: The interval's outermost position in the direction; nil if it has no item yet.
  package mutating func extend(beyond end: Int64?) -> [Placement] {
    guard let last = waiting.last else { return [] }
    defer { waiting = [] }
    switch direction {
    case .down:
      interval?.oldest = items[last].id
      interval?.reachedEnd = false
    case .up: interval?.newest = items[last].id
    }
    let (end, step): (Int64, Int64) = (end ?? 0, direction == .down ? -1 : 1)
    position = end + step * Int64(waiting.count)
    return waiting.enumerated().map { ($1, end + step * Int64($0 + 1)) }
  }

  /// Places the items at the page's end. They lie beyond the interval if the position is its end. Otherwise they came late,
  /// except those whose dates are beyond it: then the interval's last posts are gone upstream.
  ///
  /// - Parameter end: The interval's end in the direction; nil if it has no item yet.
  package mutating func finish(at end: IntervalEnd?) -> [Placement] {
    if !waiting.isEmpty { known = Known() }
    guard let end, direction == .down ? position > end.position : position < end.position else {
      return extend(beyond: end?.position)
    }
    // What is above a newer item is newer, too.
    let border =
      switch direction {
      case .down: waiting.lastIndex { items[$0].moment >= end.moment }.map { $0 + 1 } ?? waiting.startIndex
      case .up: waiting.firstIndex { items[$0].moment > end.moment } ?? waiting.endIndex
      }
    let beyond = waiting[border...]
    waiting.removeSubrange(border...)
    let late = place(at: position)
    waiting = Array(beyond)
    return late + extend(beyond: end.position)
  }

  /// Each late item gets the position of the item above it.
  private mutating func place(at position: Int64) -> [Placement] {
    defer { waiting = [] }
    return waiting.map { ($0, position) }
  }

  /// Whether an item belongs to an interval, and this pull has not passed it.
  private func isAhead(_ item: PositionedItem) -> Bool {
    item.interval != nil && (item.interval != interval?.id || item.position ?? position < position)
  }

  private func isFurther(_ id: Int64) -> Bool {
    direction == .down ? id < interval?.id ?? .max : id > interval?.id ?? .max
  }
}

/// An item of a page, and where it stands in its feed.
package struct PositionedItem: Sendable, Hashable {
  /// The server's id.
  package let id: String
  /// When it came into the feed, judged by its date.
  package let moment: String
  /// The coverage interval that it belongs to.
  package let interval: Int64?
  /// Its position there.
  package let position: Int64?

  /// Creates an item.
  package init(id: String, moment: String, interval: Int64?, position: Int64?) {
    (self.id, self.moment, self.interval, self.position) = (id, moment, interval, position)
  }
}

/// What of a page was known before it came.
public struct Known: Sendable, Hashable {
  /// Whether the page reached a coverage interval.
  public var isTouched: Bool
  /// How many items there are from the first known one to the page's end; 0 if none is known.
  public var overlap: Int

  /// Creates what was known; by default nothing.
  public init(isTouched: Bool = false, overlap: Int = 0) { (self.isTouched, self.overlap) = (isTouched, overlap) }
}
