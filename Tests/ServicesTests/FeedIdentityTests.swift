import HTTP
import Posts
import Services
import Testing

struct FeedIdentityTests {
  @Test func `an id that is an address counts everywhere, another one within its feed`() async throws {
    let posts = try await FeedDesk.rss(
      "<guid>tag:birds.example,2026:1</guid>", "<guid>urn:uuid:60a76c80</guid>", "<guid>HTTP://birds.example/x</guid>",
      "<guid isPermaLink=\"false\">17</guid>", "<guid>post:17 b</guid>")
    #expect(
      posts.map(\.uri) == [
        "tag:birds.example,2026:1", "urn:uuid:60a76c80", "HTTP://birds.example/x", "feed://birds.example/feed#17",
        "feed://birds.example/feed#post%3A17%20b",
      ])
  }

  @Test func `without an id the page is the identity, without a page what hardly changes`() async throws {
    let item = "<title>Robin</title><pubDate>20 Nov 2026 09:00:00 GMT</pubDate>"
    let posts = try await FeedDesk.rss("<link>https://birds.example/1</link>", item)
    #expect(posts[1].uri == "https://birds.example/1" || posts[0].uri == "https://birds.example/1")
    let digest = try #require(posts.map(\.uri).first { $0.hasPrefix("feed://birds.example/feed#sha256:") })
    #expect(try await FeedDesk.rss("\(item)<description>edited</description>").map(\.uri) == [digest])
    #expect(try await FeedDesk.rss(item.replacing("Robin", with: "Wren"))[0].uri != digest)
  }

  @Test func `a key in the feed's address stands in no identity`() async throws {
    let feed = Feed(
      source: .feed, kind: .url, value: "https://birds.example/feed?key=hush-hush", server: FeedDesk.server)
    let body = "<rss><channel><item><guid>17</guid></item><item><title>x</title></item></channel></rss>"
    let page = try await FeedDesk.page(Response(body), of: feed)
    #expect(page.items.count == 2)
    #expect(!"\(page.items.compactMap(\.post))".contains("hush"))
  }

  @Test func `an item that says nothing is kept as it came`() async throws {
    let page = try await FeedDesk.page("<rss><channel><item> </item><item><title>x</title></item></channel></rss>")
    #expect(page.items.map { $0.post == nil } == [true, false])
    #expect(page.items[0].raw == Array("<item> </item>".utf8))
  }

  @Test func `an id that all items share identifies none of them`() async throws {
    let posts = try await FeedDesk.rss(
      "<guid>x</guid><link>https://birds.example/1</link>", "<guid>x</guid><link>https://birds.example/2</link>")
    #expect(posts.map(\.uri) == ["https://birds.example/1", "https://birds.example/2"])
  }

  @Test func `an item that is shown twice is one`() async throws {
    let item = "<guid>x</guid><link>https://birds.example/1</link>"
    #expect(try await FeedDesk.rss(item, item).count == 1)
  }

  @Test func `the site knows an item by its page, unless that is the page of several or of the feed`() async throws {
    let ids = { (items: [String]) in
      try await FeedDesk.posts(
        "<rss><channel><link>http://birds.example</link>\(items.map { "<item>\($0)</item>" }.joined())</channel></rss>"
      ).map(\.remoteID)
    }
    #expect(try await ids(["<guid>1</guid><link>http://www.birds.example/a/</link>"]) == ["birds.example/a"])
    #expect(try await ids(["<guid>1</guid><link>https://birds.example/</link>"]) == ["feed://birds.example/feed#1"])
    let shared = ["1", "2"].map { "<guid>\($0)</guid><link>https://birds.example/show</link>" }
    #expect(try await ids(shared) == ["feed://birds.example/feed#1", "feed://birds.example/feed#2"])
  }
}
