import Coverage
import Rows

/// Where a pull stands in its feed: its coverage interval, and the position in it.
struct PullCheckpoint {
  var interval: CoverageInterval?
  var position: Int64 = 0

  /// Reads the pull's row and interval again.
  ///
  /// - Throws: `StorageError.overtaken` if another pull changed them.
  static func read(_ pull: Pull, in db: Database) throws -> PullCheckpoint {
    let cursor = try db.row(
      "SELECT coverage, coverage_version, place FROM cursor WHERE id = $1 AND state = 'open'", [pull.id]
    ) {
      (
        interval: try $0["coverage"] as Int64?, version: try $0.number("coverage_version") as Int,
        position: try $0["place"] as Int64?
      )
    }
    guard let cursor else { throw StorageError.overtaken(feed: pull.feed.name) }
    let interval = try cursor.interval.flatMap { try CoverageInterval.read($0, in: db) }
    // An interval that another pull merged away leaves no row, but the pull knows its version.
    guard interval?.version ?? 0 == cursor.version else { throw StorageError.overtaken(feed: pull.feed.name) }
    let position = try cursor.position ?? interval?.end(.down, in: db)?.position ?? 0
    return PullCheckpoint(interval: interval, position: position)
  }

  /// Writes the interval and the pull's row after a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - next: The source's cursor for what is below, if it gave one.
  ///   - value: What the caller learnt from the page.
  /// - Returns: The value, as the transaction of a page must return it.
  func write<Value>(_ page: OpenPage, next: String?, returning value: Value) throws -> RecordedPage<Value> {
    let db = page.db
    var interval = interval
    interval?.version += 1
    try interval?.write(now: page.now, in: db)
    try db.run(
      """
      UPDATE cursor SET coverage = $1, coverage_version = $2, place = $3, pages = pages + 1, items = items + $4, next = $5
      WHERE id = $6
      """,
      [interval?.id, interval?.version ?? 0, interval == nil ? nil : position, page.items.count, next, page.pull.id]
    )
    return RecordedPage(value)
  }
}

/// A page whose coverage and cursor are written. Only `PullCheckpoint.write` makes one, and the scope of a page
/// (`Store.page`) wants one: posts without coverage do not compile.
struct RecordedPage<Value> {
  let value: Value

  fileprivate init(_ value: Value) { self.value = value }
}
