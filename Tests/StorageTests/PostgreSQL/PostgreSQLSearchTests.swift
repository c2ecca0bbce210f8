import PostgreSQL
import PostgreSQLServer
import PropertyTesting
import SQLite
import Testing

@testable import Storage

/// The search index in PostgreSQL against SQLite's FTS5.
@Suite struct PostgreSQLSearchTests {
  private let library: TestLibrary
  private let session: PostgreSQLSession
  private var connection: PostgreSQLConnection { session.connection }
  private let index: SearchIndex
  private let address: String

  init() throws {
    library = try TestLibrary()
    address = try PostgreSQLServer.shared().newDatabase()
    try PostgreSQLSchema(path: "/l").migrate(PostgreSQLConnection(address)) { _ in }
    session = try PostgreSQLSession(address)
    index = try SearchIndex()
  }

  private func insert(_ id: Int, _ texts: [String?]) throws {
    let columns = "id, source, uri, title, caption, warning, created_at, stored_at, updated_at"
    let time = "2025-01-01T00:00:00.000Z"
    let head = "INSERT INTO post (\(columns)) VALUES"
    try library.database.write { db in
      try db.run("\(head) (?, 's', ?, ?, ?, ?, '\(time)', '', '')", [id, "u\(id)", texts[0], texts[1], texts[2]])
    }
    try library.store.write { db in try db.addToSearchIndex(after: Int64(id) - 1, upTo: Int64(id)) }
    try connection.run(
      "\(head) ($1, 's', $2, $3, $4, $5, '\(time)', '', '')", [id, "u\(id)", texts[0], texts[1], texts[2]])
  }

  /// What both find, by each of the functions.
  private func compare(_ typed: String, _ hint: String) throws {
    guard let search = SearchText(typed) else { return }
    for isOpen in Set([search.isOpen, false]) {
      let match = isOpen ? search.match : search.whole
      let theirs: [Int64] = try library.database.read {
        try $0.values("SELECT rowid FROM caption_fts WHERE caption_fts MATCH ? ORDER BY rowid", [match])
      }
      let argument = try index.argument(search, isOpen: isOpen)
      let ours: [Int64] = try connection.values("SELECT post FROM found($1, -1) ORDER BY post", [argument])
      let single: [Int64] = try connection.values("SELECT id FROM post WHERE is_found(id, $1) ORDER BY id", [argument])
      #expect(ours == theirs, "\(hint): \(match)")
      #expect(single == theirs, "\(hint): \(match)")
    }
  }

  private static let words = [
    "a", "ab", "abc", "b", "Crème", "creme", "CRE\u{300}ME", "e\u{301}\u{302}", "straße", "STRASSE", "ﬁn", "fin",
    "猫", "猫が", "кот", "КОТ", "٣", "ⅷ", "x-y", "x_y", "#ab", "don't", "O'Neill", "🐈‍⬛", "a\u{200D}b", "\u{202E}ab",
    "שָׁלוֹם", "שלום", "ᾳ", "\u{345}", "\u{345}a", "0", "00", "…", "\u{FFFD}", "\u{E000}", "\u{1F130}", "\u{AB70}",
    "İ", "i̇", "ı", "I", "'", "''", "\\", "a\\b", ":*", "a:*", "&", "!a", "  ", "\u{1}", "\u{0}", "\t", "\u{A0}",
    "\u{2028}",
  ]

