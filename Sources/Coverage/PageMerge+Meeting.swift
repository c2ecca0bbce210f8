extension PageMerge {
  /// How the rest of a page meets another interval.
  package struct Meeting: Sendable, Hashable {
    /// Whether several posts prove it. If not, the first one does if it is near the end at which the merge arrives: posts
    /// may be gone upstream, those at the end among them.
    package let isProven: Bool
    /// The item down to which the feed continues in the interval: the rest of the page belongs above the rest of it. Nil
    /// if the feed continues in the whole interval.
    package let part: PositionedItem?
  }

  /// How the page meets the interval of the next item; nil if that is only out of order.
  package var meeting: Meeting? {
    let rest = items[index...]
    let theirs = rest.filter { $0.interval == items[index].interval }
    guard direction == .down else { return Meeting(isProven: theirs.count > 1, part: nil) }
    guard let last = rest.lastIndex(where: { $0.interval == items[index].interval }) else { return nil }
    let following = rest[(last + 1)...]
    if let interval, following.contains(where: { $0.interval == interval.id && $0.position ?? position < position }) {
      return nil
    }
    let positions = theirs.compactMap(\.position)
    let isInOrder = zip(positions, positions.dropFirst()).contains { $0 >= $1 }
    // One known post does not make two intervals touch. If newer posts follow, it was stored out of order.
    let isWhole = following.allSatisfy { $0.moment <= items[last].moment }
    return Meeting(
      isProven: isInOrder, part: isWhole ? nil : theirs.min { ($0.position ?? 0) < ($1.position ?? 0) })
  }

  /// Continues in the interval that it met, joined with its own.
  package mutating func join(_ joint: Joint) {
    isJoined = true
    switch joint {
    case .whole(let joined, let border):
      // Until one of its posts is passed, the position of an upward merge is below all of them.
      (interval, position) = (joined, direction == .down ? border : border - 1)
    case .linked(let upper, let lower):
      let (behind, ahead) = direction == .down ? (upper, lower) : (lower, upper)
      linked.insert(behind.id)
      (interval, position) = (ahead, direction == .down ? .max : .min)
    }
  }

  /// Takes over the part of an interval down to an item.
  ///
  /// - Parameter end: The lower end of its own interval before; nil if it had no item.
  package mutating func join(downTo item: PositionedItem, below end: Int64?) {
    position = end ?? 0
    interval?.oldest = item.id
    interval?.reachedEnd = false
  }
}

extension PageMerge {
  /// Whether a page that was requested above the item at a position shows the interval from there, and nothing below.
  package func begins(above base: Int64) -> Bool {
    positions.allSatisfy { $0 >= base } && items.prefix(3).contains { $0.interval == interval?.id }
  }

  /// Whether it shows more than one item of the interval.
  package var showsSeveral: Bool { positions.count > 1 }

  private var positions: [Int64] { items.filter { $0.interval == interval?.id }.compactMap(\.position) }

  /// What an upward merge came to.
  package var result: UpwardMergeResult {
    if isJoined { return .joined }
    // The next request repeats two posts of this page, so that the next page proves its position.
    let passed = items.indices.filter { !outOfOrder.contains($0) }
    return isTop ? .top : .higher(anchor: items[passed[max(0, passed.count - 3)]].id)
  }
}

/// The result of merging a page that was requested from below.
public enum UpwardMergeResult: Sendable, Hashable {
  /// It shows nothing of the interval. Its position is unknown.
  case apart
  /// The interval continues above. The next page is the one above this id.
  case higher(anchor: String)
  /// The interval was joined with the one above.
  case joined
  /// Nothing lies above it.
  case top
}
