import Coverage
import Posts
import Rows

// Rows that move from an interval to its successor, some in each transaction. The two already count as one. After each step each
// of them claims only what its rows prove, and nothing is missing between them.

extension Store {
  /// Moves the rows of joined intervals, until none are left or the limit is reached.
  func finishJoins(of feed: Feed) throws(StorageError) {
    let id: Int64? = try read { try $0.value("SELECT id FROM feed WHERE name = $1", [feed.name]) }
    if let id { try finishJoins(of: id) }
  }

  func finishJoins(of feed: Int64) throws(StorageError) { try finishJoins(where: IntervalMove.ofFeed, [feed]) }

  /// Runs one transaction that writes, when the rows of a feed have moved.
  func writeJoined<Value>(_ feed: Feed, _ body: (Database) throws -> Value) throws(StorageError) -> Value {
    // On a server, a transaction that asks conflicts with those that join intervals of other feeds.
    guard writer.engine == .sqlite else {
      try finishJoins(of: feed)
      return try write(body)
    }
    // Few feeds have rows to move, so that it need not be asked before.
    let value: Value? = try write { db in
      let id: Int64? = try db.value("SELECT id FROM feed WHERE name = $1", [feed.name])
      if let id, try IntervalMove.isPending(of: id, in: db) { return nil }
      return try body(db)
    }
    if let value { return value }
    try finishJoins(of: feed)
    return try write(body)
  }

  /// Moves the rows of all feeds. The caller prevents pulls.
  func finishJoins() throws(StorageError) { try finishJoins(where: "TRUE", []) }

  private func finishJoins(where condition: String, _ arguments: Arguments) throws(StorageError) {
    let next = { (db: Database) in try IntervalMove.next(where: condition, arguments, in: db) }
    guard try readOnce({ try next($0) != nil }) else { return }
    var steps = moves.steps
    while steps > 0, try write({ [moves] in try next($0)?.step(atMost: moves.rows, in: $0) != nil }) {
      steps -= 1
      if steps > 0 { moves.rest() }
    }
  }
}

/// One step of moving an interval's rows to its successor.
struct IntervalMove {
  private let gone: CoverageInterval
  private let kept: CoverageInterval

  /// An interval into which nothing else is to move. Nil if no rows are to be moved.
  static func next(where condition: String, _ arguments: Arguments, in db: Database) throws -> IntervalMove? {
    let id: Int64? = try db.value(
      """
      SELECT id FROM coverage c \(db.index("coverage_heir"))
      WHERE heir IS NOT NULL AND \(condition) AND NOT EXISTS (SELECT 1 FROM coverage WHERE heir = c.id) LIMIT 1
      """, arguments)
    guard let gone = try id.flatMap({ try CoverageInterval.read($0, in: db) }),
      let kept = try gone.successor.flatMap({ try CoverageInterval.read($0, in: db) })
    else { return nil }
    return IntervalMove(gone: gone, kept: kept)
  }

  /// The condition on the intervals of a feed.
  static let ofFeed = "feed = $1"

  /// Whether rows of a feed are to be moved.
  static func isPending(of feed: Int64, in db: Database) throws -> Bool {
    try next(where: ofFeed, [feed], in: db) != nil
  }

  /// Moves some rows. Removes the interval with the last of them.
  func step(atMost most: Int, in db: Database) throws {
    guard let position = gone.successorPosition else { return try append(atMost: most, in: db) }
    try db.run(
      """
      UPDATE feed_post SET coverage = $1, place = $2
      WHERE id IN (SELECT id FROM feed_post WHERE coverage = $3 ORDER BY place LIMIT $4)
      """,
      [kept.id, position, gone.id, most]
    )
    guard try gone.edges(in: db) == nil else { return try CoverageInterval.tighten(gone.id, for: kept.id, in: db) }
    try end(in: db)
  }

  /// Whether the rows are above the successor.
  private var isAbove: Bool { gone.id > kept.id }

  /// Moves the rows nearest to the successor beyond its end, whole positions if possible.
  private func append(atMost most: Int, in db: Database) throws {
    guard let theirs = try gone.positions(in: db), let ours = try kept.positions(in: db) else { return try end(in: db) }
    let shift = theirs.shift(isAbove ? .up : .down, beyond: ours)
    try db.run(
      "UPDATE feed_post SET coverage = $1, place = place + $2 WHERE id IN (SELECT value FROM \(db.each)($3))",
      [kept.id, shift, try rows(atMost: most, in: db)]
    )
    guard let left = try gone.positions(in: db), let edges = try gone.edges(in: db),
      let ends = try kept.edges(in: db)
    else { return try end(shift, beyond: ours, in: db) }
    let condition = isAbove ? "AND place < \(left.lowerBound)" : "AND place > \(left.upperBound)"
    try carry(shift, beyond: ours, condition, in: db)
    let (top, bottom) = isAbove ? (kept.id, gone.id) : (gone.id, kept.id)
    try db.run("UPDATE coverage SET newest = $1 WHERE id = $2", [isAbove ? ends.newest : edges.newest, top])
    try db.run("UPDATE coverage SET oldest = $1 WHERE id = $2", [isAbove ? edges.oldest : ends.oldest, bottom])
  }

  /// The numbers of the rows nearest to the successor, as a list in JSON.
  private func rows(atMost most: Int, in db: Database) throws -> String {
    let order = isAbove ? "place, created_at" : "place DESC, created_at DESC"
    let rows = try db.rows(
      "SELECT id, place FROM feed_post WHERE coverage = $1 ORDER BY \(order) LIMIT $2", [gone.id, most]
    ) { (id: try $0["id"] as Int64, position: try $0["place"] as Int64) }
    // Rows that share a position with rows that stay wait for them, unless all rows share it.
    let isCut = rows.count == most && rows.first?.position != rows.last?.position
    let moved = isCut ? rows.filter { $0.position != rows.last?.position } : rows
    return "[" + moved.map { String($0.id) }.joined(separator: ",") + "]"
  }

  /// Moves the checkpoints of pulls with their rows. A running pull does not notice.
  private func carry(
    _ shift: Int64, beyond ours: ClosedRange<Int64>, _ condition: String = "", in db: Database
  ) throws {
    let position =
      isAbove ? "\(db.greatest)(place + $2, \(ours.upperBound + 1))" : "\(db.least)(place + $2, \(ours.lowerBound))"
    try db.run(
      """
      UPDATE cursor SET coverage = $1, place = \(position), coverage_version = iif(coverage_version = $3, $4, -1)
      WHERE coverage = $5 \(condition)
      """,
      [kept.id, shift, gone.version, kept.version, gone.id]
    )
  }

  /// All rows have moved: the successor's end becomes the common end.
  private func end(_ shift: Int64, beyond ours: ClosedRange<Int64>, in db: Database) throws {
    try carry(shift, beyond: ours, in: db)
    if isAbove {
      try db.run("UPDATE coverage SET newest = $1 WHERE id = $2", [gone.newest, kept.id])
    } else {
      try db.run(
        "UPDATE coverage SET oldest = $1, reached_end = $2, next = $3 WHERE id = $4",
        [gone.oldest, gone.reachedEnd ? 1 : 0, gone.next, kept.id]
      )
    }
    try end(in: db)
  }

  private func end(in db: Database) throws {
    try db.run("UPDATE cursor SET coverage = $1, place = NULL WHERE coverage = $2", [kept.id, gone.id])
    try gone.remove(in: db)
  }
}
