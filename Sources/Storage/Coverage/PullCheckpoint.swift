import Posts

/// Where a pull stands in its feed: its coverage interval, and the position in it.
struct PullCheckpoint {
  var interval: CoverageInterval?
  var place: Int64 = 0

  /// Reads the pull's row and interval again.
  ///
  /// - Throws: `StorageError.overtaken` if another pull changed them.
  static func read(_ pull: Pull, in db: Database) throws -> PullCheckpoint {
    let cursor = try db.row("SELECT state, coverage, coverage_version, place FROM cursor WHERE id = ?", [pull.id])
    guard let cursor, cursor[0] == "open" else { throw StorageError.overtaken(feed: pull.feed.name) }
    let interval = try (cursor[1] as Int64?).flatMap { try CoverageInterval.read($0, in: db) }
    // An interval that another pull merged away leaves no row, but the pull knows its version.
    guard interval?.version ?? 0 == cursor[2] as Int else { throw StorageError.overtaken(feed: pull.feed.name) }
    let place: Int64? = cursor[3]
    return PullCheckpoint(interval: interval, place: try place ?? interval?.bottom(in: db)?.place ?? 0)
  }

  /// Writes the interval and the pull's row after a page.
  func write(_ pull: Pull, items: Int, next: String?, now: String, in db: Database) throws {
    var interval = interval
    interval?.version += 1
    try interval?.write(now: now, in: db)
    try db.run(
      """
      UPDATE cursor SET coverage = ?, coverage_version = ?, place = ?, pages = pages + 1, items = items + ?, next = ?
      WHERE id = ?
      """,
      [interval?.id, interval?.version ?? 0, interval == nil ? nil : place, items, next, pull.id]
    )
  }
}

/// What of a page was known before it came.
public struct Known: Sendable, Hashable {
  /// Whether the page reached a coverage interval.
  public var isTouched = false
  /// How many items there are from the first known one to the page's end; 0 if none is known.
  public var overlap = 0

  /// Nothing.
  public init() {}

  init(isTouched: Bool, overlap: Int) {
    self.isTouched = isTouched
    self.overlap = overlap
  }
}
