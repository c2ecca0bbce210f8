import FoundationEssentials
import Machine
import Posts
import Rows

// What the last visit to a feed's document left for the next one.

extension Store {
  /// The last visit to a feed that brought a page; nil if there was none, or if its source needs none.
  public func visit(of feed: Feed) throws(StorageError) -> Visit? {
    try read { db in
      try db.row(
        """
        SELECT v.address, v.place, v.entity_tag, v.last_modified, v.moving, v.title
        FROM feed f JOIN visit v ON v.feed = f.id WHERE f.name = $1
        """,
        [feed.name]
      )
    }
  }

  /// The feed with an address: its own, or one on the same host that it moved to. A move to another host does not prove
  /// that the feed owns the address.
  public func feed(at address: String) throws(StorageError) -> Feed? {
    let names: [String] = try read { db in
      try db.values(
        """
        SELECT f.name FROM feed f LEFT JOIN visit v ON v.feed = f.id
        WHERE f.kind = 'url' AND (f.name = $1 OR v.address = $1) ORDER BY f.name = $1 DESC, f.id
        """,
        [address]
      )
    }
    let found = names.first { $0 == address || WebIdentity.host(of: $0) == WebIdentity.host(of: address) }
    return try found.flatMap { name throws(StorageError) in try feeds().first { $0.name == name } }
  }

  /// The titles of feeds, by the feeds' names. Feeds without a title are not included.
  public func feedTitles() throws(StorageError) -> [String: String] {
    try read { db in
      let rows = try db.rows(
        "SELECT f.name, v.title FROM feed f JOIN visit v ON v.feed = f.id WHERE v.title IS NOT NULL"
      ) { (try $0["name"] as String, try $0["title"] as String) }
      return Dictionary(rows) { first, _ in first }
    }
  }

  /// The posts that a feed's newest page may show.
  static let newestOfFeed = """
    SELECT b.post FROM feed_post b WHERE b.feed = (SELECT id FROM feed WHERE name = $1)
    ORDER BY b.created_at DESC, b.post DESC LIMIT 100
    """

  /// Whether a pull that reads a feed's newest page again would fetch pictures of known posts: skipped ones, and failed
  /// ones that are due.
  public func wantsPicturesAgain(of feed: Feed, now: Date) throws(StorageError) -> Bool {
    try read { db in
      try db.hasRow(
        """
        SELECT 1 FROM (\(Self.newestOfFeed)) n
          JOIN attachment a ON a.post = n.post LEFT JOIN post_state s ON s.post = n.post
        WHERE s.deleted_at IS NULL AND coalesce(a.url, a.alternate_url) IS NOT NULL
          AND ((a.state = 'skipped' AND a.skipped_by IS NULL AND a.failure IS NULL)
            OR (a.state = 'failed' AND (a.next_try_at <= $2 OR a.next_try_at > $3)))
        LIMIT 1
        """,
        [feed.name, UTC.text(now), PictureWriter.never(from: now)]
      )
    }
  }
}

extension Visit: RowDecodable {
  package init(_ row: some RowReading) throws {
    try self.init(
      address: row["address"], location: row["place"], entityTag: row["entity_tag"],
      lastModified: row["last_modified"], moving: row["moving"], title: row["title"])
  }

  /// Replaces the last visit.
  func write(of feed: Int64, now: String, in db: Database) throws {
    try db.run(
      """
      INSERT INTO visit (feed, address, place, entity_tag, last_modified, moving, title, visited_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (feed) DO UPDATE SET address = excluded.address, place = excluded.place,
        entity_tag = excluded.entity_tag, last_modified = excluded.last_modified, moving = excluded.moving,
        title = excluded.title, visited_at = excluded.visited_at
      """,
      [
        feed, address.storable, location.storable, entityTag?.storable, lastModified?.storable, moving?.storable,
        title?.storable, now,
      ]
    )
  }
}
