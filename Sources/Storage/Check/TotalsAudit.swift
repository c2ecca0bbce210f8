extension StoreAudit {
  /// The numbers of posts, blobs and attachments, which triggers maintain, and which of a tag's posts do not carry it.
  static let totals = StoreAudit(
    name: "the counts of posts and pictures",
    find: { db in
      let wrong = "SELECT kind, ref, kept, counted FROM (\(wrongTotals)) AS wrong"
      return try db.rows("\(wrong) ORDER BY kind, ref LIMIT \(most)") { row in
        let (kind, ref): (String, Int64) = try (row["kind"], row["ref"])
        return Finding(.count, words(kind, ref, kept: try row["kept"], counted: try row["counted"]))
      }
        + db.rows("\(missingExtras) LIMIT \(most)") {
          Finding(.count, "a post that a feed of a tag brought is not in the tag's list", post: try $0["post"])
        }
        + db.rows("\(looseExtras) LIMIT \(most)") {
          Finding(.count, "a post is in the list of a tag that it has nothing to do with", post: try $0["post"])
        }
    },
    mend: { db, _ in
      try db.execute("DELETE FROM tag_extra WHERE (tag, post) IN (\(looseExtras))")
      try db.execute(
        """
        INSERT INTO tag_extra (tag, post, created_at)
        SELECT m.tag, m.post, p.created_at FROM (\(missingExtras)) m JOIN post p ON p.id = m.post
        """
      )
      try db.correctTotals(wrongTotals)
    }
  )

  private static func words(_ kind: String, _ ref: Int64, kept: Int?, counted: Int) -> String {
    let number = kept.map(String.init)
    let isState = PictureState(rawValue: kind) != nil
    if isState || kind == "blobs" || kind == "bytes" {
      let things = isState ? "\(kind) pictures" : "\(kind) of the quarter of an hour \(ref)"
      return "\(things) are said to be \(number ?? "no number") and are \(counted)"
    }
    let list = ref == 0 ? "all \(kind == "author" ? "posts without an author" : kind)" : "\(kind) \(ref)"
    return "\(list) is said to have \(number ?? "no number of") posts and has \(counted)"
  }

  private static let isThere =
    "NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = p.id AND s.deleted_at IS NOT NULL)"

  /// Counts every list in a single scan of each table.
  private static let counted = """
    SELECT 'library' AS kind, 0 AS ref, count(*) AS posts FROM post p WHERE \(isThere)
    UNION ALL SELECT 'author', coalesce(p.author, 0), count(*) FROM post p WHERE \(isThere) GROUP BY p.author
    UNION ALL SELECT 'tag', k.tag, count(*) FROM (
      SELECT tag, post FROM post_tag UNION ALL SELECT tag, post FROM tag_extra) k JOIN post p ON p.id = k.post
      WHERE \(isThere) GROUP BY k.tag
    UNION ALL SELECT 'tags', 0, count(*) FROM (
      SELECT post FROM post_tag UNION ALL SELECT post FROM tag_extra) k JOIN post p ON p.id = k.post WHERE \(isThere)
    UNION ALL SELECT 'feed', b.feed, count(DISTINCT b.post) FROM feed_post b JOIN post p ON p.id = b.post
      WHERE \(isThere) GROUP BY b.feed
    UNION ALL SELECT 'blobs', quarter, count(*) FROM blob_quarter GROUP BY quarter
    UNION ALL SELECT 'bytes', quarter, CAST(sum(bytes) AS bigint) FROM blob_quarter GROUP BY quarter
    UNION ALL SELECT state, 0, count(*) FROM attachment GROUP BY state
    """

  /// An empty list needs no total, but a stored total must be 0.
  private static let wrongTotals = """
    WITH counted AS (\(counted))
    SELECT c.kind, c.ref, t.posts AS kept, c.posts AS counted FROM counted c
      LEFT JOIN total t ON t.kind = c.kind AND t.ref = c.ref WHERE t.posts IS DISTINCT FROM c.posts
    UNION ALL SELECT t.kind, t.ref, t.posts, 0 FROM total t
      WHERE t.posts <> 0 AND (t.kind, t.ref) NOT IN (SELECT kind, ref FROM counted)
    """

  private static let brought = """
    SELECT t.id AS tag, b.post AS post FROM feed f JOIN tag t ON t.name = f.value JOIN feed_post b ON b.feed = f.id
    WHERE f.kind = 'tag'
    """

  private static let missingExtras = """
    SELECT DISTINCT n.tag, n.post FROM (\(brought)) n
    WHERE NOT EXISTS (SELECT 1 FROM post_tag k WHERE k.post = n.post AND k.tag = n.tag)
      AND NOT EXISTS (SELECT 1 FROM tag_extra e WHERE e.post = n.post AND e.tag = n.tag)
    """

  private static let looseExtras = """
    SELECT e.tag, e.post FROM tag_extra e
    WHERE EXISTS (SELECT 1 FROM post_tag k WHERE k.post = e.post AND k.tag = e.tag)
      OR (e.tag, e.post) NOT IN (\(brought))
    """
}
