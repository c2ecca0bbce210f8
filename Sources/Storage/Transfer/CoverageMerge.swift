import Rows

/// Merges the coverage of one feed. An interval is claimed only if all its items are stored, and if nothing is claimed of it
/// yet: so the library claims less than both did rather than more.
struct CoverageMerge {
  let db: Database
  let feed: Int64
  /// How many intervals are not claimed.
  private(set) var left = 0
  /// What this library numbers, counts or links itself.
  private static let assigned: [TransferColumns.Coverage] = [.id, .heir, .heirPlace, .items]
  /// The library's numbers of the transferred intervals.
  private var numbers: [Int64: Int64] = [:]

  init(db: Database, feed: Int64) { (self.db, self.feed) = (db, feed) }

  mutating func merge(_ transferred: TransferredFeed) throws {
    for interval in transferred.coverage {
      guard let id = interval[.id].integer else { continue }
      if let known = try known(interval) {
        numbers[id] = known
      } else if try isFree(interval) {
        numbers[id] = try claim(interval, id)
      } else if try !isCovered(interval, id) {
        left += 1
      }
    }
    try link(transferred.coverage)
    for pull in transferred.pulls { try add(pull) }
  }

  /// The interval that the library has with the same ends.
  private func known(_ interval: RecordFields<TransferColumns.Coverage>) throws -> Int64? {
    try db.value(
      "SELECT id FROM coverage WHERE feed = $1 AND newest = $2 AND oldest = $3",
      [feed, interval[.newest].argument, interval[.oldest].argument])
  }

  private func count(_ condition: String, _ id: Int64) throws -> Int64 {
    try db.value(
      """
      SELECT count(*) FROM merged_item m JOIN feed_post b ON b.id = m.row
      WHERE m.feed = $1 AND m.coverage = $2 AND \(condition)
      """, [feed, id]) ?? 0
  }

  /// Whether all its items are stored, and belong to intervals of the library.
  private func isCovered(_ interval: RecordFields<TransferColumns.Coverage>, _ id: Int64) throws -> Bool {
    try count("b.coverage IS NOT NULL", id) == interval[.items].integer
  }

  /// Whether all items of an interval are stored, none belongs to an interval of the library, and those lie below it.
  private func isFree(_ interval: RecordFields<TransferColumns.Coverage>) throws -> Bool {
    guard let id = interval[.id].integer, let items = interval[.items].integer, items > 0,
      try count("b.coverage IS NULL", id) == items, try count("TRUE", id) == items
    else { return false }
    // Numbers of intervals grow towards the newest.
    let (oldest, newest): (String?, String?) = try (
      db.value(
        """
        SELECT min(coalesce(b.repeated_at, b.created_at)) FROM merged_item m JOIN feed_post b ON b.id = m.row
        WHERE m.feed = $1 AND m.coverage = $2
        """, [feed, id]),
      db.value(
        """
        SELECT max(coalesce(b.repeated_at, b.created_at)) FROM feed_post b JOIN coverage c ON c.id = b.coverage
        WHERE c.feed = $1 AND c.id NOT IN (SELECT value FROM \(db.each)($2))
        """, [feed, numbers.values.jsonList])
    )
    return try (newest ?? "") <= (oldest ?? "") && hasEdges(interval)
  }

  private func hasEdges(_ interval: RecordFields<TransferColumns.Coverage>) throws -> Bool {
    try [interval[.newest], interval[.oldest]].allSatisfy { edge in
      try db.hasRow(
        """
        SELECT 1 FROM feed_post WHERE feed = $1 AND remote_id = $2
        UNION ALL SELECT 1 FROM unreadable WHERE feed = $1 AND remote_id = $2
        """, [feed, edge.argument])
    }
  }

  private func claim(_ interval: RecordFields<TransferColumns.Coverage>, _ id: Int64) throws -> Int64 {
    let number = try db.insertNumbered(
      into: "coverage", "feed, \(RecordFields<TransferColumns.Coverage>.list(except: Self.assigned))",
      [feed] + interval.arguments(except: Self.assigned))
    try db.run(
      """
      UPDATE feed_post SET coverage = $1, place = m.place FROM merged_item m
      WHERE m.row = feed_post.id AND m.feed = $2 AND m.coverage = $3
      """, [number, feed, id])
    return number
  }

  /// Intervals that were to become part of others still are.
  private func link(_ coverage: [RecordFields<TransferColumns.Coverage>]) throws {
    for interval in coverage {
      guard let id = interval[.id].integer.flatMap({ numbers[$0] }),
        let successor = interval[.heir].integer.flatMap({ numbers[$0] }),
        id != successor
      else { continue }
      try db.run(
        "UPDATE coverage SET heir = $1, heir_place = $2 WHERE id = $3 AND heir IS NULL",
        [successor, interval[.heirPlace].argument, id])
    }
  }

  private func add(_ pull: RecordFields<TransferColumns.Pull>) throws {
    let isKnown = try db.hasRow(
      "SELECT 1 FROM cursor WHERE feed = $1 AND started_at = $2", [feed, pull[.startedAt].argument])
    let number = pull[.coverage].integer.flatMap { numbers[$0] }
    // A pull whose interval is not claimed has nowhere to continue.
    guard !isKnown, pull[.coverage] == .null || number != nil else { return }
    try db.insert(
      into: "cursor", "feed, state, coverage, \(RecordFields<TransferColumns.Pull>.list(except: [.coverage]))",
      [feed, "unfinished", number] + pull.arguments(except: [.coverage]))
  }
}