  @Test(arguments: PropertyTest.seeds(sample: 3, whole: 200))
  func `a search finds what FTS5 finds`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    func text(_ most: Int) -> String {
      (0..<dice.below(most + 1)).map { _ in
        Self.words.randomElement(using: &dice)! + ["", " ", " ", "\n", ",", "-"].randomElement(using: &dice)!
      }.joined().storable
    }
    try connection.transaction(.readCommitted) { _ in
      for id in 1...50 {
        try insert(id, [dice.below(2) == 0 ? text(3) : nil, text(8), dice.below(2) == 0 ? text(3) : ""])
      }
      try index.fill(in: session)
    }
    for _ in 0..<150 {
      var typed = text(3)
      if dice.below(3) == 0 { typed = "\"\(typed)\" " + text(1) }
      try compare(typed, "seed \(seed)")
    }
  }

  @Test func `words longer than an entry of the index are found whole and by their beginning`() throws {
    let long = String(repeating: "長", count: 900)
    try insert(1, ["x", long, ""])
    try insert(2, ["x", long + "x", ""])
    try insert(3, ["x", String(long.prefix(500)), ""])
    try insert(4, ["x", String(long.prefix(501)) + " b", ""])
    try index.fillRest(in: session)
    for length in [1, 499, 500, 501, 900] {
      let word = String(long.prefix(length))
      for typed in [word, word + " ", "x " + word, "\"\(word)\"", "\"\(word) b\""] { try compare(typed, "\(length)") }
    }
  }

  @Test func `a post with more words than the index takes is found`() throws {
    let many = (0..<140_000).map { "wort\($0)" }.joined(separator: " ")
    try insert(1, [nil, many, ""])
    try insert(2, [nil, "wort7 and other", ""])
    try index.fillRest(in: session)
    #expect(try connection.value("SELECT words IS NULL FROM caption_words WHERE post = 1") == true)
    for typed in [
      "wort7", "wort7 ", "wort139999 ", "wort140000 ", "\"wort7 wort8\"", "\"wort7 wort9\"", "other ", "wort7 other",
    ] {
      try compare(typed, "many")
    }
  }

  @Test func `a post is found by its new words after an edit, and not by its old ones`() throws {
    try insert(1, [nil, "old words", ""])
    try index.fillRest(in: session)
    let (old, new) = (try #require(SearchText("old ")), try #require(SearchText("new ")))
    try connection.transaction(.readCommitted) { db in
      try db.run("UPDATE post SET caption = 'new words', updated_at = 'x'")
      try index.fill(in: session)
    }
    try connection.run("UPDATE post SET updated_at = 'y'")
    #expect(
      try connection.values("SELECT post FROM found($1, -1)", [index.argument(old, isOpen: false)]) == [] as [Int64])
    #expect(
      try connection.values("SELECT post FROM found($1, -1)", [index.argument(new, isOpen: false)]) == [1 as Int64])
    #expect(try index.unfit(after: 0, in: session).unfit == [])
    try connection.run("UPDATE caption_words SET line = ' other '")
    #expect(try index.unfit(after: 0, in: session).unfit == [1])
    try SearchIndex.rebuild(in: connection)
    try index.fillRest(in: session)
    #expect(try index.unfit(after: 0, in: session).unfit == [])
  }

  @Test func `a rare word is found by the index, not by reading all posts`() throws {
    try connection.run(
      """
      INSERT INTO post (source, uri, caption, created_at, stored_at, updated_at)
      SELECT 's', n || '', '', '2025-01-01T00:00:00.000Z', '', '' FROM generate_series(1, 20000) n
      """)
    try connection.run("UPDATE caption_words SET line = ' common ' || post || ' '")
    try connection.execute("VACUUM ANALYZE media.caption_words")
    let before = try scans()
    let search = try index.argument(try #require(SearchText("777 ")), isOpen: false)
    #expect(try connection.values("SELECT post FROM found($1, 10001)", [search]) == [777 as Int64])
    let both = try index.argument(try #require(SearchText("common 777 ")), isOpen: false)
    #expect(try connection.values("SELECT post FROM found($1, 10001)", [both]) == [777 as Int64])
    #expect(try scans() == before)
  }

  /// How often the table was read whole.
  private func scans() throws -> Int? {
    try connection.execute("SELECT pg_stat_force_next_flush()")
    return try PostgreSQLConnection(address).value(
      "SELECT seq_scan FROM pg_stat_user_tables WHERE relid = 'media.caption_words'::regclass")
  }
}
