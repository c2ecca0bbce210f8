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

/// The result of joining two intervals that touch.
enum Joint {
  /// They are merged. The upper one ended at this position.
  case whole(CoverageInterval, border: Int64)
  /// They count as one, but each still owns its rows: there are too many for one transaction.
  case linked(upper: CoverageInterval, lower: CoverageInterval)
}

extension CoverageInterval {
  /// Joins this interval and the one that begins where it ends. The rows of the shorter one move, immediately if they are
  /// within the limit.
  func joined(with lower: CoverageInterval, within limit: MoveLimit, now: String, in db: Database) throws -> Joint {
    guard let above = try positions(in: db), let below = try lower.positions(in: db) else {
      throw StorageError.io(path: "a coverage interval of the feed", reason: "it holds nothing")
    }
    let successors = (try Self.read(id, in: db)?.successor, try Self.read(lower.id, in: db)?.successor)
    let counts = (try count(atMost: limit.rows + 1, in: db), try lower.count(atMost: limit.rows + 1, in: db))
    let isLong = min(counts.0, counts.1) > limit.rows
    var isLonger = above.upperBound - above.lowerBound > below.upperBound - below.lowerBound
    if !isLong, counts.0 != counts.1 { isLonger = counts.0 > counts.1 }
    // An interval whose rows are to move elsewhere stays until they have moved.
    if successors.0 != nil { isLonger = true } else if successors.1 != nil { isLonger = false }
    let joint =
      try isLong
      ? link(with: lower, keepsUpper: isLonger, now: now, in: db)
      : merge(with: lower, above, below, keepsUpper: isLonger, in: db)
    let (kept, border) =
      switch joint {
      case .whole(let kept, let border): (kept, border)
      case .linked(let upper, _): (upper, above.lowerBound)
      }
    // What lay between the two is gone upstream, or they would not touch.
    let between: [Int64] = try db.values(
      """
      SELECT id FROM coverage
      WHERE feed = (SELECT feed FROM coverage WHERE id = $1) AND id > $2 AND id < $3 AND heir IS NULL
      """,
      [kept.id, lower.id, id]
    )
    for id in between {
      try CoverageInterval.read(id, in: db)?.dissolve(into: kept, position: border, within: limit, in: db)
    }
    return joint
  }

  private func merge(
    with lower: CoverageInterval, _ above: ClosedRange<Int64>, _ below: ClosedRange<Int64>, keepsUpper: Bool,
    in db: Database
  ) throws -> Joint {
    var kept = keepsUpper ? self : lower
    let gone = keepsUpper ? lower : self
    let shift = keepsUpper ? above.lowerBound - 1 - below.upperBound : below.upperBound + 1 - above.lowerBound
    try db.run("UPDATE feed_post SET coverage = $1, place = place + $2 WHERE coverage = $3", [kept.id, shift, gone.id])
    try gone.redirect(to: kept, in: db) { "\($0) + \(shift)" }
    try gone.remove(in: db)
    (kept.newest, kept.oldest, kept.reachedEnd, kept.next) = (newest, lower.oldest, lower.reachedEnd, lower.next)
    return .whole(kept, border: keepsUpper ? above.lowerBound : below.upperBound + 1)
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
    let shift = (try positions(in: db)?.lowerBound ?? 0) - 1 - theirs.upperBound
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
    while let last = parts.last, let lower = try last.continuation(in: db) { parts.append(lower) }
    return parts
  }

  private func continuation(in db: Database) throws -> CoverageInterval? {
    let id: Int64? = try db.value(
      "SELECT id FROM coverage WHERE (heir = $1 OR id = $2) AND heir_place IS NULL AND id < $1",
      [id, successorPosition == nil ? successor : nil]
    )
    return try id.flatMap { try Self.read($0, in: db) }
  }

  /// Whether the interval below is linked with this one, although their rows have not moved yet.
  func isLinked(with lower: CoverageInterval) -> Bool { lower.successor == id || successor == lower.id }

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
