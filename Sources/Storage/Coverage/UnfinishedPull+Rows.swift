import Coverage
import Machine

extension UnfinishedPull {
  /// A feed's unfinished pulls, the latest first.
  static func all(of feed: Int64, in db: Database) throws -> [UnfinishedPull] {
    let rows = try db.rows(
      """
      SELECT id, goal_pages, goal_since, goal_end, goal_known, pages, items, next, coverage, place FROM cursor
      WHERE feed = $1 AND state <> 'reached' AND kind = 'pull' ORDER BY id DESC
      """,
      [feed]
    ) { row in
      let goal = PullGoal(
        pages: try row["goal_pages"], since: try row.date("goal_since"), end: try row["goal_end"],
        known: try row["goal_known"])
      let pull = UnfinishedPull(
        id: try row["id"], goal: goal, pages: try row.number("pages"), items: try row.number("items"),
        next: try row["next"], position: try row["place"])
      return (pull: pull, interval: try row["coverage"] as Int64?)
    }
    return try rows.map { row in
      var pull = row.pull
      let interval = try row.interval.flatMap { try CoverageInterval.read($0, in: db) }
      pull.bottom = try interval?.end(.down, in: db)?.position
      pull.parts = try interval?.continued(in: db) ?? []
      return pull
    }
  }

  /// Whether other pulls have read the rest of it since. The items below its position are counted only if that decides:
  /// they may be most of the feed.
  func isCovered(in db: Database) throws -> Bool {
    if let isCovered { return isCovered }
    // A single post may have a wrong date: as in a pull, a whole page must be older.
    if let since = goal.since, let newest = try parts.last?.moments(ofLowest: pageLength, in: db)?.upperBound,
      newest < UTC.text(since)
    {
      return true
    }
    guard let itemsLeft, let position else { return false }
    let below = try parts.map { part in
      try db.value(
        "SELECT count(*) FROM feed_post WHERE coverage = $1 AND place < $2",
        [part.id, part.id == interval?.id ? position : .max]
      ) ?? 0
    }.reduce(0, +)
    return below >= itemsLeft
  }
}
