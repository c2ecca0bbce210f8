import Coverage
import Posts

/// Records the positions of a page's items, and extends the feed's coverage interval, as a merge decides.
///
/// Facts that decide how a page meets another interval are read here, once it does: most pages meet none, and each would
/// pay for reading them beforehand.
struct CoverageWriter {
  private let page: OpenPage
  /// The items in the order of the merge.
  private var items: [FeedPosition]
  private var merge: PageMerge

  /// Continues from the pull's checkpoint.
  init(_ page: OpenPage, _ direction: Direction) {
    self.page = page
    items = direction == .down ? page.items.inOrder : page.items.inOrder.reversed()
    merge = PageMerge(direction, items.map(\.positioned), in: page.checkpoint.interval, at: page.checkpoint.position)
  }

  private var db: Database { page.db }
  private var feed: Int64 { page.pull.feedID }

  /// Writes the positions, the interval and the cursor of a page. Returns what was known before.
  mutating func finish(next: Next) throws -> RecordedPage<Known> {
    try write()
    let bottom = try end()
    var cursor: String?
    switch next {
    case .after(let next): cursor = next.value.storable
    // Inside the interval, an answer without posts says nothing about the rest.
    case .end: if let bottom, merge.position <= bottom.position { try finishFeed() }
    case .horizon, .refused, .astray: break
    }
    if merge.position <= bottom?.position ?? merge.position { merge.interval?.next = cursor }
    return try PullCheckpoint(interval: merge.interval, position: merge.position).write(
      page, next: cursor, returning: merge.known)
  }

  /// Writes the positions, the interval and the cursor of a page that was requested from below. It counts only if it shows
  /// a post of the interval: a server that answers with its newest posts instead proves nothing about what lies between.
  ///
  /// - Throws: `StorageError.overtaken` if the pull has no interval to extend.
  mutating func finish(above anchor: String) throws -> RecordedPage<UpwardMergeResult> {
    guard let interval = merge.interval else { throw StorageError.overtaken(feed: page.pull.feed.name) }
    guard let base = try interval.position(of: anchor, in: db), merge.begins(above: base),
      // The anchor may be gone upstream. Then two posts of the interval are enough proof.
      try merge.showsSeveral || items.contains(where: { try interval.isNear(.up, $0, in: db) })
    else {
      try page.items.writeLoose()
      return try PullCheckpoint(interval: interval).write(page, next: nil, returning: .apart)
    }
    try write()
    return try PullCheckpoint(interval: merge.interval, position: merge.position).write(
      page, next: nil, returning: merge.result)
  }

  private mutating func write() throws {
    while let step = merge.next() {
      switch step {
      case .late(let items): try place(items)
      case .meets(let id):
        if let other = try CoverageInterval.read(id, in: db), let meeting = merge.meeting, try touches(other, meeting) {
          try join(other, meeting)
          for index in merge.index..<items.endIndex { try items[index].read(feed: feed, in: db) }
          merge.reread(items[merge.index...].map(\.positioned))
        } else {
          merge.passOver()
        }
      }
    }
    guard let first = merge.firstWaiting else { return }
    if merge.interval == nil { try open(newest: first) }
    let rest = try merge.finish(at: end())
    try place(rest)
  }

  // MARK: Within the interval

  /// The end of the interval towards which the merge goes.
  private func end() throws -> IntervalEnd? { try merge.interval?.end(merge.direction, in: db) }

  private mutating func open(newest: String) throws {
    merge.interval = try CoverageInterval.open(feed: feed, newest: newest, now: page.now, in: db)
  }

  /// Adds items to the interval. Intervals that they leave are tightened.
  private func place(_ placements: [PageMerge.Placement]) throws {
    guard let id = merge.interval?.id else { return }
    let placed = placements.map { placement in
      var item = items[placement.item]
      (item.coverage, item.position) = (id, placement.position)
      return item
    }
    try FeedPosition.write(placed, feed: feed, now: page.now, in: db)
    let left = Set(placements.compactMap { items[$0.item].coverage }).subtracting([id])
    for interval in left.sorted() { try CoverageInterval.tighten(interval, for: id, in: db) }
  }

  /// The feed's end. Above another interval it does not count: one empty answer is not proof. Only a fill, which has asked
  /// from both sides, concludes that what lies below is gone upstream.
  private mutating func finishFeed() throws {
    let below = "feed = $1 AND id < $2 AND heir_place IS NULL ORDER BY id DESC"
    if page.pull.isFill { try absorb(below, at: merge.position) }
    let isLowest = try others("\(below) LIMIT 1").isEmpty
    merge.interval?.reachedEnd = isLowest
  }

  // MARK: Other intervals

  /// Whether the feed continues in another interval.
  private func touches(_ other: CoverageInterval, _ meeting: PageMerge.Meeting) throws -> Bool {
    let facing: Direction = merge.direction == .down ? .up : .down
    guard try meeting.isProven || other.isNear(facing, items[merge.index], in: db) else { return false }
    guard let part = meeting.part else { return true }
    if let end = try end(), merge.position > end.position { return false }
    // This many posts do not vanish above one of them: that one is out of order.
    return try other.count(from: part.position ?? 0, atMost: page.limit.rows + 1, in: db) <= page.limit.rows
  }

  /// Joins the current interval with another one, the waiting items between them.
  private mutating func join(_ other: CoverageInterval, _ meeting: PageMerge.Meeting) throws {
    if merge.interval == nil, meeting.part == nil, merge.firstWaiting == nil {
      merge.join(.whole(other, border: .max))
      // A fill starts at the top if the interval above its gap leads nowhere: that interval is gone with all its posts.
      let above = "feed = $1 AND id > $2 AND heir_place IS NULL ORDER BY id"
      if page.pull.isFill { try absorb(above, at: other.end(.up, in: db)?.position ?? 0) }
      return
    }
    if merge.interval == nil { try open(newest: merge.firstWaiting ?? other.newest) }
    if merge.firstWaiting != nil {
      let between = try merge.extend(beyond: end()?.position)
      try place(between)
    }
    guard let interval = merge.interval else { return }
    if let part = meeting.part {
      merge.join(downTo: part, below: try end()?.position)
      try interval.moveRows(from: other, downTo: part.position ?? 0, in: db)
    } else {
      let (upper, lower) = merge.direction == .down ? (interval, other) : (other, interval)
      merge.join(try upper.joined(with: lower, within: page.limit, now: page.now, in: db))
    }
  }

  /// The feed's intervals that meet a condition with this one.
  private func others(_ condition: String) throws -> [CoverageInterval] {
    try CoverageInterval.all(condition, [feed, merge.interval?.id], in: db)
  }

  /// Dissolves intervals that the pull passed without meeting one of their posts: all of those are gone upstream.
  private func absorb(_ condition: String, at position: Int64) throws {
    guard let interval = merge.interval else { return }
    for other in try others(condition) {
      try other.dissolve(into: interval, position: position, within: page.limit, in: db)
    }
  }
}
