import Coverage
import Posts
import Rows

extension CoverageInterval: RowDecodable {
  package init(_ row: some RowReading) throws {
    try self.init(
      id: row["id"], feed: row["feed"], newest: row["newest"], oldest: row["oldest"], reachedEnd: row["reached_end"],
      next: row["next"], version: row.number("version"), successor: row["heir"],
      successorPosition: row.number("heir_place"))
  }

  private static let columns = "id, feed, newest, oldest, reached_end, next, version, heir, heir_place"

  static func read(_ id: Int64, in db: Database) throws -> CoverageInterval? {
    try db.row("SELECT \(columns) FROM coverage WHERE id = $1", [id])
  }

  /// The intervals that meet a condition.
  static func all(_ condition: String, _ arguments: Arguments, in db: Database) throws -> [CoverageInterval] {
    try db.rows("SELECT \(columns) FROM coverage WHERE \(condition)", arguments)
  }

  /// The outermost interval of a feed in a direction; nil if nothing is known of the feed.
  static func outermost(_ direction: Direction, of feed: Feed, in db: Database) throws -> CoverageInterval? {
    let order = direction == .down ? "id" : "id DESC"
    return try all("feed = (SELECT id FROM feed WHERE name = $1) ORDER BY \(order) LIMIT 1", [feed.name], in: db).first
  }

  static func open(feed: Int64, newest: String, now: String, in db: Database) throws -> CoverageInterval {
    let id = try db.insertNumbered(
      "INSERT INTO coverage (feed, newest, oldest, walked_at) VALUES ($1, $2, $3, $4)",
      [feed, newest, newest, now]
    )
    return CoverageInterval(id: id, feed: feed, newest: newest, oldest: newest)
  }

  /// Shrinks an interval after posts moved to `successor`: its edges become posts that it still has. If none is left, its
  /// pulls continue in the successor.
  static func tighten(_ id: Int64, for successor: Int64, in db: Database) throws {
    guard let left = try read(id, in: db) else { return }
    guard let edges = try left.edges(in: db) else {
      try db.run("UPDATE cursor SET coverage = $1, place = NULL WHERE coverage = $2", [successor, id])
      // An interval that was being merged into it is separate again.
      try db.run("UPDATE coverage SET heir = NULL, heir_place = NULL WHERE heir = $1", [id])
      return try db.run("DELETE FROM coverage WHERE id = $1", [id])
    }
    try db.run(
      """
      UPDATE coverage SET newest = $1, next = iif(oldest = $2, next, NULL), oldest = $2, version = version + 1
      WHERE id = $3
      """,
      [edges.newest, edges.oldest, id]
    )
  }

  func write(now: String, in db: Database) throws {
    try db.run(
      """
      UPDATE coverage SET newest = $1, oldest = $2, reached_end = $3, next = $4, version = $5, walked_at = $6 WHERE id = $7
      """,
      [newest, oldest, reachedEnd ? 1 : 0, next, version, now, id]
    )
  }

  /// Its end in a direction.
  func end(_ direction: Direction, in db: Database) throws -> IntervalEnd? {
    let order = direction == .down ? "place, created_at" : "place DESC, created_at DESC"
    return try db.row(
      """
      SELECT place, coalesce(repeated_at, created_at) AS moment FROM feed_post WHERE coverage = $1
      ORDER BY \(order) LIMIT 1
      """,
      [id]
    ) { (position: try $0.number("place"), moment: try $0["moment"]) }
  }

  /// The range of positions in use.
  func positions(in db: Database) throws -> ClosedRange<Int64>? {
    let ends = try db.row(
      """
      SELECT (SELECT min(place) FROM feed_post WHERE coverage = $1) AS low,
        (SELECT max(place) FROM feed_post WHERE coverage = $1) AS high
      """,
      [id]
    ) { (low: try $0.number("low") as Int64?, high: try $0.number("high") as Int64?) }
    guard let low = ends?.low, let high = ends?.high else { return nil }
    return low...high
  }

  /// The earliest and the latest date of the lowest `count` items; nil if there are none.
  func moments(ofLowest count: Int, in db: Database) throws -> ClosedRange<String>? {
    let ends = try db.row(
      """
      SELECT min(moment) AS oldest, max(moment) AS newest
      FROM (SELECT coalesce(repeated_at, created_at) AS moment FROM feed_post WHERE coverage = $1
        ORDER BY place, created_at LIMIT $2) AS ends
      """,
      [id, count]
    ) { (oldest: try $0["oldest"] as String?, newest: try $0["newest"] as String?) }
    guard let oldest = ends?.oldest, let newest = ends?.newest else { return nil }
    return oldest...newest
  }

  /// Whether at most a few posts are beyond an item's position in a direction: posts may be gone upstream, the outermost
  /// among them.
  func isNear(_ direction: Direction, _ item: FeedPosition, in db: Database) throws -> Bool {
    guard item.coverage == id, let position = item.position else { return false }
    return try count(direction == .down ? "place < $2" : "place > $2", position, atMost: 3, in: db) < 3
  }

  /// The id of the item below the top `count` ones, or of the lowest.
  func anchor(below count: Int, in db: Database) throws -> String {
    try db.value(
      """
      SELECT remote_id FROM (SELECT remote_id, place, created_at FROM feed_post WHERE coverage = $1
        ORDER BY place DESC, created_at DESC LIMIT $2) AS ends ORDER BY place, created_at LIMIT 1
      """,
      [id, count + 1]
    ) ?? newest
  }

  func edges(in db: Database) throws -> (newest: String, oldest: String)? {
    let ends = try db.row(
      """
      SELECT (SELECT remote_id FROM feed_post WHERE coverage = $1 ORDER BY place DESC, created_at DESC LIMIT 1) AS newest,
        (SELECT remote_id FROM feed_post WHERE coverage = $1 ORDER BY place, created_at LIMIT 1) AS oldest
      """,
      [id]
    ) { (newest: try $0["newest"] as String?, oldest: try $0["oldest"] as String?) }
    guard let newest = ends?.newest, let oldest = ends?.oldest else { return nil }
    return (newest, oldest)
  }
}
