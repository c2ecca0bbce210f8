import Posts

/// Records the positions of a page's items, and extends the feed's coverage interval downwards.
///
/// Posts appear on top, posts appear late in what was read, and posts vanish upstream, edges of an interval included. The
/// merge therefore remembers its position in the interval. This pull has not seen what lies below, and passes it only when
/// the feed shows that it continues below. Ids are never compared. Dates decide where the order is ambiguous. If dates
/// mislead, the interval claims less than was read, never more.
struct DownwardMerge {
  private let page: OpenPage
  private var interval: CoverageInterval?
  /// The current position, valid if there is an interval.
  private var position: Int64 = 0
  /// The items that this page added to the interval.
  private var moved: Set<String> = []
  /// The higher intervals that are linked with this one and still own their rows.
  private var upper: Set<Int64> = []

  /// Continues from the pull's checkpoint.
  init(_ page: OpenPage) {
    self.page = page
    interval = page.checkpoint.interval
    position = page.checkpoint.position
  }

  private var db: Database { page.db }
  private var pull: Pull { page.pull }
  private var now: String { page.now }

  /// Writes the positions, the interval and the cursor. Returns what was known before.
  mutating func finish(next: Next) throws -> RecordedPage<Known> {
    var walked = page.items.inOrder
    let known = known(walked)
    try merge(&walked)
    var cursor: String?
    switch next {
    case .after(let next): cursor = next.value.storable
    case .end: try end()
    case .horizon, .refused, .astray: break
    }
    if let interval, try position <= interval.bottom(in: db)?.position ?? position { self.interval?.next = cursor }
    return try PullCheckpoint(interval: interval, position: position).write(
      page, next: cursor, returning: walked.last.map { moved.contains($0.id) } ?? true ? Known() : known)
  }

  /// How much of the page's end was known before this pull. A pull touches an interval if the last post of a page already
  /// belongs to it. What this pull stored does not count.
  private func known(_ walked: [FeedPosition]) -> Known {
    let isAhead = { (item: FeedPosition) in
      item.coverage != nil && (item.coverage != interval?.id || item.position ?? position < position)
    }
    guard let last = walked.last, isAhead(last), let first = walked.firstIndex(where: isAhead) else { return Known() }
    return Known(isTouched: true, overlap: walked.count - first)
  }

  private mutating func merge(_ walked: inout [FeedPosition]) throws {
    // Items without an interval, or out of order, since the last item of this interval.
    var loose: [FeedPosition] = []
    var index = walked.startIndex
    while index < walked.endIndex {
      let item = walked[index]
      if let interval, item.coverage == interval.id, let known = item.position {
        // Items above the position were shown again because posts came on top meanwhile, or to find the position. What the
        // page shows above them is no lower.
        try insertLate(loose, at: max(known, position))
        loose = []
        position = min(known, position)
      } else if let id = item.coverage, upper.contains(id) {
        try insertLate(loose, at: position)
        loose = []
      } else if let id = item.coverage, id < interval?.id ?? .max, let lower = try CoverageInterval.read(id, in: db),
        let meeting = try meeting(with: lower, in: walked[index...])
      {
        try join(lower, meeting, below: loose)
        loose = []
        for rest in index..<walked.endIndex { try walked[rest].read(feed: pull.feedID, in: db) }
        continue
      } else {
        loose.append(item)
      }
      index += 1
    }
    try mergeTrailing(loose)
  }

  // MARK: Within the interval

  /// Items at the end of the page. They lie below the interval if the position is its bottom. Otherwise they came late,
  /// unless they are older than the whole interval: then its last posts are gone upstream.
  private mutating func mergeTrailing(_ items: [FeedPosition]) throws {
    guard let first = items.first else { return }
    if interval == nil { interval = try CoverageInterval.open(feed: pull.feedID, newest: first.id, now: now, in: db) }
    guard let bottom = try interval?.bottom(in: db), position > bottom.position else { return try extend(with: items) }
    let isOlder = items.lastIndex { $0.moment >= bottom.moment }.map { $0 + 1 } ?? items.startIndex
    try insertLate(Array(items[..<isOlder]), at: position)
    try extend(with: Array(items[isOlder...]))
  }

  /// Items below the whole interval.
  private mutating func extend(with items: [FeedPosition]) throws {
    guard let interval, let last = items.last else { return }
    let bottom = try interval.bottom(in: db)?.position ?? 0
    position = bottom - Int64(items.count)
    try file(items, in: interval) { bottom - 1 - Int64($0) }
    self.interval?.oldest = last.id
    self.interval?.reachedEnd = false
  }

  /// Late items, in a part that was already read: each gets the position of the item above it.
  private mutating func insertLate(_ items: [FeedPosition], at position: Int64) throws {
    guard let interval else { return }
    try file(items, in: interval) { _ in position }
  }

  private mutating func file(_ items: [FeedPosition], in interval: CoverageInterval, at position: (Int) -> Int64) throws
  {
    moved.formUnion(items.map(\.id))
    try interval.file(items, of: pull.feedID, now: now, in: db, at: position)
  }

