import PostgreSQL

/// Keeps the search index of a library in PostgreSQL. A trigger marks each post whose texts are new or changed. Whoever
/// wrote it indexes it in the same transaction.
struct SearchIndex {
  private let tokenizer: Tokenizer

  private static let chunk = 200

  /// - Throws: `SQLiteError` if this SQLite has no FTS5.
  init() throws { tokenizer = try Tokenizer() }

  /// Indexes all marked posts. Every transaction that writes calls it at its end.
  func fill(in connection: Connection) throws {
    while true {
      let rows = try connection.rows(
        """
        SELECT w.post, p.title, p.caption, p.warning FROM media.caption_words w JOIN media.post p ON p.id = w.post
        WHERE w.line IS NULL ORDER BY w.post LIMIT $1 FOR UPDATE OF w SKIP LOCKED
        """, [Self.chunk])
      guard !rows.isEmpty else { return }
      let ids: [Int64] = try rows.map { try $0["post"] }
      let lines = try rows.map { row in
        let texts: [String?] = try [row["title"], row["caption"], row["warning"]]
        return try IndexedLine.of(texts.compactMap(\.self), tokenizer)
      }
      try connection.run(
        """
        UPDATE media.caption_words w SET line = l.value
        FROM media.json_numbers($1) n JOIN media.json_texts($2) l ON l.key = n.key WHERE w.post = n.value
        """, [ids.jsonList, lines.jsonList])
      if rows.count < Self.chunk { return }
    }
  }

  /// The search as the schema's functions take it.
  func argument(_ search: SearchText, isOpen: Bool) throws -> String {
    try PostgreSQLSearch(search, isOpen: isOpen, tokenizer).text
  }

  /// Posts whose stored words are not those of their texts, at most `limit`, after a number.
  func unfit(after number: Int64, in connection: Connection) throws -> (unfit: [Int64], last: Int64?) {
    let rows = try connection.rows(
      """
      SELECT p.id, p.title, p.caption, p.warning, w.line FROM media.post p LEFT JOIN media.caption_words w ON w.post = p.id
      WHERE p.id > $1 ORDER BY p.id LIMIT $2
      """, [number, Self.chunk])
    let unfit = try rows.compactMap { row -> Int64? in
      let texts: [String?] = try [row["title"], row["caption"], row["warning"]]
      let line = try IndexedLine.of(texts.compactMap(\.self), tokenizer)
      return try line == row["line"] ? nil : row["id"]
    }
    return (unfit, try rows.last.map { try $0["id"] })
  }

  /// Marks all posts, so that they are indexed anew.
  static func rebuild(in connection: Connection) throws {
    try connection.run("INSERT INTO media.caption_words (post) SELECT id FROM media.post ON CONFLICT (post) DO NOTHING")
    try connection.run("UPDATE media.caption_words SET line = NULL WHERE line IS NOT NULL")
  }
}
