import Machine
import Posts

/// The items of a page, with their known positions in the feed.
struct FeedItems {
  private let db: Database
  private let feed: Int64
  private let now: String
  /// Whether the feed's ids may change while its posts stay.
  private let hasLooseIDs: Bool
  private var items: [FeedPosition] = []
  private var indexes: [String: Int] = [:]
  /// The date of each post, from the last item that showed it.
  private var dates: [Int64: String] = [:]
  private var hasMoved = false
  /// The feed's records of the items, read ahead; nil if each is read when it is needed.
  private var records: [String: FeedPosition.Record]?

  /// Reserves capacity for `count` items.
  init(db: Database, pull: Pull, now: String, count: Int) {
    self.db = db
    feed = pull.feedID
    hasLooseIDs = pull.feed.kind == .url
    self.now = now
    items.reserveCapacity(count)
    indexes.reserveCapacity(count)
  }

  /// The number of items.
  var count: Int { items.count }

  /// The number of items that are new to the feed.
  var arrived: Int { items.count { $0.row == nil && !$0.isPinned } }

  /// The items in the server's order, without pinned ones.
  var inOrder: [FeedPosition] { items.contains(where: \.isPinned) ? items.filter { !$0.isPinned } : items }

  /// Reads the feed's records of items together, where each would be an answer of a server to wait for.
  mutating func prepare(_ items: [PageItem]) throws {
    guard db.engine == .postgresql, !hasLooseIDs else { return }
    records = try FeedPosition.Record.read(items.compactMap(\.feedID), of: feed, in: db)
  }

  /// Records an item. An item that is shown both pinned and in order counts in its order.
  mutating func pass(_ item: PageItem, post: WrittenPost, repeatedBy: Int64?) throws {
    note(post)
    guard let id = item.feedID else { return }
    var position = FeedPosition(
      id: id,
      post: post,
      isPinned: item.pinned,
      repeatedBy: repeatedBy,
      repeatedAt: item.repetition.map { UTC.text($0.at) }
    )
    if hasLooseIDs { try position.reuseID(feed: feed, in: db) }
    if let index = indexes[position.id] {
      guard items[index].isPinned, !item.pinned else { return }
      items[index].isDuplicate = true
    }
    if let records {
      try position.apply(records[position.id], in: db)
    } else {
      try position.read(feed: feed, in: db)
    }
    if position.row == nil, !hasLooseIDs, !post.isNew, item.repetition == nil {
      // It may give a record another id.
      records = nil
      try position.reuseRow(feed: feed, leaving: { row in items.contains { $0.row == row } }, in: db)
    }
    indexes[position.id] = items.count
    items.append(position)
  }

  /// Turns the items round, which were recorded from the last one on. None can be recorded afterwards.
  mutating func reverse() {
    items.reverse()
    indexes = [:]
  }

  /// Records a post's date, also of a post that an item only quotes.
  mutating func note(_ post: WrittenPost) {
    if let known = dates.updateValue(post.createdAt, forKey: post.id), known != post.createdAt { hasMoved = true }
  }

  /// Sets the items' dates to the latest of their posts. A page may show a post twice, with a new date the second time.
  mutating func settleDates() {
    guard hasMoved else { return }
    for index in items.indices {
      if let date = dates[items[index].post.id] { items[index].post.createdAt = date }
    }
  }

  /// Writes pinned items. They belong to no interval.
  func writePinned() throws {
    try FeedPosition.write(items.filter { $0.isPinned && !$0.isDuplicate }, feed: feed, now: now, in: db)
  }

  /// Writes items without an interval unchanged, for a page that touches nothing known.
  func writeLoose() throws {
    try FeedPosition.write(inOrder.filter { $0.coverage == nil }, feed: feed, now: now, in: db)
  }
}

extension PageItem {
  /// The id of the item in the feed's records.
  public var feedID: String? { (id ?? post?.remoteID ?? post?.uri)?.storable }
}
