import Foundation
import Posts

/// What a feed's newest end showed to a harvest: by it is reckoned when to look again.
public struct FeedHead: Sendable, Hashable {
  /// How many items were not shown before.
  public var arrived: Int
  /// How many were shown in all.
  public var items: Int
  /// When the oldest of them came into the feed.
  public var oldest: Date?
  /// The most items that one request shows.
  public var capacity: Int
  /// Whether nothing of the feed was known before.
  public var isFirst: Bool
  /// How long the feed would be left alone now; nil where it did not say, and what it said before holds.
  public var respite: Respite?

  /// A head from its parts.
  public init(
    arrived: Int, items: Int, oldest: Date? = nil, capacity: Int, isFirst: Bool = false, respite: Respite? = nil
  ) {
    self.arrived = arrived
    self.items = items
    self.oldest = oldest
    self.capacity = capacity
    self.isFirst = isFirst
    self.respite = respite
  }

  /// Whether it shows nothing that was known, though something was: there was more than it could show.
  public var isOverflown: Bool { !isFirst && items > 0 && arrived >= items }
}

/// What is known of a page when its items are stored and let go.
struct PageOutline {
  /// How many items it had.
  let items: Int
  /// How many of them stood in the feed's order.
  let inOrder: Int
  /// The date of the oldest of those.
  let oldest: Date?
  let respite: Respite?
  let misdated: Int

  init(_ page: Page) {
    // Lazily, for a page may be as long as a feed and is in memory already.
    let ordered = page.items.lazy.filter { !$0.pinned }
    items = page.items.count
    inOrder = ordered.count { _ in true }
    oldest = ordered.compactMap { $0.repetition?.at ?? $0.post?.createdAt }.min()
    respite = page.respite
    misdated = page.misdated
  }
}

/// Gathers, page by page, what the pages of a run have shown.
struct FeedSight {
  private(set) var arrived = 0
  private(set) var items = 0
  private(set) var largest = 0
  private(set) var oldest: Date?
  private(set) var respite: Respite?

  mutating func pass(_ page: PageOutline, arrived: Int) {
    self.arrived += arrived
    items += page.inOrder
    largest = max(largest, page.inOrder)
    oldest = [oldest, page.oldest].compactMap(\.self).min()
    respite = respite ?? page.respite
  }

  /// The head that it is, where that is all that was read; `largest` is the most that was seen of a page before.
  func head(largest known: Int, isFirst: Bool) -> FeedHead {
    FeedHead(
      arrived: arrived, items: items, oldest: oldest, capacity: max(largest, known), isFirst: isFirst,
      respite: respite)
  }
}