  /// Accepts the feed's end only below the interval: an answer without posts inside it says nothing about the rest. Above
  /// another interval it does not count either: one empty answer is not proof. Only a fill, which has asked from both sides,
  /// concludes that what lies below is gone upstream.
  private mutating func end() throws {
    guard let interval, try interval.bottom(in: db).map({ position <= $0.position }) ?? false else { return }
    if pull.isFill { try absorb(try others(nearest: .max), at: position) }
    let isLowest = try others(nearest: 1).isEmpty
    self.interval?.reachedEnd = isLowest
  }

  // MARK: Other intervals

  /// How a page meets another interval.
  private enum Meeting {
    /// The feed continues in it.
    case whole
    /// The feed continues in it down to this item. The rest of the page belongs above the rest of it.
    case down(to: FeedPosition)
  }

  /// Nil if the items are only out of order.
  private func meeting(with lower: CoverageInterval, in rest: ArraySlice<FeedPosition>) throws -> Meeting? {
    guard let last = rest.lastIndex(where: { $0.coverage == lower.id }) else { return nil }
    let following = rest[(last + 1)...]
    if let interval, following.contains(where: { $0.coverage == interval.id && $0.position ?? position < position }) {
      return nil
    }
    guard try rest.first.map({ try lower.isNearTop($0, in: db) }) ?? false || isInOrder(rest, of: lower) else {
      return nil
    }
    // One known post does not make two intervals touch. If newer posts follow, it was stored out of order.
    if following.allSatisfy({ $0.moment <= rest[last].moment }) { return .whole }
    if let bottom = try interval?.bottom(in: db), position > bottom.position { return nil }
    let known = rest.filter { $0.coverage == lower.id }
    guard let lowest = known.min(by: { ($0.position ?? 0) < ($1.position ?? 0) }),
      // This many posts do not vanish above one of them: that one is out of order.
      try lower.count(from: lowest.position ?? 0, atMost: page.limit.rows + 1, in: db) <= page.limit.rows
    else { return nil }
    return .down(to: lowest)
  }

  /// Joins the current interval with another one, `items` between them.
  private mutating func join(_ lower: CoverageInterval, _ meeting: Meeting, below items: [FeedPosition]) throws {
    if interval == nil, case .whole = meeting, items.isEmpty {
      interval = lower
      position = .max
      // A fill starts at the top if the interval above its gap leads nowhere: that interval is gone with all its posts.
      if pull.isFill { try absorb(others(above: lower), at: lower.top(in: db)?.position ?? 0) }
      return
    }
    if interval == nil {
      let newest = if let first = items.first { first.id } else { lower.newest }
      interval = try CoverageInterval.open(feed: pull.feedID, newest: newest, now: now, in: db)
    }
    try extend(with: items)
    guard let upper = interval else { return }
    switch meeting {
    case .whole:
      switch try upper.joined(with: lower, within: page.limit, now: now, in: db) {
      case .whole(let joined, let border): (interval, position) = (joined, border)
      case .linked(let above, let below):
        self.upper.insert(above.id)
        (interval, position) = (below, .max)
      }
    case .down(let item):
      position = try upper.bottom(in: db)?.position ?? 0
      try upper.moveRows(from: lower, downTo: item.position ?? 0, in: db)
      interval?.oldest = item.id
      interval?.reachedEnd = false
    }
  }

  /// Whether the page shows several posts of an interval in order. The interval's own top may be gone upstream.
  private func isInOrder(_ rest: ArraySlice<FeedPosition>, of lower: CoverageInterval) -> Bool {
    let positions = rest.filter { $0.coverage == lower.id }.compactMap(\.position)
    return zip(positions, positions.dropFirst()).contains { $0 >= $1 }
  }

  /// The intervals just below this one. New intervals open above all others, so their numbers are in the feed's order.
  private func others(nearest count: Int) throws -> [CoverageInterval] {
    let ids: [Int64] = try db.values(
      """
      SELECT id FROM coverage WHERE feed = $1 AND id < $2 AND heir_place IS NULL ORDER BY id DESC LIMIT $3
      """,
      [pull.feedID, interval?.id, count]
    )
    return try ids.compactMap { try CoverageInterval.read($0, in: db) }
  }

  private func others(above lower: CoverageInterval) throws -> [CoverageInterval] {
    let ids: [Int64] = try db.values(
      "SELECT id FROM coverage WHERE feed = $1 AND id > $2 AND heir_place IS NULL ORDER BY id", [pull.feedID, lower.id])
    return try ids.compactMap { try CoverageInterval.read($0, in: db) }
  }

  /// Dissolves intervals that the pull passed without meeting one of their posts: all of those are gone upstream.
  private func absorb(_ others: [CoverageInterval], at position: Int64) throws {
    guard let interval else { return }
    for other in others { try other.dissolve(into: interval, position: position, within: page.limit, in: db) }
  }
}
