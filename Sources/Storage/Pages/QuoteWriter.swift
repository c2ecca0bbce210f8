import Posts

/// Writes which posts quote which.
struct QuoteWriter {
  let db: Database

  /// Records what a post quotes. Known values stay if the server no longer sends them.
  func write(_ quotation: Quotation, of post: Int64, quoted: Int64?) throws {
    try db.run(
      """
      INSERT INTO quote (post, quoted, uri, url) VALUES ($1, $2, $3, $4)
      ON CONFLICT (post) DO UPDATE
        SET quoted = coalesce(excluded.quoted, quote.quoted), uri = excluded.uri, url = coalesce(excluded.url, quote.url)
        WHERE (quote.quoted, quote.uri, quote.url)
          IS DISTINCT FROM (coalesce(excluded.quoted, quote.quoted), excluded.uri, coalesce(excluded.url, quote.url))
      """,
      [post, quoted, quotation.uri.storable, quotation.url?.storable]
    )
  }
}

extension PostReader {
  /// What each of these posts quotes. A quoted post that was stored later is found by its identity.
  func quotes(_ list: String) throws -> [Int64: StoredQuote] {
    let rows = try db.rows(
      """
      SELECT k.post, coalesce(k.quoted, q.id) AS quoted, k.uri, k.url
      FROM \(db.each)($1) j \(db.crossJoin) quote k ON k.post = j.value \(db.crossJoin) post p ON p.id = k.post
        LEFT JOIN post q ON q.source = p.source AND q.uri = k.uri
      """,
      [list]
    ) { row in
      (
        try row["post"] as Int64,
        StoredQuote(post: try row["quoted"], uri: try row["uri"], url: try row["url"])
      )
    }
    return Dictionary(rows) { $1 }
  }
}
