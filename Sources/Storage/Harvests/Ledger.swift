import FoundationEssentials
import Posts
import Rows

// The ledger of harvests. A harvest's row is written before its first request and updated with every feed, so that it is
// correct whenever the process ends.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  /// How long every harvest is kept, in seconds. Of each earlier day, one is kept.
  static let remembered: TimeInterval = 365 * 86_400

  public func beginRun(of feeds: Int, process: Int32, now: Date) throws(StorageError) -> Int64 {
    try write { db in
      try Self.noteCutOff(in: db, now: now)
      return try db.insertNumbered(
        "INSERT INTO run (process, started_at, state, planned) VALUES (?, ?, 'open', ?)",
        [process, UTC.text(now), feeds]
      )
    }
  }

  /// How long, in seconds, a harvest may take to lease its own row in a library that machines share.
  private static let beginning: TimeInterval = 120

  /// Marks the harvests that ended without a word. On one machine a single harvest runs at a time, so all others have
  /// ended; on several machines those have whose lease `run N` has.
  private static func noteCutOff(in db: Database, now: Date) throws {
    guard db.engine == .postgresql else {
      return try db.run("UPDATE run SET state = 'cut off' WHERE state = 'open'")
    }
    try db.run(
      """
      UPDATE run SET state = 'cut off' WHERE state = 'open' AND started_at < ? AND NOT EXISTS (
        SELECT 1 FROM lease WHERE name = 'run ' || run.id AND until > clock_timestamp())
      """, [UTC.text(now - beginning)])
  }

  public func note(_ part: HarvestRun.Part, schedule: Follow.Schedule?, in run: Int64) throws(StorageError) {
    try write { db in
      let feed = try id(of: part.feed, in: db)
      try schedule?.write(of: feed, in: db)
      try Self.add(part.counts, feeds: 1, outcome: part.outcome, to: run, in: db)
      guard part.isEventful else { return }
      try db.run(
        """
        INSERT INTO run_feed (run, feed, outcome, failure, pages, requests, new, updated, unchanged, deleted, unreadable,
          pictures, pictures_failed, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [run, feed, part.outcome.rawValue, part.failure?.storable] + part.counts.arguments
      )
    }
  }

  public func add(_ counts: HarvestRun.Counts, to run: Int64) throws(StorageError) {
    try write { try Self.add(counts, feeds: 0, outcome: .well, to: run, in: $0) }
  }

  private static func add(
    _ counts: HarvestRun.Counts, feeds: Int, outcome: HarvestRun.Part.Outcome, to run: Int64, in db: Database
  ) throws {
    try db.run(
      """
      UPDATE run SET pages = pages + ?, requests = requests + ?, new = new + ?, updated = updated + ?,
        unchanged = unchanged + ?, deleted = deleted + ?, unreadable = unreadable + ?, pictures = pictures + ?,
        pictures_failed = pictures_failed + ?, bytes = bytes + ?, feeds = feeds + ?, failed = failed + ?,
        limited = limited + ? WHERE id = ?
      """,
      counts.arguments + [feeds, outcome == .failed ? 1 : 0, outcome == .limited ? 1 : 0, run]
    )
  }

  public func finishRun(
    _ run: Int64, as state: HarvestRun.State, code: Int32, requests: Int, bytes: Int64, waited: Duration, now: Date
  ) throws(StorageError) {
    try write { db in
      try db.run(
        """
        UPDATE run SET state = ?, code = ?, finished_at = ?, requests = ?, bytes = ?, waited = ? WHERE id = ?
        """,
        [state.rawValue, code, UTC.text(now), requests, bytes, waited / .seconds(1), run]
      )
      let old = UTC.text(now.addingTimeInterval(-Self.remembered))
      try db.run("DELETE FROM run_feed WHERE run IN (SELECT id FROM run WHERE started_at < ?)", [old])
      try db.run("DELETE FROM run_notice WHERE run IN (SELECT id FROM run WHERE started_at < ?)", [old])
      try db.run(
        """
        DELETE FROM run WHERE started_at < ?1 AND id NOT IN (SELECT id FROM (
          SELECT id, row_number() OVER (PARTITION BY substr(started_at, 1, 10) ORDER BY new DESC, id) AS place
          FROM run WHERE started_at < ?1) WHERE place = 1)
        """,
        [old]
      )
    }
  }

  public func runs(limit: Int) throws(StorageError) -> [HarvestRun] {
    try read { db in
      try db.rows("SELECT * FROM run ORDER BY id DESC LIMIT ?", [limit]) { row in
        try HarvestRun(row, parts: { try Self.parts(of: $0, in: db) }, notices: { try Self.notices(of: $0, in: db) })
      }
    }
  }

  private static func parts(of run: Int64, in db: Database) throws -> [HarvestRun.Part] {
    try db.rows(
      """
      SELECT f.source, f.kind, f.value, f.server, p.* FROM run_feed p JOIN feed f ON f.id = p.feed
      WHERE p.run = ? ORDER BY p.id
      """,
      [run]
    ) { try HarvestRun.Part(row: $0) }.compactMap(\.self)
  }
}

extension HarvestRun.Part {
  /// nil if its feed or its outcome is unknown.
  fileprivate init?(row: some RowReading) throws {
    guard let feed = try Feed(row), let outcome = Outcome(rawValue: try row["outcome"]) else { return nil }
    try self.init(feed: feed, outcome: outcome, counts: HarvestRun.Counts(row), failure: row["failure"])
  }
}
