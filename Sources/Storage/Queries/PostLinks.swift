extension PostReader {
  /// The posts of other networks that are the same as these, without deleted ones.
  func links(_ list: String) throws -> [Int64: [StoredLink]] {
    func others(of post: String, _ other: String) -> String {
      """
      SELECT n.\(post) AS post, q.id, coalesce(q.url, q.uri) AS address
      FROM \(db.each)($1) j \(db.crossJoin) post_link n ON n.\(post) = j.value
        \(db.crossJoin) post q ON q.id = n.\(other)
      WHERE NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = q.id AND s.deleted_at IS NOT NULL)
      """
    }
    var links: [Int64: [StoredLink]] = [:]
    try db.rows("\(others(of: "later", "earlier")) UNION ALL \(others(of: "earlier", "later"))", [list]) { row in
      links[try row["post"], default: []].append(StoredLink(post: try row["id"], address: try row["address"]))
    }
    return links.mapValues { $0.sorted { $0.post < $1.post } }
  }
}
