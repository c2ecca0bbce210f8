import Rows

// The search index follows the library. What is new is indexed by whoever writes it. Triggers note posts whose author, tags
// or files change, and the same transaction indexes these anew. If they are many, later ones do, as many at a time.

extension Database {
  /// How many posts one transaction indexes anew beside what it writes.
  static let staleAtOnce = 200

  /// Runs what writes, and then indexes posts that were noted. In PostgreSQL every transaction does that at its end.
  func indexing<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let value = try body(self)
    if engine == .sqlite { try refreshSearchIndex() }
    return value
  }

  fileprivate func refreshSearchIndex() throws {
    let posts: [Int64] = try values("SELECT post FROM stale_text LIMIT $1", [Self.staleAtOnce])
    guard !posts.isEmpty else { return }
    try reindex(posts)
    try run("DELETE FROM stale_text WHERE post IN (SELECT value FROM \(each)($1))", [posts.jsonList])
  }

  /// Indexes posts again if they differ from the index.
  func reindex(_ posts: [Int64]) throws {
    var indexed: [Int64: SearchedTexts] = [:]
    try rows(
      "SELECT s.post, s.author, s.alt, s.tags, s.files FROM \(each)($1) j \(crossJoin) searched_text s ON s.post = j.value",
      [posts.jsonList]
    ) { indexed[try $0["post"]] = try SearchedTexts($0) }
    let changed = try SearchedPost.all(posts, in: self).filter { $0.texts != indexed[$0.id] }
    guard !changed.isEmpty else { return }
    switch connection {
    case .sqlite:
      let list = changed.map(\.id).jsonList
      try run(unindexing, [list])
      try store(changed)
      try run("\(Self.indexing) FROM \(each)($1) j \(crossJoin) searched_post p ON p.id = j.value", [list])
    case .postgresql(let session):
      try session.searchIndex.write(changed, in: session.connection)
    }
  }

  /// Adds the posts with these numbers to the search index. PostgreSQL notes them by a trigger.
  func addToSearchIndex(after first: Int64, upTo last: Int64) throws {
    guard engine == .sqlite else { return }
    let posts: [Int64] = try values("SELECT id FROM post WHERE id > $1 AND id <= $2", [first, last])
    try store(SearchedPost.all(posts, in: self))
    try run("\(Self.indexing) FROM searched_post p WHERE p.id > $1 AND p.id <= $2", [first, last])
  }

  private func store(_ posts: [SearchedPost]) throws {
    try insert(
      "INSERT INTO searched_text (post, author, alt, tags, files)",
      posts.map { [$0.id, $0.texts.author, $0.texts.alt, $0.texts.tags, $0.texts.files] as Arguments },
      """
      ON CONFLICT (post) DO UPDATE SET author = excluded.author, alt = excluded.alt, tags = excluded.tags,
        files = excluded.files
      """)
  }

  private static let indexing = """
    INSERT INTO caption_fts (rowid, title, caption, warning, author, alt, tags, files)
    SELECT p.id, p.title, p.caption, p.warning, p.author, p.alt, p.tags, p.files
    """

  private var unindexing: String {
    """
    INSERT INTO caption_fts (caption_fts, rowid, title, caption, warning, author, alt, tags, files)
    SELECT 'delete', p.id, p.title, p.caption, p.warning, p.author, p.alt, p.tags, p.files
    FROM \(each)($1) j \(crossJoin) searched_post p ON p.id = j.value
    """
  }
}

extension Store {
  /// The settings that tell above which number posts are found by all their words; without them, all are. Libraries of before
  /// the first release have the first one, those without words of scripts that need no spaces the second one.
  private static let (wordsRead, wordsSeparated) = ("words-read", "words-separated")

  /// The number above which posts are found by all their words, and the setting that tells it; nil if all posts are.
  static func unreadWords(in db: Database) throws -> (setting: String, end: Int64)? {
    try db.row("SELECT name, value FROM setting WHERE name IN ($1, $2) ORDER BY name", [wordsRead, wordsSeparated]) {
      (setting: try $0["name"], end: Int64(try $0["value"] as String) ?? .max)
    }
  }

  /// Whether posts wait for `readWords`.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func awaitsWords() throws(StorageError) -> Bool {
    try read { try Self.unreadWords(in: $0) != nil || $0.hasRow("SELECT 1 FROM stale_text LIMIT 1", []) }
  }

  /// Adds words of the next posts to the search index, which an earlier version left out.
  ///
  /// Each step is short, so that other writers go on. Several processes may do them at once, and whichever ends, the others
  /// go on where it stopped.
  ///
  /// - Parameter limit: The maximum number of posts.
  /// - Returns: Whether there may be more.
  /// - Throws: `StorageError` if the library cannot be written.
  public func readWords(atMost limit: Int) throws(StorageError) -> Bool {
    guard try awaitsWords() else { return false }
    return try write { db in
      guard let (setting, end) = try Self.unreadWords(in: db) else {
        try db.refreshSearchIndex()
        return true
      }
      let posts: [Int64] = try db.values(
        "SELECT id FROM post WHERE id < $1 ORDER BY id DESC LIMIT $2", [end, limit])
      guard let last = posts.last else {
        try db.run("DELETE FROM setting WHERE name = $1", [setting])
        return true
      }
      try db.reindex(posts)
      if setting == Self.wordsRead { try giveUpNameless(from: last, to: posts[0], in: db) }
      try db.run(Self.setting, [setting, "\(last)"])
      return true
    }
  }

  /// Attachments that an earlier version left pending for ever.
  private func giveUpNameless(from first: Int64, to last: Int64, in db: Database) throws {
    try db.run(
      """
      UPDATE attachment SET state = 'gone', failure = $1
      WHERE post >= $2 AND post <= $3 AND state = 'pending' AND url IS NULL AND alternate_url IS NULL
      """, [AttachmentRecord.hasNoAddress, first, last])
  }
}
