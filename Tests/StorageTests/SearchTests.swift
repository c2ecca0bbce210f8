import Posts
import Series
import Testing

@testable import Storage

struct SearchTests {
  @Test(arguments: [
    ("red panda", ["\"red\"", "\"panda\"*"]), ("red ", ["\"red\""]), ("\"red panda\"", ["\"red panda\""]),
    ("say \"red panda\" tw", ["\"say\"", "\"red panda\"", "\"tw\"*"]), ("\"open", ["\"open\""]),
    ("a - b", ["\"a\"", "\"b\"*"]), ("#cats", ["\"#cats\"*"]), ("x\0y", ["\"xy\"*"]),
  ])
  func `words become phrases, and the last one may go on`(text: String, phrases: [String]) {
    #expect(SearchText.query(text) == phrases.joined(separator: " "))
  }

  @Test(arguments: ["", "  ", "\"", "\"\"\"", "* ^ ( ) : - + {}", "…", "\u{0}", "🐈"])
  func `what holds no word looks for nothing`(text: String) {
    #expect(SearchText.query(text) == nil)
  }

  @Test func `accents, case and word ends do not matter`() throws {
    let shelf = try Shelf()
    try shelf.pull([post(2, caption: "Crème brûlée at the café"), post(1, caption: "cream")])
    for text in ["creme", "CAFÉ", "brul", "\"at the\" caf", "café #creme"] {
      #expect(try shelf.store.posts(PostQuery(search: text)).count == 1, "\(text)")
    }
    #expect(try shelf.store.posts(PostQuery(search: "brul ")).isEmpty)
    #expect(try shelf.store.posts(PostQuery(search: "\"the at\"")).isEmpty)
    #expect(try shelf.store.posts(PostQuery(search: "…")).isEmpty)
    #expect(try shelf.store.posts(PostQuery(search: "  ")).count == 2)
  }

  @Test func `a title and a warning are searched as well`() throws {
    let shelf = try Shelf()
    var titled = post(1)
    (titled.title, titled.warning) = ("Headline", "spiders")
    try shelf.pull([titled])
    for text in ["headl", "spider", "headline spiders post"] {
      #expect(try shelf.store.posts(PostQuery(search: text)).count == 1)
    }
  }

  @Test func `no text is a syntax error`() throws {
    let shelf = try Shelf()
    try shelf.pull([post(1, caption: "plain words")])
    let seed = UInt64.random(in: 0 ... .max)
    var dice = Dice(state: seed)
    let pieces = [
      "\"", "*", "^", "(", ")", ":", "-", "+", "NEAR", "AND", "OR", "NOT", "caption", "words", " ", "{", "}", ",", "'",
      "\\", ";", "\0", "é", "🐈‍⬛", "\u{202E}", "%", "NEAR(", "\u{FFFD}", "1", "\n", "ⅷ", "_", "٣", "ﷺ",
    ]
    for _ in 0..<1_500 {
      let text = (0..<Int.random(in: 1...9, using: &dice)).map { _ in pieces.randomElement(using: &dice)! }.joined()
      #expect(throws: Never.self, "seed \(seed): \(text)") { try shelf.store.posts(PostQuery(search: text)) }
    }
    let long = String(repeating: "words ", count: 50_000)
    #expect(try shelf.store.posts(PostQuery(search: long)).count == 1)
  }
}
