import FoundationEssentials
import Machine
import Posts
import Rows

// The ledger of harvests. A harvest's row is written before its first request and updated with every feed, so that it is
// correct whenever the process ends.

extension Store {
  /// How long every harvest is kept, in seconds. Of each earlier day, one is kept.
  static let remembered: TimeInterval = 365 * 86_400

  /// Records the start of a harvest. The caller holds the harvest lock: open harvests become `cutOff`.
  ///
  /// - Parameters:
  ///   - feeds: The number of feeds to pull.
  ///   - process: The process id.
  ///   - now: The current time.
  /// - Returns: The number of the harvest.
  /// - Throws: `StorageError` if the library cannot be written.
  public func beginRun(of feeds: Int, process: Int32, now: Date) throws(StorageError) -> Int64 {
    try write { db in
      try Self.noteCutOff(in: db, now: now)
      return try db.insertNumbered(
        "INSERT INTO run (process, started_at, state, planned) VALUES ($1, $2, 'open', $3)",
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
      UPDATE run SET state = 'cut off' WHERE state = 'open' AND started_at < $1 AND NOT EXISTS (
        SELECT 1 FROM lease WHERE name = 'run ' || run.id AND until > clock_timestamp())
      """, [UTC.text(now - beginning)])
  }

  /// Records the result of a feed.
  ///
  /// - Parameters:
  ///   - part: The result.
  ///   - next: Returns the feed's new schedule if the feed is followed, or nil to leave it unchanged.
  ///   - run: The number of the harvest.
  ///   - events: What happened since the last result.
  /// - Returns: Whether the feed is followed.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  public func note(
    _ part: HarvestRun.Part, in run: Int64, events: [LogLine] = [],
    schedule next: (Follow) -> Follow.Schedule? = { _ in nil }
  ) throws(StorageError) -> Bool {
    try write { db in
      let feed = try id(of: part.feed, in: db)
      let follow = try Self.follow(of: part.feed, in: db)
      try follow.flatMap(next)?.write(of: feed, in: db)
      try Self.add(part.counts, feeds: 1, outcome: part.outcome, to: run, in: db)
      try Self.keep(events, of: run, in: db)
      if part.isEventful { try Self.insert(part, of: feed, in: run, db) }
      return follow != nil
    }
  }

  private static func insert(_ part: HarvestRun.Part, of feed: Int64, in run: Int64, _ db: Database) throws {
    try db.run(
      """
      INSERT INTO run_feed (run, feed, outcome, failure, pages, requests, new, updated, unchanged, deleted, unreadable,
        pictures, pictures_failed, bytes) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
      """,
      [run, feed, part.outcome.rawValue, part.failure?.storable] + part.counts.arguments
    )
  }

  /// Records a pull by hand, once it has ended. It belongs to no harvest, and a harvest may run meanwhile.
  ///
  /// - Parameters:
  ///   - part: The result. A feed without a row, as one that never answered, gets none by it: the events name it.
  ///   - state: How it ended.
  ///   - code: The exit status.
  ///   - start: When it began.
  ///   - events: What happened.
  ///   - now: The current time.
  /// - Throws: `StorageError` if the library cannot be written.
  public func recordPull(
    _ part: HarvestRun.Part, as state: HarvestRun.State, code: Int32, from start: Date, events: [LogLine], now: Date
  ) throws(StorageError) {
    try write { db in
      let run = try db.insertNumbered(
        "INSERT INTO run (process, started_at, finished_at, state, code, planned) VALUES (0, $1, $2, $3, $4, 1)",
        [UTC.text(start), UTC.text(now), state.rawValue, code]
      )
      try Self.add(part.counts, feeds: 1, outcome: part.outcome, to: run, in: db)
      try Self.keep(events, of: run, in: db)
      // Even of one that brought nothing, it is asked what was pulled.
      if let feed: Int64 = try db.value("SELECT id FROM feed WHERE name = $1", [part.feed.name]) {
        try Self.insert(part, of: feed, in: run, db)
      }
      try Self.forgetOld(in: db, now: now)
    }
  }

  /// Adds counts that belong to no feed: pictures that were tried again.
  ///
  /// - Parameter events: What happened since the last result.
  /// - Throws: `StorageError` if the library cannot be written.
  public func add(_ counts: HarvestRun.Counts, to run: Int64, events: [LogLine] = []) throws(StorageError) {
    try write { db in
      try Self.add(counts, feeds: 0, outcome: .well, to: run, in: db)
      try Self.keep(events, of: run, in: db)
    }
  }

  private static func add(
    _ counts: HarvestRun.Counts, feeds: Int, outcome: HarvestRun.Part.Outcome, to run: Int64, in db: Database
  ) throws {
    try db.run(
      """
      UPDATE run SET pages = pages + $1, requests = requests + $2, new = new + $3, updated = updated + $4,
        unchanged = unchanged + $5, deleted = deleted + $6, unreadable = unreadable + $7, pictures = pictures + $8,
        pictures_failed = pictures_failed + $9, bytes = bytes + $10, feeds = feeds + $11, failed = failed + $12,
        limited = limited + $13 WHERE id = $14
      """,
      counts.arguments + [feeds, outcome == .failed ? 1 : 0, outcome == .limited ? 1 : 0, run]
    )
  }

  /// Records the end of a harvest. Of harvests older than a year, only the one with the most new posts of each day is kept.
  ///
  /// - Parameters:
  ///   - run: The number of the harvest.
  ///   - state: How it ended.
  ///   - code: The exit status.
  ///   - requests: All its requests.
  ///   - bytes: All bytes received over the network.
  ///   - waited: The total time that requests waited.
  ///   - events: What happened since the last result.
  ///   - now: The current time.
  /// - Throws: `StorageError` if the library cannot be written.
  public func finishRun(
    _ run: Int64, as state: HarvestRun.State, code: Int32, requests: Int, bytes: Int64, waited: Duration,
    events: [LogLine] = [], now: Date
  ) throws(StorageError) {
    try write { db in
      try db.run(
        """
        UPDATE run SET state = $1, code = $2, finished_at = $3, requests = $4, bytes = $5, waited = $6 WHERE id = $7
        """,
        [state.rawValue, code, UTC.text(now), requests, bytes, waited / .seconds(1), run]
      )
      try Self.keep(events, of: run, in: db)
      try Self.forgetOld(in: db, now: now)
    }
  }

  private static func forgetOld(in db: Database, now: Date) throws {
    let old = UTC.text(now.addingTimeInterval(-remembered))
    try db.run("DELETE FROM run_feed WHERE run IN (SELECT id FROM run WHERE started_at < $1)", [old])
    try db.run("DELETE FROM run_notice WHERE run IN (SELECT id FROM run WHERE started_at < $1)", [old])
    try db.run("DELETE FROM run_event WHERE run IN (SELECT id FROM run WHERE started_at < $1)", [old])
    try db.run(
      """
      DELETE FROM run WHERE started_at < $1 AND id NOT IN (SELECT id FROM (
        SELECT id, row_number() OVER (PARTITION BY substr(started_at, 1, 10), process = 0 ORDER BY new DESC, id) AS place
        FROM run WHERE started_at < $1) AS placed WHERE place = 1)
      """,
      [old]
    )
  }

  /// The latest harvests, newest first.
  ///
  /// - Parameters:
  ///   - limit: Maximum number of harvests.
  ///   - withPulls: Whether pulls by hand are among them.
  /// - Throws: `StorageError` if the library cannot be read.
  public func runs(limit: Int, withPulls: Bool = false) throws(StorageError) -> [HarvestRun] {
    try read { try Self.runs("\(withPulls ? "" : "WHERE process <> 0 ")ORDER BY id DESC LIMIT $1", [limit], in: $0) }
  }

  /// A harvest, or a pull by hand; nil if there is none of this number, or no longer.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func run(_ id: Int64) throws(StorageError) -> HarvestRun? {
    try read { try Self.runs("WHERE id = $1", [id], in: $0).first }
  }

  private static func runs(_ which: String, _ arguments: Arguments, in db: Database) throws -> [HarvestRun] {
    try db.rows("SELECT * FROM run \(which)", arguments) { row in
      try HarvestRun(
        row, parts: { try parts(of: $0, in: db) }, notices: { try notices(of: $0, in: db) },
        feed: {
          try db.value("SELECT feed FROM run_event WHERE run = $1 AND feed IS NOT NULL ORDER BY id LIMIT 1", [$0])
        }
      )
    }
  }

  private static func parts(of run: Int64, in db: Database) throws -> [HarvestRun.Part] {
    try db.rows(
      """
      SELECT f.source, f.kind, f.value, f.server, p.* FROM run_feed p JOIN feed f ON f.id = p.feed
      WHERE p.run = $1 ORDER BY p.id
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
