import Rows

/// Merges the coverage of one feed. An interval is claimed only if all its items are stored, and if nothing is claimed of it
/// yet: so the library claims less than both did rather than more.
struct CoverageMerge {
  let db: Database
  let feed: Int64
  /// How many intervals are not claimed.
  private(set) var left = 0
  /// The library's numbers of the transferred intervals.
  private var numbers: [Int64: Int64] = [:]

  init(db: Database, feed: Int64) { (self.db, self.feed) = (db, feed) }

  mutating func merge(_ transferred: TransferredFeed) throws {
    for interval in transferred.coverage where interval.count == TransferColumns.coverage.count {
      guard let id = interval[0].integer else { continue }
      if let known = try known(interval) {
        numbers[id] = known
      } else if try isFree(interval) {
        numbers[id] = try claim(interval, id)
      } else if try !isCovered(interval, id) {
        left += 1
      }
    }
    try link(transferred.coverage)
    for pull in transferred.pulls where pull.count == TransferColumns.pull.count { try add(pull) }
  }

  /// The interval that the library has with the same ends.
  private func known(_ interval: [ColumnContent]) throws -> Int64? {
    try db.value(
      "SELECT id FROM coverage WHERE feed = ? AND newest = ? AND oldest = ?",
      [feed, interval[1].argument, interval[2].argument])
  }

  private func count(_ condition: String, _ id: Int64) throws -> Int64 {
    try db.value(
      """
      SELECT count(*) FROM merged_item m JOIN feed_post b ON b.id = m.row
      WHERE m.feed = ? AND m.coverage = ? AND \(condition)
      """, [feed, id]) ?? 0
  }

  /// Whether all its items are stored, and belong to intervals of the library.
  private func isCovered(_ interval: [ColumnContent], _ id: Int64) throws -> Bool {
    try count("b.coverage IS NOT NULL", id) == interval[9].integer
  }

  /// Whether all items of an interval are stored, none belongs to an interval of the library, and those lie below it.
  private func isFree(_ interval: [ColumnContent]) throws -> Bool {
    guard let id = interval[0].integer, let items = interval[9].integer, items > 0,
      try count("b.coverage IS NULL", id) == items, try count("TRUE", id) == items
    else { return false }
    // Numbers of intervals grow towards the newest.
    let (oldest, newest): (String?, String?) = try (
      db.value(
        """
        SELECT min(coalesce(b.repeated_at, b.created_at)) FROM merged_item m JOIN feed_post b ON b.id = m.row
        WHERE m.feed = ? AND m.coverage = ?
        """, [feed, id]),
      db.value(
        """
        SELECT max(coalesce(b.repeated_at, b.created_at)) FROM feed_post b JOIN coverage c ON c.id = b.coverage
        WHERE c.feed = ? AND c.id NOT IN (SELECT value FROM json_each(?))
        """, [feed, numbers.values.jsonList])
    )
    return try (newest ?? "") <= (oldest ?? "") && hasEdges(interval)
  }

  private func hasEdges(_ interval: [ColumnContent]) throws -> Bool {
    try [interval[1], interval[2]].allSatisfy { edge in
      try db.hasRow(
        """
        SELECT 1 FROM feed_post WHERE feed = ?1 AND remote_id = ?2
        UNION ALL SELECT 1 FROM unreadable WHERE feed = ?1 AND remote_id = ?2
        """, [feed, edge.argument])
    }
  }

  private func claim(_ interval: [ColumnContent], _ id: Int64) throws -> Int64 {
    let number = try db.insertNumbered(
      into: "coverage", "feed, newest, oldest, reached_end, walked_at, version, next",
      [feed] + interval[1..<7].map(\.argument))
    try db.run(
      """
      UPDATE feed_post SET coverage = ?1, place = m.place FROM merged_item m
      WHERE m.row = feed_post.id AND m.feed = ?2 AND m.coverage = ?3
      """, [number, feed, id])
    return number
  }

  /// Intervals that were to become part of others still are.
  private func link(_ coverage: [[ColumnContent]]) throws {
    for interval in coverage {
      guard let id = interval[0].integer.flatMap({ numbers[$0] }),
        let heir = interval[7].integer.flatMap({ numbers[$0] }),
        id != heir
      else { continue }
      try db.run(
        "UPDATE coverage SET heir = ?, heir_place = ? WHERE id = ? AND heir IS NULL",
        [heir, interval[8].argument, id])
    }
  }

  private func add(_ pull: [ColumnContent]) throws {
    let isKnown = try db.hasRow(
      "SELECT 1 FROM cursor WHERE feed = ? AND started_at = ?", [feed, pull[11].argument])
    let number = pull[0].integer.flatMap { numbers[$0] }
    // A pull whose interval is not claimed has nowhere to continue.
    guard !isKnown, pull[0] == .null || number != nil else { return }
    try db.insert(
      into: "cursor", "feed, state, \(TransferColumns.pull.sql)",
      [feed, "unfinished", number] + pull.dropFirst().map(\.argument))
  }
}
