extension StoreAudit {
  /// Whether every coverage interval has posts of its feed, and its edges are items that the feed showed.
  static let coverage = StoreAudit(
    name: "the coverage intervals of feeds",
    find: { db in
      try edges(in: db) + strangers(in: db) + halves(in: db) + astray(in: db)
    },
    mend: { db, _ in
      try db.run("UPDATE coverage SET heir = NULL, heir_place = NULL WHERE id IN (\(astray))")
      try db.run("UPDATE feed_post SET coverage = NULL, place = NULL WHERE id IN (\(strangers))")
      try db.run("UPDATE feed_post SET coverage = NULL, place = NULL WHERE (coverage IS NULL) <> (place IS NULL)")
      // A shrunk interval claims less than was read, never more.
      let loose: [Int64] = try db.values("SELECT id FROM coverage c WHERE \(hasLooseEdge) OR \(isEmpty)")
      for interval in loose { try Claim(interval: interval, db: db).tighten() }
    }
  )

  private static let isEmpty = "NOT EXISTS (SELECT 1 FROM feed_post WHERE coverage = c.id)"

  private static let hasLooseEdge = """
    EXISTS (SELECT 1 FROM (SELECT c.newest AS value UNION ALL SELECT c.oldest) e
      WHERE NOT EXISTS (SELECT 1 FROM feed_post WHERE feed = c.feed AND remote_id = e.value)
        AND NOT EXISTS (SELECT 1 FROM unreadable WHERE feed = c.feed AND remote_id = e.value))
    """

  private static let strangers = """
    SELECT b.id FROM feed_post b JOIN coverage c ON c.id = b.coverage WHERE c.feed <> b.feed
    """

  private static func edges(in db: Database) throws -> [Finding] {
    try db.rows(
      """
      SELECT c.id, f.name, \(isEmpty) AS is_empty FROM coverage c JOIN feed f ON f.id = c.feed
      WHERE \(isEmpty) OR \(hasLooseEdge) LIMIT \(most)
      """
    ) { row in
      let (id, feed): (Int64, String) = try (row["id"], row["name"])
      let fault = try row["is_empty"] ? "holds no post" : "begins or ends with an item that \(feed) never showed"
      return Finding(.coverage, "interval \(id) of \(feed) \(fault)")
    }
  }

  private static func strangers(in db: Database) throws -> [Finding] {
    let posts: [Int64] = try db.values("SELECT b.post FROM feed_post b WHERE b.id IN (\(strangers)) LIMIT \(most)")
    return posts.map { Finding(.coverage, "post \($0) stands in an interval of another feed", post: $0) }
  }

  private static let astray = """
    SELECT c.id FROM coverage c LEFT JOIN coverage h ON h.id = c.heir
    WHERE c.heir IS NOT NULL AND (h.feed IS DISTINCT FROM c.feed OR h.id = c.id OR h.heir = c.id)
      OR c.heir IS NULL AND c.heir_place IS NOT NULL
    """

  private static func astray(in db: Database) throws -> [Finding] {
    let intervals: [Int64] = try db.values("\(astray) LIMIT \(most)")
    return intervals.map { Finding(.coverage, "interval \($0) is to become part of one that cannot take it in") }
  }

  private static func halves(in db: Database) throws -> [Finding] {
    let posts: [Int64] = try db.values(
      "SELECT post FROM feed_post WHERE (coverage IS NULL) <> (place IS NULL) LIMIT \(most)")
    return posts.map {
      Finding(.coverage, "post \($0) has a place without an interval, or none in its interval", post: $0)
    }
  }
}
