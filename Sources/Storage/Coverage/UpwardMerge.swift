import Posts

/// Records the positions of a page that was requested from below, and extends the interval upwards.
///
/// A page counts only if it shows a post of the interval. A server that answers with its newest posts instead proves
/// nothing about what lies between.
struct UpwardMerge {
  private let page: OpenPage
  private var interval: CoverageInterval
  /// The highest position that the page has shown so far.
  private var position: Int64 = .min
  private var isJoined = false
  /// The lower intervals that are linked with this one and still own their rows.
  private var lower: Set<Int64> = []
  /// Items of a higher interval that are out of order.
  private var outOfOrder: Set<String> = []

  /// - Throws: `StorageError.overtaken` if the pull has no interval to extend.
  init(_ page: OpenPage) throws(StorageError) {
    guard let interval = page.checkpoint.interval else { throw .overtaken(feed: page.pull.feed.name) }
    self.page = page
    self.interval = interval
  }

  private var db: Database { page.db }
  private var pull: Pull { page.pull }
  private var now: String { page.now }

  /// Writes the positions, the interval and the cursor.
  mutating func finish(above anchor: String) throws -> RecordedPage<UpwardMergeResult> {
    var walked = Array(page.items.inOrder.reversed())
    guard try proves(walked, above: anchor), let first = walked.firstIndex(where: { $0.coverage == interval.id }) else {
      try page.items.writeLoose()
      return try PullCheckpoint(interval: interval).write(page, next: nil, returning: .apart)
    }
    // If a server returns few posts at a time, a page of known posts may end below the top.
    let isTop = walked.last?.id == interval.newest && walked.allSatisfy { $0.coverage != nil }
    try climb(&walked, from: first)
    return try PullCheckpoint(interval: interval, position: position).write(
      page, next: nil, returning: result(walked, isTop: isTop))
  }

  private func result(_ walked: [FeedPosition], isTop: Bool) -> UpwardMergeResult {
    if isJoined { return .joined }
    // The next request repeats two posts of this page, so that the next page proves its position.
    let passed = walked.filter { !outOfOrder.contains($0.id) }
    return isTop ? .top : .higher(anchor: passed[max(0, passed.count - 3)].id)
  }

  /// Whether a page, oldest item first, lies just above an id: it shows posts of the interval from there, and none below.
  private func proves(_ walked: [FeedPosition], above anchor: String) throws -> Bool {
    let known = walked.filter { $0.coverage == interval.id }.compactMap(\.position)
    let base: Int64? = try db.value(
      "SELECT place FROM feed_post WHERE feed = $1 AND remote_id = $2 AND coverage = $3",
      [pull.feedID, anchor, interval.id]
    )
    guard let base, known.allSatisfy({ $0 >= base }),
      walked.prefix(3).contains(where: { $0.coverage == interval.id })
    else { return false }
    // The anchor may be gone upstream. Then two posts of the interval are enough proof.
    return try known.count > 1 || walked.contains { try interval.isNearTop($0, in: db) }
  }

  /// From the page's oldest item to its newest.
  private mutating func climb(_ walked: inout [FeedPosition], from first: Int) throws {
    var loose = Array(walked[..<first])
    var index = first
    while index < walked.endIndex {
      let item = walked[index]
      if item.coverage == interval.id, let known = item.position {
        // Items between are late, or belong above a post that is shown twice.
        try insertLate(loose, at: max(known, position))
        loose = []
        position = max(position, known)
      } else if let id = item.coverage, lower.contains(id) {
        try insertLate(loose, at: position)
        loose = []
      } else if let id = item.coverage, id > interval.id, let upper = try CoverageInterval.read(id, in: db) {
        // A single post of the higher interval among other posts was stored out of order.
        let hits = walked[index...].count { $0.coverage == id }
        guard try hits > 1 || upper.isNearBottom(item, in: db) else {
          outOfOrder.insert(item.id)
          index += 1
          continue
        }
        try raise(loose)
        loose = []
        try join(upper)
        for rest in index..<walked.endIndex { try walked[rest].read(feed: pull.feedID, in: db) }
        continue
      } else {
        loose.append(item)
      }
      index += 1
    }
    try mergeLeading(loose)
  }

  /// Items at the start of the page. They lie above the interval if its top was shown; otherwise their dates decide.
  private mutating func mergeLeading(_ items: [FeedPosition]) throws {
    guard !items.isEmpty, let top = try interval.top(in: db) else { return }
    guard position < top.position else { return try raise(items) }
    let isNewer = items.firstIndex { $0.moment > top.moment } ?? items.endIndex
    try insertLate(Array(items[..<isNewer]), at: position)
    try raise(Array(items[isNewer...]))
  }

  /// Items above the whole interval, the lowest first.
  private mutating func raise(_ items: [FeedPosition]) throws {
    guard let last = items.last else { return }
    let top = try interval.top(in: db)?.position ?? 0
    position = top + Int64(items.count)
    try interval.file(items, of: pull.feedID, now: now, in: db) { top + 1 + Int64($0) }
    interval.newest = last.id
  }

  private func insertLate(_ items: [FeedPosition], at position: Int64) throws {
    try interval.file(items, of: pull.feedID, now: now, in: db) { _ in position }
  }

  /// The interval above begins at the current position.
  private mutating func join(_ upper: CoverageInterval) throws {
    switch try upper.joined(with: interval, within: page.limit, now: now, in: db) {
    case .whole(let joined, let border):
      // Until one of its posts is passed, the position is below all of them.
      (interval, position) = (joined, border - 1)
    case .linked(let above, let below):
      lower.insert(below.id)
      (interval, position) = (above, .min)
    }
    isJoined = true
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
