import GRDB

/// A stretch of a feed, in the server's order, of which nothing is missing.
struct Stretch {
  let id: Int64
  var newest: String
  var oldest: String
  var reachedEnd: Bool
  var version: Int

  static func read(_ id: Int64, in db: Database) throws -> Stretch? {
    let row = try db.row("SELECT newest, oldest, reached_end, version FROM coverage WHERE id = ?", [id])
    return row.map { Stretch(id: id, newest: $0[0], oldest: $0[1], reachedEnd: $0[2], version: $0[3]) }
  }

  static func open(feed: Int64, newest: String, now: String, in db: Database) throws -> Stretch {
    try db.run(
      "INSERT INTO coverage (feed, newest, oldest, walked_at) VALUES (?, ?, ?, ?)",
      [feed, newest, newest, now]
    )
    return Stretch(id: db.lastInsertedRowID, newest: newest, oldest: newest, reachedEnd: false, version: 0)
  }

  static func removeIfEmpty(_ id: Int64, in db: Database) throws {
    try db.run(
      "DELETE FROM coverage WHERE id = ? AND NOT EXISTS (SELECT 1 FROM feed_post WHERE coverage = coverage.id)",
      [id]
    )
  }

  func write(now: String, in db: Database) throws {
    try db.run(
      "UPDATE coverage SET newest = ?, oldest = ?, reached_end = ?, version = ?, walked_at = ? WHERE id = ?",
      [newest, oldest, reachedEnd ? 1 : 0, version, now, id]
    )
  }

  /// The lowest and the highest place in use.
  func places(in db: Database) throws -> ClosedRange<Int64>? {
    let row = try db.row(
      """
      SELECT (SELECT min(place) FROM feed_post WHERE coverage = ?1),
        (SELECT max(place) FROM feed_post WHERE coverage = ?1)
      """,
      [id]
    )
    guard let low: Int64 = row?[0], let high: Int64 = row?[1] else { return nil }
    return low...high
  }

  /// This stretch and the one that begins where it ends, as one. The rows of the shorter one move.
  func joined(with lower: Stretch, in db: Database) throws -> Stretch {
    guard let above = try places(in: db), let below = try lower.places(in: db) else {
      var widened = lower
      widened.newest = newest
      return widened
    }
    let isLonger = above.upperBound - above.lowerBound > below.upperBound - below.lowerBound
    var kept = isLonger ? self : lower
    let gone = isLonger ? lower : self
    let shift = isLonger ? above.lowerBound - 1 - below.upperBound : below.upperBound + 1 - above.lowerBound
    try db.run("UPDATE feed_post SET coverage = ?, place = place + ? WHERE coverage = ?", [kept.id, shift, gone.id])
    try db.run("UPDATE cursor SET coverage = ? WHERE coverage = ?", [kept.id, gone.id])
    try db.run("DELETE FROM coverage WHERE id = ?", [gone.id])
    (kept.newest, kept.oldest, kept.reachedEnd) = (newest, lower.oldest, lower.reachedEnd)
    return kept
  }
}

/// Where an item stands in its feed.
struct FeedPlace {
  let id: String
  let post: WrittenPost
  let isPinned: Bool
  let repeatedBy: Int64?
  let repeatedAt: String?
  var isDuplicate = false
  var row: Int64?
  var coverage: Int64?
  var place: Int64?

  init(id: String, post: WrittenPost, isPinned: Bool, repeatedBy: Int64?, repeatedAt: String?) {
    self.id = id
    self.post = post
    self.isPinned = isPinned
    self.repeatedBy = repeatedBy
    self.repeatedAt = repeatedAt
  }

  /// Reads what the feed's records say of the item.
  mutating func read(feed: Int64, in db: Database) throws {
    let found = try db.row("SELECT id, coverage, place FROM feed_post WHERE feed = ? AND remote_id = ?", [feed, id])
    (row, coverage, place) = (found?[0], found?[1], found?[2])
  }

  /// Writes the item's place.
  func write(feed: Int64, now: String, in db: Database) throws {
    guard let row else {
      return try db.run(
        """
        INSERT INTO feed_post (feed, remote_id, post, created_at, coverage, place, pinned, repeated_by, repeated_at,
          seen_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          feed, id, post.id, post.createdAt, coverage, place, isPinned ? 1 : 0, repeatedBy, repeatedAt, now,
        ]
      )
    }
    if isPinned { return }
    try db.run(
      "UPDATE feed_post SET coverage = ?, place = ?, pinned = 0, post = ?, created_at = ? WHERE id = ?",
      [coverage, place, post.id, post.createdAt, row]
    )
  }
}
