import FoundationEssentials
import Posts

/// What a harvest saw at a feed's newest end. The polling schedule depends on it.
public struct FeedHead: Sendable, Hashable {
  /// Number of items that were not known before.
  public var arrived: Int
  /// Number of all items.
  public var items: Int
  /// When the oldest of them entered the feed.
  public var oldest: Date?
  /// The most items that one request returns.
  public var capacity: Int
  /// Whether nothing of the feed was known before.
  public var isFirst: Bool
  /// The delay that the feed requests; nil if it names none, and the earlier one holds.
  public var requestedDelay: RequestedDelay?

  /// Creates a head.
  public init(
    arrived: Int, items: Int, oldest: Date? = nil, capacity: Int, isFirst: Bool = false,
    requestedDelay: RequestedDelay? = nil
  ) {
    self.arrived = arrived
    self.items = items
    self.oldest = oldest
    self.capacity = capacity
    self.isFirst = isFirst
    self.requestedDelay = requestedDelay
  }

  /// Whether no item was known although the feed was: there are more new items than it can show.
  public var isOverflown: Bool { !isFirst && items > 0 && arrived >= items }
}

/// What remains of a page after its items are stored and released.
struct PageOutline {
  /// Number of items.
  let items: Int
  /// Number of items in the feed's order.
  let inOrder: Int
  /// The oldest date of those.
  let oldest: Date?
  let requestedDelay: RequestedDelay?
  let misdated: Int
  /// Number of posts that hold more than is kept of one.
  let shortened: Int
  /// The lengths of files that the page declares, by their addresses.
  let declared: [DeclaredLengths.Address: Int]

  init(_ page: Page) {
    // Lazily, because a page may be as long as a feed and is in memory already.
    let ordered = page.items.lazy.filter { !$0.pinned }
    items = page.items.count
    inOrder = ordered.count { _ in true }
    oldest = ordered.compactMap { $0.repetition?.at ?? $0.post?.createdAt }.min()
    requestedDelay = page.requestedDelay
    misdated = page.misdated
    shortened = page.shortened + page.items.lazy.count { $0.post?.isAtBounds == true }
    declared = DeclaredLengths.of(page)
  }
}

/// Sums up the pages of a run.
struct FeedObservation {
  private(set) var arrived = 0
  private(set) var items = 0
  private(set) var largest = 0
  private(set) var oldest: Date?
  private(set) var requestedDelay: RequestedDelay?

  mutating func pass(_ page: PageOutline, arrived: Int) {
    self.arrived += arrived
    items += page.inOrder
    largest = max(largest, page.inOrder)
    oldest = [oldest, page.oldest].compactMap(\.self).min()
    requestedDelay = requestedDelay ?? page.requestedDelay
  }

  /// The head, if nothing else was read; `largest` is the largest earlier page.
  func head(largest known: Int, isFirst: Bool) -> FeedHead {
    FeedHead(
      arrived: arrived, items: items, oldest: oldest, capacity: max(largest, known), isFirst: isFirst,
      requestedDelay: requestedDelay)
  }
}
