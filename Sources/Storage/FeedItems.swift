import Posts

/// The items of a page by their places in the feed, as far as the feed's records tell.
struct FeedItems {
  private let db: Database
  private let feed: Int64
  private let now: String
  /// Whether the feed's ids may change while its posts stay.
  private let hasLooseIDs: Bool
  private var items: [FeedPlace] = []
  private var indexes: [String: Int] = [:]
  /// The date of each post, as the last item that showed it says.
  private var dates: [Int64: String] = [:]
  private var hasMoved = false

  /// Room for so many items.
  init(db: Database, pull: Pull, now: String, count: Int) {
    self.db = db
    feed = pull.feedID
    hasLooseIDs = pull.feed.kind == .url
    self.now = now
    items.reserveCapacity(count)
    indexes.reserveCapacity(count)
  }

  /// How many there are.
  var count: Int { items.count }

  /// How many of them the feed had not shown before.
  var arrived: Int { items.count { $0.row == nil && !$0.isPinned } }

  /// Those that stand in the server's order.
  var inOrder: [FeedPlace] { items.contains(where: \.isPinned) ? items.filter { !$0.isPinned } : items }

  /// Takes note of an item; one that is shown twice, on top and in its order, counts in its order.
  mutating func pass(_ item: PageItem, post: WrittenPost, repeatedBy: Int64?) throws {
    note(post)
    guard let id = item.feedID else { return }
    var place = FeedPlace(
      id: id,
      post: post,
      isPinned: item.pinned,
      repeatedBy: repeatedBy,
      repeatedAt: item.repetition.map { UTC.text($0.at) }
    )
    if hasLooseIDs { try place.keepID(feed: feed, in: db) }
    if let index = indexes[place.id] {
      guard items[index].isPinned, !item.pinned else { return }
      items[index].isDuplicate = true
    }
    try place.read(feed: feed, in: db)
    if place.row == nil, !hasLooseIDs, !post.isNew, item.repetition == nil {
      try place.takeRow(feed: feed, leaving: { row in items.contains { $0.row == row } }, in: db)
    }
    indexes[place.id] = items.count
    items.append(place)
  }

  /// Takes note of a post's date, also where the post only came as one that an item quotes.
  mutating func note(_ post: WrittenPost) {
    if let known = dates.updateValue(post.createdAt, forKey: post.id), known != post.createdAt { hasMoved = true }
  }

  /// Gives the items the dates that their posts have by now: a page may show a post twice, with a new date between.
  mutating func settleDates() {
    guard hasMoved else { return }
    for index in items.indices {
      if let date = dates[items[index].post.id] { items[index].post.createdAt = date }
    }
  }

  /// Writes those that stand out of order; they belong to no stretch.
  func writePinned() throws {
    try FeedPlace.write(items.filter { $0.isPinned && !$0.isDuplicate }, feed: feed, now: now, in: db)
  }

  /// Writes those that no stretch holds as they are, for a page that stands apart from all that is known.
  func writeLoose() throws {
    try FeedPlace.write(items.filter { $0.coverage == nil }, feed: feed, now: now, in: db)
  }
}

extension PageItem {
  /// The id under which the feed's records hold the item.
  public var feedID: String? { (id ?? post?.remoteID ?? post?.uri)?.storable }
}
