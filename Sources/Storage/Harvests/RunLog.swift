import FoundationEssentials
import Machine
import Posts
import Rows

// The events of harvests, for whoever asks later what happened and when. An event is what `--log-format json` prints of it.
// It is written in the transaction of the ledger that follows it, so that a harvest with nothing to tell writes nothing.

extension Store {
  /// The most events that are kept of a harvest: a server that refuses each of a thousand feeds does so for one reason.
  public static let mostEventsOfRun = 200
  /// The most of these that are kept if they tell of what went well. The rest is for what did not, which may come last.
  public static let mostInfosOfRun = 100
  /// The most events that are kept of all harvests together, some 3 MB. Harvests are no measure: each pull of a worker is one.
  public static let mostEvents: Int64 = 20_000

  /// Keeps events of a harvest, and removes the oldest ones of all beyond the most that are kept.
  static func keep(_ events: [LogLine], of run: Int64, in db: Database) throws {
    guard !events.isEmpty else { return }
    var kept: Int = try db.value("SELECT count(*) FROM run_event WHERE run = $1", [run]) ?? 0
    var newest: Int64?
    for event in events where kept < (event.level == .info ? mostInfosOfRun : mostEventsOfRun) {
      newest = try db.insertNumbered(
        """
        INSERT INTO run_event (run, at, level, event, feed, host, seconds, count, words)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        """,
        [
          run, event.time, event.level.rawValue, event.event.rawValue, event.feed?.storable, event.host?.storable,
          event.seconds, event.count, event.message.storable,
        ])
      kept += 1
    }
    // By the number, which only grows: to count the rows would read them all.
    if let newest { try db.run("DELETE FROM run_event WHERE id <= $1", [newest - mostEvents]) }
  }

  /// What happened in a harvest, in that order. Events that a newer version wrote are left out.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func events(of run: Int64) throws(StorageError) -> [LogLine] {
    try read { db in
      try db.rows("SELECT * FROM run_event WHERE run = $1 ORDER BY id", [run]) { try LogLine(row: $0) }
        .compactMap(\.self)
    }
  }
}

extension LogLine {
  /// nil if its level or its event is unknown.
  fileprivate init?(row: some RowReading) throws {
    guard let level = Level(rawValue: try row["level"]), let event = Event(rawValue: try row["event"]) else {
      return nil
    }
    self.init(time: UTC.date(try row["at"]) ?? .distantPast, level: level, event: event, message: try row["words"])
    (feed, host, seconds, count) = try (row["feed"], row["host"], row["seconds"], row["count"])
  }
}
