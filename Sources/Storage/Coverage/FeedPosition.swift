import Coverage
import Rows

/// The position of an item in its feed.
struct FeedPosition {
  private(set) var id: String
  var post: WrittenPost
  let isPinned: Bool
  let repeatedBy: Int64?
  let repeatedAt: String?
  var isDuplicate = false
  var row: Int64?
  var coverage: Int64?
  var position: Int64?

  /// The item as a merge sees it.
  var positioned: PositionedItem {
    PositionedItem(id: id, moment: repeatedAt ?? post.createdAt, interval: coverage, position: position)
  }

  /// Reads the feed's record of the item. If an item stored as a post of its own turns out to repeat another post, its row
  /// then refers to that post.
  mutating func read(feed: Int64, in db: Database) throws {
    try apply(Record.read(id, of: feed, in: db), in: db)
  }

  /// Takes over the feed's record of the item.
  mutating func apply(_ record: Record?, in db: Database) throws {
    if let record { (row, coverage, position) = (record.row, record.coverage, record.position) }
    guard let row, let repeatedBy, record?.post != post.id else { return }
    try db.run(
      "UPDATE feed_post SET post = $1, created_at = $2, repeated_by = $3, repeated_at = $4 WHERE id = $5",
      [post.id, post.createdAt, repeatedBy, repeatedAt, row])
  }

  /// Uses the id that the feed already has for the item's post. A feed document shows each post once, and may change its
  /// id.
  mutating func reuseID(feed: Int64, in db: Database) throws {
    id = try db.value("SELECT remote_id FROM feed_post WHERE post = $1 AND feed = $2 LIMIT 1", [post.id, feed]) ?? id
  }

  /// Reuses the row of the item's post if the server changed the post's id, as some do after an edit. A post and its
  /// repeats are different items.
  mutating func reuseRow(feed: Int64, leaving isTaken: (Int64) -> Bool, in db: Database) throws {
    let stored = try db.row(
      """
      SELECT id, remote_id FROM feed_post
      WHERE post = $1 AND feed = $2 AND repeated_by IS NULL AND repeated_at IS NULL LIMIT 1
      """,
      [post.id, feed]
    ) { (row: try $0["id"] as Int64, id: try $0["remote_id"] as String) }
    guard let stored, !isTaken(stored.row) else { return }
    try db.run("UPDATE feed_post SET remote_id = $1 WHERE id = $2", [id, stored.row])
    for edge in ["newest", "oldest"] {
      try db.run("UPDATE coverage SET \(edge) = $1 WHERE feed = $2 AND \(edge) = $3", [id, feed, stored.id])
    }
    try read(feed: feed, in: db)
  }

  /// Writes the items' positions. New items share few statements.
  static func write(_ items: [FeedPosition], feed: Int64, now: String, in db: Database) throws {
    try db.insert(
      """
      INSERT INTO feed_post (feed, remote_id, post, created_at, coverage, place, pinned, repeated_by, repeated_at, seen_at)
      """,
      items.filter { $0.row == nil }.map { item in
        [
          feed, item.id, item.post.id, item.post.createdAt, item.coverage, item.position, item.isPinned,
          item.repeatedBy,
          item.repeatedAt, now,
        ]
      }
    )
    for item in items where !item.isPinned {
      guard let row = item.row else { continue }
      try db.run(
        "UPDATE feed_post SET coverage = $1, place = $2, pinned = 0, post = $3, created_at = $4 WHERE id = $5",
        [item.coverage, item.position, item.post.id, item.post.createdAt, row]
      )
    }
  }
}

extension FeedPosition {
  /// The feed's record of an item. If its interval dissolves into another, the item already counts as part of that one.
  struct Record: RowDecodable {
    let id: String
    let row: Int64
    let post: Int64
    let coverage: Int64?
    let position: Int64?

    private static let columns = """
      p.remote_id, p.id, coalesce(c.heir, p.coverage) AS coverage, coalesce(c.heir_place, p.place) AS place, p.post
      """
    private static let interval = "LEFT JOIN coverage c ON c.id = p.coverage AND c.heir_place IS NOT NULL"

    init(_ row: some RowReading) throws {
      id = try row["remote_id"]
      self.row = try row["id"]
      post = try row["post"]
      coverage = try row["coverage"]
      position = try row.number("place")
    }

    static func read(_ id: String, of feed: Int64, in db: Database) throws -> Record? {
      try db.row(
        "SELECT \(columns) FROM feed_post p \(interval) WHERE p.feed = $1 AND p.remote_id = $2", [feed, id])
    }

    /// The records that the feed has, by the items' ids. Each is looked up by its key: a plan that was made while the feed
    /// had few posts would read all of them for evermore.
    static func read(_ ids: [String], of feed: Int64, in db: Database) throws -> [String: Record] {
      let records: [Record] = try db.rows(
        """
        SELECT \(columns) FROM \(db.eachText)($1) k \(db.crossJoin) feed_post p
          ON p.id = (SELECT q.id FROM feed_post q WHERE q.feed = $2 AND q.remote_id = k.value)
          \(interval)
        """, [ids.jsonList, feed])
      return Dictionary(records.map { ($0.id, $0) }) { $1 }
    }
  }
}
