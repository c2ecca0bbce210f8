extension StoreAudit {
  /// The number of posts of each list, which triggers maintain, and which of a tag's posts do not carry it.
  static let totals = StoreAudit(
    name: "the counts of posts",
    find: { db in
      try db.rows("SELECT kind, ref, kept, counted FROM (\(wrongTotals)) ORDER BY kind, ref LIMIT \(most)") { row in
        let (kind, ref): (String, Int64) = try (row["kind"], row["ref"])
        let list = ref == 0 ? "all \(kind == "author" ? "posts without an author" : kind)" : "\(kind) \(ref)"
        let kept = (try row["kept"] as Int?).map(String.init) ?? "no number of"
        return Finding(.count, "\(list) is said to have \(kept) posts and has \(try row["counted"] as Int)")
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
    """

  /// An empty list needs no total, but a stored total must be 0.
  private static let wrongTotals = """
    WITH counted AS (\(counted))
    SELECT c.kind, c.ref, t.posts AS kept, c.posts AS counted FROM counted c
      LEFT JOIN total t ON t.kind = c.kind AND t.ref = c.ref WHERE t.posts IS NOT c.posts
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
