import Posts
import Testing

struct FeedTests {
  @Test(arguments: [
    ("cats", "cats"), ("#Cats", "cats"), (" ##CATS ", "cats"), ("＃ねこ", "ねこ"), ("E\u{301}té", "été"), ("#", ""),
    ("# #x", "x"),
    ("H\u{331}ouse", "\u{1E96}ouse"), ("\u{301}a", "\u{301}a"),
  ])
  func `a tag is stored without its sign, composed and in lower case`(text: String, name: String) {
    #expect(Feed.tagName(text).unicodeScalars.elementsEqual(name.unicodeScalars))
    #expect(Feed.tagName(name).unicodeScalars.elementsEqual(name.unicodeScalars))
  }

  @Test func `a feed's name includes the source only if it must`() throws {
    let social = try #require(Server("mastodon.social"))
    let local = try #require(Server("http://127.0.0.1:8080"))
    #expect(Feed(source: .usual, kind: .tag, value: "#Cats", server: social).name == "tag:cats@mastodon.social")
    #expect(
      Feed(source: SourceName(rawValue: "instagram"), kind: .tag, value: "cats", server: local).name
        == "tag:cats@instagram+http://127.0.0.1:8080"
    )
    #expect(
      Feed(source: .usual, kind: .search, value: "Red Panda", server: social).name
        == "search:Red Panda@mastodon.social"
    )
    #expect(
      Feed(source: SourceName(rawValue: "feed"), kind: .url, value: "https://a.example/f.xml", server: social).name
        == "https://a.example/f.xml"
    )
  }

  @Test func `two spellings of a tag are one feed`() throws {
    let social = try #require(Server("mastodon.social"))
    #expect(
      Feed(source: .usual, kind: .tag, value: "#Cats", server: social)
        == Feed(source: .usual, kind: .tag, value: "cats", server: social)
    )
  }
}
