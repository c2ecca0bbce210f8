import Posts

/// Records where the items of a page stand that was asked for from below, and grows the stretch upwards.
///
/// A page counts only where it shows a post that the stretch holds: a server that answers with its newest posts instead
/// proves nothing of what lies between.
struct FeedClimb {
  private let db: Database
  private let pull: Pull
  private let now: String
  private let limit: MoveLimit
  private var stretch: Stretch
  /// The highest place that the page has shown so far.
  private var place: Int64 = .min
  private var isJoined = false
  /// The stretches below that are one with this one, and hold their rows still.
  private var lower: Set<Int64> = []
  /// Items of a stretch above that stand out of order.
  private var strays: Set<String> = []

  /// nil where the pull has no stretch to climb from.
  init?(db: Database, pull: Pull, now: String, standing: Standing, limit: MoveLimit) {
    guard let stretch = standing.stretch else { return nil }
    self.limit = limit
    self.db = db
    self.pull = pull
    self.now = now
    self.stretch = stretch
  }

  /// Writes the places, the stretch and the cursor.
  mutating func finish(_ items: FeedItems, above anchor: String) throws -> Climb {
    var walked = Array(items.inOrder.reversed())
    guard try proves(walked, above: anchor), let first = walked.firstIndex(where: { $0.coverage == stretch.id }) else {
      try items.writeLoose()
      try Standing(stretch: stretch).write(pull, items: items.count, next: nil, now: now, in: db)
      return .apart
    }
    // Of a server that gives few posts at once, a page of known ones may end below the top.
    let isTop = walked.last?.id == stretch.newest && walked.allSatisfy { $0.coverage != nil }
    try climb(&walked, from: first)
    try Standing(stretch: stretch, place: place).write(pull, items: items.count, next: nil, now: now, in: db)
    if isJoined { return .joined }
    // Two posts of this page are asked for again, so that the next page proves where it belongs.
    let passed = walked.filter { !strays.contains($0.id) }
    return isTop ? .top : .higher(anchor: passed[max(0, passed.count - 3)].id)
  }

  /// Whether a page, its oldest item first, is the one just above an id: it shows posts of the stretch that stand there,
  /// and none below.
  private func proves(_ walked: [FeedPlace], above anchor: String) throws -> Bool {
    let held = walked.filter { $0.coverage == stretch.id }.compactMap(\.place)
    let base: Int64? = try db.value(
      "SELECT place FROM feed_post WHERE feed = ? AND remote_id = ? AND coverage = ?",
      [pull.feedID, anchor, stretch.id]
    )
    guard let base, held.allSatisfy({ $0 >= base }),
      walked.prefix(3).contains(where: { $0.coverage == stretch.id })
    else { return false }
    // Its own top may be gone upstream: then two posts that stand below it tell as much.
    return try held.count > 1 || walked.contains { try stretch.isNearTop($0, in: db) }
  }

  /// From the page's oldest item to its newest.
  private mutating func climb(_ walked: inout [FeedPlace], from first: Int) throws {
    var loose = Array(walked[..<first])
    var index = first
    while index < walked.endIndex {
      let item = walked[index]
      if item.coverage == stretch.id, let known = item.place {
        // What stands between is late, or belongs above a post that is shown twice.
        try tuck(loose, at: max(known, place))
        loose = []
        place = max(place, known)
      } else if let id = item.coverage, lower.contains(id) {
        try tuck(loose, at: place)
        loose = []
      } else if let id = item.coverage, id > stretch.id, let upper = try Stretch.read(id, in: db) {
        // One post of the stretch above that stands among others was put there out of order.
        let hits = walked[index...].count { $0.coverage == id }
        guard try hits > 1 || upper.isNearBottom(item, in: db) else {
          strays.insert(item.id)
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
    try settle(loose)
  }

  /// Items that the page begins with: above the stretch where its top was shown, else by their dates.
  private mutating func settle(_ items: [FeedPlace]) throws {
    guard !items.isEmpty, let top = try stretch.top(in: db) else { return }
    guard place < top.place else { return try raise(items) }
    let isNewer = items.firstIndex { $0.moment > top.moment } ?? items.endIndex
    try tuck(Array(items[..<isNewer]), at: place)
    try raise(Array(items[isNewer...]))
  }

  /// Items that stand above everything the stretch holds, the lowest first.
  private mutating func raise(_ items: [FeedPlace]) throws {
    guard let last = items.last else { return }
    let top = try stretch.top(in: db)?.place ?? 0
    place = top + Int64(items.count)
    try stretch.file(items, of: pull.feedID, now: now, in: db) { top + 1 + Int64($0) }
    stretch.newest = last.id
  }

  private func tuck(_ items: [FeedPlace], at place: Int64) throws {
    try stretch.file(items, of: pull.feedID, now: now, in: db) { _ in place }
  }

  /// The stretch above begins where this one has come to.
  private mutating func join(_ upper: Stretch) throws {
    switch try upper.joined(with: stretch, within: limit, now: now, in: db) {
    case .whole(let joined, let border):
      // Until one of its posts is passed, the walk stands below all of them.
      (stretch, place) = (joined, border - 1)
    case .linked(let above, let below):
      lower.insert(below.id)
      (stretch, place) = (above, .min)
    }
    isJoined = true
  }
}

/// What a page that was asked for from below came to.
public enum Climb: Sendable, Hashable {
  /// It shows nothing of the stretch: where it belongs is unknown.
  case apart
  /// The stretch goes on above; the next page is the one above this id.
  case higher(anchor: String)
  /// It is one with the stretch above.
  case joined
  /// Nothing stands above it.
  case top
}
