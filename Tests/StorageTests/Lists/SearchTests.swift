import Posts
import PropertyTesting
import SQLRows
import SQLite
import Testing

@testable import Storage

struct SearchTests {
  @Test(arguments: [
    ("red panda", ["\"red\"", "\"panda\"*"]), ("red ", ["\"red\""]), ("\"red panda\"", ["\"red panda\""]),
    ("say \"red panda\" tw", ["\"say\"", "\"red panda\"", "\"tw\"*"]), ("\"open", ["\"open\""]),
    ("a - b", ["\"a\"", "\"b\"*"]), ("#cats", ["\"#cats\"*"]), ("x\0y", ["\"xy\"*"]),
    ("日本 cat猫", ["\" 日  本 \"", "\"cat 猫 \"*"]),
  ])
  func `words become phrases, and the last one may be a prefix`(text: String, phrases: [String]) {
    #expect(SearchText(text)?.match.text == phrases.joined(separator: " "))
  }

  @Test(arguments: ["", "  ", "\"", "\"\"\"", "* ^ ( ) : - + {}", "…", "\u{0}"])
  func `a text without a word searches for nothing`(text: String) {
    #expect(SearchText(text)?.match.text == nil)
  }

  @Test func `accents, case and word ends do not matter`() throws {
    let library = try TestLibrary()
    try library.pull([post(2, caption: "Crème brûlée at the café"), post(1, caption: "cream")])
    for text in ["creme", "CAFÉ", "brul", "\"at the\" caf", "café #creme"] {
      #expect(try library.store.posts(PostQuery(search: text)).count == 1, "\(text)")
    }
    #expect(try library.store.posts(PostQuery(search: "brul ")).isEmpty)
    #expect(try library.store.posts(PostQuery(search: "\"the at\"")).isEmpty)
    #expect(try library.store.posts(PostQuery(search: "…")).isEmpty)
    #expect(try library.store.posts(PostQuery(search: "  ")).count == 2)
  }

  @Test func `an emoji that the index knows as a word is found, another finds nothing`() throws {
    let library = try TestLibrary()
    try library.pull([post(2, caption: "a 🦊 ran"), post(1, caption: "a ❤ and a 🐈")])
    #expect(try library.store.posts(PostQuery(search: "🦊")).map(\.caption) == ["a 🦊 ran"])
    #expect(try library.store.posts(PostQuery(search: "ran 🦊 ")).count == 1)
    #expect(try library.store.posts(PostQuery(search: "❤")).isEmpty)
  }

  @Test func `words that are not separated yet are found by their beginning`() throws {
    let library = try TestLibrary()
    try library.pull([post(1, caption: "日本の猫が好き")])
    try library.store.write { db in
      try db.run("INSERT INTO setting (name, value) VALUES ('words-separated', '9223372036854775807')", [])
    }
    for text in ["日本", "日本の猫"] { #expect(try library.store.posts(PostQuery(search: text)).count == 1, "\(text)") }
    #expect(try library.store.posts(PostQuery(search: "の猫")).isEmpty)
    while try library.store.readWords(atMost: 10) {}
    #expect(try library.store.posts(PostQuery(search: "の猫")).count == 1)
  }

  @Test func `a title and a warning are searched as well`() throws {
    let library = try TestLibrary()
    var titled = post(1)
    (titled.title, titled.warning) = ("Headline", "spiders")
    try library.pull([titled])
    for text in ["headl", "spider", "headline spiders post"] {
      #expect(try library.store.posts(PostQuery(search: text)).count == 1)
    }
  }

  @Test func `no text is a syntax error`() throws {
    let library = try TestLibrary()
    try library.pull([post(1, caption: "plain words")])
    let seed = UInt64.random(in: 0 ... .max)
    var dice = Dice(state: seed)
    let pieces = [
      "\"", "*", "^", "(", ")", ":", "-", "+", "NEAR", "AND", "OR", "NOT", "caption", "words", " ", "{", "}", ",", "'",
      "\\", ";", "\0", "é", "🐈‍⬛", "\u{202E}", "%", "NEAR(", "\u{FFFD}", "1", "\n", "ⅷ", "_", "٣", "ﷺ",
      "\u{301}", "\u{200D}",
    ]
    for _ in 0..<1_500 {
      let text = (0..<Int.random(in: 1...9, using: &dice)).map { _ in pieces.randomElement(using: &dice)! }.joined()
      #expect(throws: Never.self, "seed \(seed): \(text)") { try library.store.posts(PostQuery(search: text)) }
    }
    let long = String(repeating: "words ", count: 50_000)
    #expect(try library.store.posts(PostQuery(search: long)).count == 1)
  }

  private static func number(_ row: Columns) -> Int64 { row[0] }

  /// Short scans read the texts without the index. The result must be the same either way.
  @Test(arguments: PropertyTest.seeds(sample: 4, whole: 400))
  func `words are found in a text exactly where the index finds them`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    let words = [
      "a", "ab", "abc", "b", "Crème", "creme", "CRE\u{300}ME", "e\u{301}\u{302}", "straße", "STRASSE", "ﬁn", "fin",
      "猫", "猫が", "cat猫", "日本", "แมว", "кот", "КОТ", "٣", "ⅷ", "x-y", "x_y", "#ab", "don't", "🐈‍⬛", "a\u{200D}b",
      "\u{202E}ab",
      "שָׁלוֹם", "שלום", "ᾳ", "\u{345}", "\u{345}a", "0", "00", "…", "\u{FFFD}", "\u{E000}", "\u{1F130}", "\u{AB70}",
      "İ", "i̇", "ı", "'", "  ",
    ]
    func text(_ most: Int) -> String {
      (0..<Int.random(in: 0...most, using: &dice)).map { _ in
        words.randomElement(using: &dice)! + ["", " ", " ", "\n", ",", "-"].randomElement(using: &dice)!
      }.joined()
    }
    let library = try TestLibrary()
    try library.pull(
      (1...60).reversed().map { number in
        var post = post(number, caption: text(8))
        if Bool.random(using: &dice) { post.title = text(3) }
        if Bool.random(using: &dice) { post.warning = text(3) }
        return post
      })
    try library.store.read { db in
      let posts = try db.rows("SELECT * FROM searched_post ORDER BY id")
      for _ in 0..<200 {
        var typed = text(3)
        if Int.random(in: 0..<3, using: &dice) == 0 { typed = "\"\(typed)\" " + text(1) }
        guard let search = SearchText(typed) else { continue }
        let indexed = try db.rows(
          "SELECT rowid FROM caption_fts WHERE caption_fts MATCH ? ORDER BY rowid", [search.match])
        let finder = try TermMatcher(search, in: db)
        let found = try posts.filter { row in
          try finder?.isFound(in: (1...7).compactMap { row[$0] as String? }) ?? false
        }
        #expect(found.map(Self.number) == indexed.map(Self.number), "seed \(seed): \(search.match.text)")
      }
    }
  }

