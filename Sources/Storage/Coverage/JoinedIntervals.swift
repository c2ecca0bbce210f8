import Coverage
import Glibc

// Two intervals that turn out to be one, or parts of one.

/// How many rows move from one interval to another in one transaction.
struct MoveLimit: Sendable {
  /// The rows of one transaction.
  var rows = 2000
  /// The transactions that follow a page. The next pull of the feed first moves what they leave.
  var steps = Int.max
  /// Waits between two transactions. Another process that wants to write looks for a gap only now and then.
  var rest: @Sendable () -> Void = { _ = poll(nil, 0, restInMilliseconds) }

  private static let restInMilliseconds: CInt = 5
}

extension CoverageInterval {
  /// Joins this interval and the one that begins where it ends. The rows of the shorter one move, immediately if they are
  /// within the limit.
  func joined(with lower: CoverageInterval, within limit: MoveLimit, now: String, in db: Database) throws -> Joint {
    guard let above = try positions(in: db), let below = try lower.positions(in: db) else {
      throw StorageError.io(path: "a coverage interval of the feed", reason: "it holds nothing")
    }
    let areMoving = (try Self.read(id, in: db)?.successor != nil, try Self.read(lower.id, in: db)?.successor != nil)
    let counts = (try count(atMost: limit.rows + 1, in: db), try lower.count(atMost: limit.rows + 1, in: db))
    let joining = Joining(above, below, counts: counts, areMoving: areMoving, most: limit.rows)
    let joint =
      try joining.isLong
      ? link(with: lower, keepsUpper: joining.keepsUpper, now: now, in: db) : merge(with: lower, joining, in: db)
    let kept = joining.isLong || joining.keepsUpper ? self : lower
    // What lay between the two is gone upstream, or they would not touch.
    for other in try Self.all("feed = $1 AND id > $2 AND id < $3 AND heir IS NULL", [feed, lower.id, id], in: db) {
      try other.dissolve(into: kept, position: joining.border, within: limit, in: db)
    }
    return joint
  }

  private func merge(with lower: CoverageInterval, _ joining: Joining, in db: Database) throws -> Joint {
    var kept = joining.keepsUpper ? self : lower
    let gone = joining.keepsUpper ? lower : self
    try db.run(
      "UPDATE feed_post SET coverage = $1, place = place + $2 WHERE coverage = $3", [kept.id, joining.shift, gone.id])
    try gone.redirect(to: kept, in: db) { "\($0) + \(joining.shift)" }
    try gone.remove(in: db)
    (kept.newest, kept.oldest, kept.reachedEnd, kept.next) = (newest, lower.oldest, lower.reachedEnd, lower.next)
    return .whole(kept, border: joining.border)
  }

  private func link(with lower: CoverageInterval, keepsUpper: Bool, now: String, in db: Database) throws -> Joint {
    var upper = self
    var lower = lower
    (upper.reachedEnd, upper.next) = (false, nil)
    upper.version += 1
    if keepsUpper { lower.successor = id } else { upper.successor = lower.id }
    for part in [upper, lower] {
      try part.write(now: now, in: db)
      try db.run("UPDATE coverage SET heir = $1 WHERE id = $2 AND heir IS NULL", [part.successor, part.id])
    }
    return .linked(upper: upper, lower: lower)
  }

  /// Moves the upper part of another interval, with its posts that are gone upstream, below everything in this one.
  func moveRows(from other: CoverageInterval, downTo position: Int64, in db: Database) throws {
    guard let theirs = try other.positions(in: db) else { return }
    let shift = theirs.shift(.down, beyond: try positions(in: db) ?? 0...0)
    for table in ["feed_post", "cursor"] {
      try db.run(
        "UPDATE \(table) SET coverage = $1, place = place + $2 WHERE coverage = $3 AND place >= $4",
        [id, shift, other.id, position]
      )
    }
    try Self.tighten(other.id, for: id, in: db)
  }

  /// Moves its rows to one position of another interval: immediately, or in steps if there are too many.
  func dissolve(into other: CoverageInterval, position: Int64, within limit: MoveLimit, in db: Database) throws {
    try redirect(to: other, in: db) { _ in "\(position)" }
    guard try count(atMost: limit.rows + 1, in: db) <= limit.rows else {
      return try db.run("UPDATE coverage SET heir = $1, heir_place = $2 WHERE id = $3", [other.id, position, id])
    }
    try db.run("UPDATE feed_post SET coverage = $1, place = $2 WHERE coverage = $3", [other.id, position, id])
    try remove(in: db)
  }

  /// Moves the checkpoints in this interval to its successor, and redirects the intervals that were to move into it.
  private func redirect(to successor: CoverageInterval, in db: Database, at position: (String) -> String) throws {
    try db.run("UPDATE cursor SET coverage = $1, place = \(position("place")) WHERE coverage = $2", [successor.id, id])
    try db.run(
      "UPDATE coverage SET heir = $1, heir_place = \(position("heir_place")) WHERE heir = $2 AND id <> $3",
      [successor.id, id, successor.id]
    )
  }

  func remove(in db: Database) throws { try db.run("DELETE FROM coverage WHERE id = $1", [id]) }

  /// The number of items from a position upwards, or of all, counted up to a limit.
  func count(from position: Int64 = .min, atMost most: Int, in db: Database) throws -> Int {
    try count("place >= $2", position, atMost: most, in: db)
  }

  /// The number of items whose position meets a condition on `$2`, counted up to a limit.
  func count(_ condition: String, _ position: Int64, atMost most: Int, in db: Database) throws -> Int {
    let sql = "SELECT count(*) FROM (SELECT 1 FROM feed_post WHERE coverage = $1 AND \(condition) LIMIT $3) AS counted"
    return try db.value(sql, [id, position, most]) ?? 0
  }

  // MARK: Parts of one

  /// This interval and the lower ones that are linked with it, although their rows have not moved yet.
  func continued(in db: Database) throws -> [CoverageInterval] {
    var parts = [self]
    while let last = parts.last,
      let lower = try Self.all(
        "(heir = $1 OR id = $2) AND heir_place IS NULL AND id < $1",
        [last.id, last.successorPosition == nil ? last.successor : nil], in: db
      ).first
    {
      parts.append(lower)
    }
    return parts
  }

  /// The interval that receives all its rows in the end, or itself if they stay.
  func root(in db: Database) throws -> CoverageInterval {
    var root = self
    var seen: Set<Int64> = []
    while let successor = root.successor, seen.insert(successor).inserted, let next = try Self.read(successor, in: db) {
      root = next
    }
    return root
  }
}
