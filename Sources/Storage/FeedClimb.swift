import GRDB
import Posts

/// Records where the items of a page stand that was asked for from below, and grows the stretch upwards.
///
/// A page counts only where it shows a post that the stretch holds: a server that answers with its newest posts instead
/// proves nothing of what lies between.
struct FeedClimb {
  private let db: Database
  private let pull: Pull
  private let now: String
  private var stretch: Stretch
  /// The highest place that the page has shown so far.
  private var place: Int64 = .min
  private var isJoined = false

  /// nil where the pull has no stretch to climb from.
  init?(db: Database, pull: Pull, now: String, standing: Standing) {
    guard let stretch = standing.stretch else { return nil }
    self.db = db
    self.pull = pull
    self.now = now
    self.stretch = stretch
  }

  /// Writes the places, the stretch and the cursor.
  mutating func finish(_ items: FeedItems) throws -> Climb {
    var walked = Array(items.inOrder.reversed())
    guard let first = walked.firstIndex(where: { $0.coverage == stretch.id }) else {
      try items.writeLoose()
      try Standing(stretch: stretch).write(pull, items: items.count, next: nil, now: now, in: db)
      return .apart
    }
    let top = try stretch.top(in: db)?.place
    let count = walked.count { $0.coverage == nil }
    try climb(&walked, from: first)
    try Standing(stretch: stretch, place: place).write(pull, items: items.count, next: nil, now: now, in: db)
    if isJoined { return .joined }
    let isHigher = try stretch.top(in: db)?.place != top
    // Two posts of this page are asked for again, so that the next page proves where it belongs.
    return isHigher || count > 0 ? .higher(anchor: walked[max(0, walked.count - 3)].id) : .top
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
      } else if let id = item.coverage, id > stretch.id, let upper = try Stretch.read(id, in: db) {
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
    place = try stretch.top(in: db)?.place ?? 0
    for item in items {
      place += 1
      try move(item, to: place)
    }
    stretch.newest = last.id
  }

  private func tuck(_ items: [FeedPlace], at place: Int64) throws {
    for item in items { try move(item, to: place) }
  }

  private func move(_ item: FeedPlace, to place: Int64) throws {
    var item = item
    let left = item.coverage
    (item.coverage, item.place) = (stretch.id, place)
    try item.write(feed: pull.feedID, now: now, in: db)
    if let left, left != stretch.id { try Stretch.tighten(left, for: stretch.id, in: db) }
  }

  /// The stretch above begins where this one has come to.
  private mutating func join(_ upper: Stretch) throws {
    (stretch, place) = try upper.joined(with: stretch, in: db)
    // Until one of its posts is passed, the walk stands below all of them.
    place -= 1
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
