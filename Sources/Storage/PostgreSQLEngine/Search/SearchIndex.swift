import PostgreSQL
import Rows

/// Keeps the search index of a library in PostgreSQL. A trigger notes each post whose texts are new or changed. Whoever
/// wrote it indexes it in the same transaction. What a program writes that does not is marked.
struct SearchIndex {
  private let tokenizer: Tokenizer

  private static let chunk = 200

  /// - Throws: `SQLiteError` if this SQLite has no FTS5.
  init() throws { tokenizer = try Tokenizer() }

  /// Indexes the posts that the open transaction has written. Every transaction that writes calls it once, at its end.
  func fill(in connection: Connection) throws {
    let noted: String? = try connection.value("SELECT nullif(current_setting('media.unread', true), '')")
    guard let noted else { return }
    var numbers = Array(Set(noted.split(separator: ",").compactMap { Int64($0) })).sorted()[...]
    while !numbers.isEmpty {
      let rows = try connection.rows(
        "SELECT id AS post, title, caption, warning FROM media.post WHERE id = ANY ($1::bigint[])",
        [ColumnArray(numbers.prefix(Self.chunk).map { .integer($0) }, of: .bigint).bytes])
      try write(rows, in: connection)
      numbers = numbers.dropFirst(Self.chunk)
    }
  }

  /// Indexes posts that another program wrote, and all posts after `rebuild`. It leaves out those that somebody indexes.
  func fillRest(in connection: Connection) throws {
    while try indexMarked(in: connection) == Self.chunk {}
  }

  /// Indexes marked posts.
  ///
  /// - Returns: How many.
  private func indexMarked(in connection: Connection) throws -> Int {
    let rows = try connection.rows(
      """
      SELECT w.post, p.title, p.caption, p.warning FROM media.caption_words w JOIN media.post p ON p.id = w.post
      WHERE w.line IS NULL ORDER BY w.post LIMIT \(Self.chunk) FOR UPDATE OF w SKIP LOCKED
      """)
    try write(rows, in: connection)
    return rows.count
  }

  private func write(_ rows: [PostgreSQL.Row], in connection: Connection) throws {
    guard !rows.isEmpty else { return }
    let lines = try rows.map { row in
      let texts: [String?] = try [row["title"], row["caption"], row["warning"]]
      return try IndexedLine.of(texts.compactMap(\.self), tokenizer)
    }
    let columns = try [
      ColumnArray(rows.map { .integer(try $0["post"]) }, of: .bigint), ColumnArray(lines.map { .text($0) }, of: .text),
    ]
    try connection.run(
      """
      INSERT INTO media.caption_words (post, line) SELECT * FROM unnest($1::bigint[], $2::text[])
      ON CONFLICT (post) DO UPDATE SET line = excluded.line
      """, columns.map(\.bytes))
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
      let stored: String? = try row["line"]
      return line == stored ? nil : try row["id"]
    }
    return (unfit, try rows.last.map { try $0["id"] })
  }

  /// Marks posts, so that they are indexed anew.
  func mark(_ numbers: [Int64], in connection: Connection) throws {
    try connection.run(
      """
      INSERT INTO media.caption_words (post) SELECT value FROM media.json_numbers($1)
      ON CONFLICT (post) DO UPDATE SET line = NULL
      """, [numbers.jsonList])
  }

  /// Marks all posts, so that they are indexed anew.
  static func rebuild(in connection: Connection) throws {
    try connection.run("INSERT INTO media.caption_words (post) SELECT id FROM media.post ON CONFLICT (post) DO NOTHING")
    try connection.run("UPDATE media.caption_words SET line = NULL WHERE line IS NOT NULL")
  }
}
