import Posts
import Rows

/// A pull that did not reach its goal.
struct UnfinishedPull {
  let id: Int64
  let goal: PullGoal
  let pages: Int
  let next: String?
  /// Whether its row is still open: its process may be gone.
  let isOpen: Bool
  let interval: CoverageInterval?
  /// Its coverage interval, and those below that are merged with it.
  let parts: [CoverageInterval]
  private let items: Int
  private let storedPosition: Int64?

  /// A feed's unfinished pulls, the latest first.
  static func all(of feed: Int64, in db: Database) throws -> [UnfinishedPull] {
    let rows: [Record] = try db.rows(
      """
      SELECT id, goal_pages, goal_since, goal_end, goal_known, pages, items, next, state, coverage, place FROM cursor
      WHERE feed = $1 AND state <> 'reached' AND kind = 'pull' ORDER BY id DESC
      """,
      [feed]
    )
    return try rows.map { try UnfinishedPull($0, in: db) }
  }

  /// A pull's row.
  private struct Record: RowDecodable {
    let id: Int64
    let goal: PullGoal
    let pages: Int
    let items: Int
    let next: String?
    let state: String
    let coverage: Int64?
    let storedPosition: Int64?

    init(_ row: some RowReading) throws {
      id = try row["id"]
      goal = try PullGoal(row)
      pages = try row.number("pages")
      items = try row.number("items")
      next = try row["next"]
      state = try row["state"]
      coverage = try row["coverage"]
      storedPosition = try row["place"]
    }
  }

  private init(_ row: Record, in db: Database) throws {
    (id, goal, next, storedPosition) = (row.id, row.goal, row.next, row.storedPosition)
    (pages, items) = (row.pages, row.items)
    isOpen = row.state == "open"
    interval = try row.coverage.flatMap { try CoverageInterval.read($0, in: db) }
    parts = try interval?.continued(in: db) ?? []
  }

  /// The pull's position in its interval, and whether nothing of the interval is below.
  func position(in db: Database) throws -> (position: Int64, isLowest: Bool)? {
    guard let bottom = try interval?.bottom(in: db)?.position else { return nil }
    return (storedPosition ?? bottom, (storedPosition ?? bottom) <= bottom && parts.count == 1)
  }

  /// Whether other pulls have read the rest of it since. This is unknown for a pull that reads half a page into what is
  /// known: no record shows which items arrived late there.
  func isCovered(in db: Database) throws -> Bool {
    let hasEnd = parts.last?.reachedEnd == true
    // It read the feed's last page, and its process died before recording it.
    if pages > 0, next == nil, hasEnd { return true }
    if goal.end, !goal.known, hasEnd { return true }
    guard !goal.known, !goal.end, let interval, let position = try position(in: db) else { return false }
    if hasEnd { return true }
    guard pages > 0 else { return false }
    let page = max(1, (items + pages - 1) / pages)
    // A single post may have a wrong date: as in a pull, a whole page must be older.
    if let since = goal.since, let newest = try parts.last?.moments(ofLowest: page, in: db)?.upperBound,
      newest < UTC.text(since)
    {
      return true
    }
    guard let wanted = goal.pages else { return false }
    let below = try parts.map { part in
      try db.value(
        "SELECT count(*) FROM feed_post WHERE coverage = $1 AND place < $2",
        [part.id, part.id == interval.id ? position.position : .max]
      ) ?? 0
    }.reduce(0, +)
    let (missing, overflows) = max(0, wanted - pages).multipliedReportingOverflow(by: page)
    return !overflows && below >= missing
  }
}