  @Test func `more words than a text is read for are found by the index`() throws {
    let library = try TestLibrary()
    let words = (1...65).map { "w\($0)" }
    try library.pull([post(2, caption: words.joined(separator: " ")), post(1, caption: "w1 w2")])
    let phrase = "\"\(words.joined(separator: " "))\""
    let search = try #require(SearchText(phrase))
    let finder = try library.store.read { db in try TermMatcher(search, in: db) }
    #expect(finder == nil)
    #expect(try library.store.posts(PostQuery(search: phrase)).count == 1)
  }

  @Test func `the newest posts with a word are the same, whether it is frequent, rare or frequent long ago`() throws {
    let library = try TestLibrary()
    try library.pull(
      (1...4_200).reversed().map { number in
        post(number, caption: "\(number % 3 == 0 ? "often" : "else") \(number <= 40 ? "formerly" : "lately")")
      })
    let newest = try library.store.posts(PostQuery(limit: 4_200)).map { ($0.id, $0.caption) }
    func check(_ search: String, _ limit: Int, glanced: Bool, _ stands: (String) -> Bool) throws {
      let expected = newest.filter { stands($0.1) }.prefix(limit).map(\.0)
      #expect(try library.store.posts(PostQuery(search: search, limit: limit)).map(\.id) == expected, "\(search)")
      try library.store.read { db in
        let query = PostListQuery(search: search)
        let predicate = try #require(try PostPredicate(query, in: db))
        let keys = try SearchScan.glance(
          PostSelection(source: .library, predicate: predicate), try #require(predicate.search),
          PostSelection.ScanRange(), limit: limit, in: db)
        #expect(keys?.map(\.id) == (glanced ? expected : nil), "\(search)")
      }
    }
    try check("often", 50, glanced: true) { $0.contains("often") }
    try check("often lately ", 700, glanced: true) { $0.contains("often lately") }
    try check("formerly", 50, glanced: false) { $0.contains("formerly") }
    try check("formerly", 10, glanced: false) { $0.contains("formerly") }
    try check("form", 10, glanced: false) { $0.contains("formerly") }
    // A first look is at 500 posts, and ends with the last one that is shown.
    for (search, isFrequent) in [("often", true), ("lately", true), ("formerly", false)] {
      let reading = try library.store.glance(PostListQuery(search: "\(search) "), after: 50, looking: 4_000)
      let expected = newest.filter { $0.1.contains(search) }.prefix(50).map(\.0)
      #expect(reading.rows.map(\.post.id) == expected, "\(search)")
      #expect((reading.lookedTo != nil) == isFrequent, "\(search)")
    }
  }
}
