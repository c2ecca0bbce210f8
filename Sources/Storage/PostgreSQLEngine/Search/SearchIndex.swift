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
  func fill(in session: PostgreSQLSession) throws {
    let noted: String? = try session.connection.value("SELECT nullif(current_setting('media.unread', true), '')")
    guard let noted else { return }
    var numbers = Array(Set(noted.split(separator: ",").compactMap { Int64($0) })).sorted()[...]
    while !numbers.isEmpty {
      try write(SearchedPost.all(Array(numbers.prefix(Self.chunk)), in: Database(session)), in: session.connection)
      numbers = numbers.dropFirst(Self.chunk)
    }
  }

  /// Indexes posts that another program wrote, and all posts after `rebuild`. It leaves out those that somebody indexes.
  func fillRest(in session: PostgreSQLSession) throws {
    while try indexMarked(in: session) == Self.chunk {}
    let stale = """
      DELETE FROM media.stale_text WHERE post IN (
        SELECT post FROM media.stale_text ORDER BY post LIMIT \(Self.chunk) FOR UPDATE SKIP LOCKED) RETURNING post
      """
    try write(SearchedPost.all(session.connection.values(stale), in: Database(session)), in: session.connection)
  }

  /// Indexes marked posts.
  ///
  /// - Returns: How many.
  private func indexMarked(in session: PostgreSQLSession) throws -> Int {
    let posts: [Int64] = try session.connection.values(
      """
      SELECT post FROM media.caption_words WHERE line IS NULL ORDER BY post LIMIT \(Self.chunk) FOR UPDATE SKIP LOCKED
      """)
    try write(SearchedPost.all(posts, in: Database(session)), in: session.connection)
    return posts.count
  }

  /// Stores the words of posts.
  func write(_ posts: [SearchedPost], in connection: PostgreSQLConnection) throws {
    guard !posts.isEmpty else { return }
    func texts(_ text: (SearchedPost) throws -> String) throws -> [UInt8] {
      try ColumnArray(posts.map { .text(try text($0)) }, of: .text).bytes
    }
    try connection.run(
      """
      WITH stored AS (
        INSERT INTO media.searched_text (post, author, alt, tags, files)
        SELECT * FROM unnest($1::bigint[], $3::text[], $4::text[], $5::text[], $6::text[])
        ON CONFLICT (post) DO UPDATE SET author = excluded.author, alt = excluded.alt, tags = excluded.tags,
          files = excluded.files)
      INSERT INTO media.caption_words (post, line) SELECT * FROM unnest($1::bigint[], $2::text[])
      ON CONFLICT (post) DO UPDATE SET line = excluded.line
      """,
      [
        ColumnArray(posts.map { .integer($0.id) }, of: .bigint).bytes, texts(line), texts(\.texts.author),
        texts(\.texts.alt), texts(\.texts.tags), texts(\.texts.files),
      ])
  }

  private func line(_ post: SearchedPost) throws -> String {
    try IndexedLine.of(post.own.compactMap(\.self) + post.texts.all, tokenizer)
  }

  /// The search as the schema's functions take it.
  func argument(_ search: SearchText, isOpen: Bool) throws -> String {
    try PostgreSQLSearch(search, isOpen: isOpen, tokenizer).text
  }

  /// Posts whose stored words are not those of their texts, at most `limit`, after a number. Of a post that an earlier version
  /// stored only its own texts are indexed, until its turn comes.
  func unfit(after number: Int64, in session: PostgreSQLSession) throws -> (unfit: [Int64], last: Int64?) {
    let posts: [Int64] = try session.connection.values(
      "SELECT id FROM media.post WHERE id > $1 ORDER BY id LIMIT $2", [number, Self.chunk])
    var stored: [Int64: (line: String?, isWhole: Bool, isStale: Bool)] = [:]
    for row in try session.connection.rows(
      """
      SELECT w.post, w.line, s.post IS NOT NULL AS is_whole, t.post IS NOT NULL AS is_stale FROM media.caption_words w
        LEFT JOIN media.searched_text s ON s.post = w.post LEFT JOIN media.stale_text t ON t.post = w.post
      WHERE w.post = ANY ($1::bigint[])
      """, [ColumnArray(posts.map { .integer($0) }, of: .bigint).bytes])
    {
      stored[try row["post"]] = try (row["line"], row["is_whole"], row["is_stale"])
    }
    let unfit = try SearchedPost.all(posts, in: Database(session)).filter { post in
      guard let (line, isWhole, isStale) = stored[post.id] else { return true }
      return try !isStale
        && line != (isWhole ? self.line(post) : IndexedLine.of(post.own.compactMap(\.self), tokenizer))
    }
    return (unfit.map(\.id), posts.last)
  }

  /// Marks posts, so that they are indexed anew.
  func mark(_ numbers: [Int64], in connection: PostgreSQLConnection) throws {
    try connection.run(
      """
      INSERT INTO media.caption_words (post) SELECT value FROM media.json_numbers($1)
      ON CONFLICT (post) DO UPDATE SET line = NULL
      """, [numbers.jsonList])
  }

  /// Marks all posts, so that they are indexed anew.
  static func rebuild(in connection: PostgreSQLConnection) throws {
    try connection.run("INSERT INTO media.caption_words (post) SELECT id FROM media.post ON CONFLICT (post) DO NOTHING")
    try connection.run("UPDATE media.caption_words SET line = NULL WHERE line IS NOT NULL")
  }
}
