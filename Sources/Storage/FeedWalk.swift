import GRDB
import Posts

/// Records where a page's items stand in their feed, and grows the stretch of the feed that is known to be complete.
struct FeedWalk {
  private let db: Database
  private let pull: Pull
  private let now: String
  private var stretch: Stretch?
  private var items: [FeedPlace] = []
  private var indexes: [String: Int] = [:]

  /// Reads the pull's cursor and stretch again; throws `StorageError.overtaken` where another pull moved on with them.
  init(db: Database, pull: Pull, now: String) throws {
    self.db = db
    self.pull = pull
    self.now = now
    let cursor = try db.row("SELECT state, coverage, coverage_version, pages FROM cursor WHERE id = ?", [pull.id])
    guard let cursor, cursor[0] == "open" else { throw StorageError.overtaken(feed: pull.feed.name) }
    if let id: Int64 = cursor[1] { stretch = try Stretch.read(id, in: db) }
    // A stretch that another pull merged away leaves no number, but a version.
    guard stretch?.version ?? 0 == cursor[2] as Int else { throw StorageError.overtaken(feed: pull.feed.name) }
  }

  /// Takes note of an item; one that is shown twice, on top and in its order, counts in its order.
  mutating func pass(_ item: PageItem, post: WrittenPost, repeatedBy: Int64?) throws {
    guard let id = (item.id ?? item.post?.remoteID ?? item.post?.uri)?.storable else { return }
    var place = FeedPlace(
      id: id,
      post: post,
      isPinned: item.pinned,
      repeatedBy: repeatedBy,
      repeatedAt: item.repetition.map { UTC.text($0.at) }
    )
    if let index = indexes[id] {
      guard items[index].isPinned, !item.pinned else { return }
      items[index].isDuplicate = true
    }
    try place.read(feed: pull.feedID, in: db)
    indexes[id] = items.count
    items.append(place)
  }

  /// Writes the places, the stretch and the cursor.
  mutating func finish(next: Next) throws {
    for item in items where item.isPinned && !item.isDuplicate { try item.write(feed: pull.feedID, now: now, in: db) }
    let walked = items.filter { !$0.isPinned }
    if let first = walked.first, let last = walked.last {
      if let touched = last.coverage, touched != stretch?.id, let lower = try Stretch.read(touched, in: db) {
        try touch(lower, walked)
      } else if stretch == nil {
        stretch = try Stretch.open(feed: pull.feedID, newest: first.id, now: now, in: db)
        try extend(with: walked)
      } else {
        try grow(walked)
      }
    }
    var cursor: String?
    switch next {
    case .after(let next): cursor = next.value.storable
    case .end: stretch?.reachedEnd = true
    case .refused: break
    }
    stretch?.version += 1
    try stretch?.write(now: now, in: db)
    try db.run(
      "UPDATE cursor SET coverage = ?, coverage_version = ?, pages = pages + 1, next = ? WHERE id = ?",
      [stretch?.id, stretch?.version ?? 0, cursor, pull.id]
    )
  }

  /// The page ends inside another stretch: what was walked and that one are one.
  private mutating func touch(_ lower: Stretch, _ walked: [FeedPlace]) throws {
    let first = walked.firstIndex { $0.coverage == lower.id } ?? walked.endIndex
    let above = Array(walked[..<first])
    if stretch == nil, let newest = above.first {
      stretch = try Stretch.open(feed: pull.feedID, newest: newest.id, now: now, in: db)
    }
    if stretch != nil, !above.isEmpty { try extend(with: above.filter { $0.coverage != stretch?.id }) }
    try tuck(walked[first...], into: lower)
    stretch = try stretch.map { try $0.joined(with: lower, in: db) } ?? lower
  }

  /// The page lies within the stretch, or goes on below it.
  private mutating func grow(_ walked: [FeedPlace]) throws {
    guard let stretch else { return }
    let last = walked.lastIndex { $0.coverage == stretch.id }
    let known = last.map { $0 + 1 } ?? walked.startIndex
    let bottom = try stretch.places(in: db)?.lowerBound
    let reachesBottom = last == nil || walked.contains { $0.coverage == stretch.id && $0.place == bottom }
    try tuck(reachesBottom ? walked[..<known] : walked[...], into: stretch)
    if reachesBottom { try extend(with: Array(walked[known...])) }
  }

  /// Items that stand below everything the stretch holds.
  private mutating func extend(with items: [FeedPlace]) throws {
    guard let stretch, let last = items.last else { return }
    var place = try stretch.places(in: db)?.lowerBound ?? 0
    for var item in items {
      place -= 1
      try move(&item, to: stretch.id, place: place)
    }
    self.stretch?.oldest = last.id
    self.stretch?.reachedEnd = false
  }

  /// Items that came late, into what was already walked: each takes the place of the one above it.
  private func tuck(_ items: ArraySlice<FeedPlace>, into stretch: Stretch) throws {
    var place = items.first { $0.coverage == stretch.id }?.place ?? 0
    for var item in items {
      if item.coverage == stretch.id, let known = item.place {
        place = known
      } else {
        try move(&item, to: stretch.id, place: place)
      }
    }
  }

  private func move(_ item: inout FeedPlace, to stretch: Int64, place: Int64) throws {
    let left = item.coverage
    (item.coverage, item.place) = (stretch, place)
    try item.write(feed: pull.feedID, now: now, in: db)
    if let left { try Stretch.removeIfEmpty(left, in: db) }
  }
}
