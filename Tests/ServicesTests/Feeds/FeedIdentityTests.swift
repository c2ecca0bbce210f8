import HTTP
import Posts
import Services
import Testing

struct FeedIdentityTests {
  @Test func `an id counts within its feed, whatever it looks like`() async throws {
    let posts = try await FeedDesk.rss(
      "<guid>tag:birds.example,2026:1</guid>", "<guid>urn:uuid:60a76c80</guid>", "<guid>HTTP://birds.example/x</guid>",
      "<guid isPermaLink=\"false\">17</guid>", "<guid>post:17 b</guid>")
    #expect(
      posts.map(\.uri)
        == [
          "tag%3Abirds.example%2C2026%3A1", "urn%3Auuid%3A60a76c80", "HTTP%3A%2F%2Fbirds.example%2Fx", "17",
          "post%3A17%20b",
        ].map { "feed://birds.example/feed#\($0)" })
  }

  @Test func `feeds that differ in their query alone have ids of their own`() async throws {
    let uris = try await ["?f=1", "?f=2", ""].asyncMap { query in
      let address = "https://birds.example/feed\(query)"
      let feed = Feed(source: .feed, kind: .url, value: address, server: FeedDesk.server)
      let body = "<rss><channel><item><guid>17</guid></item></channel></rss>"
      return try await FeedDesk.page(Response(body), of: feed).items.compactMap(\.post?.uri)
    }
    #expect(Set(uris.joined()).count == 3)
  }

  @Test func `without an id the page is the identity, without a page what hardly changes`() async throws {
    let item = "<title>Robin</title><pubDate>20 Nov 2026 09:00:00 GMT</pubDate>"
    let posts = try await FeedDesk.rss("<link>https://birds.example/1</link>", item)
    #expect(posts.contains { $0.uri == "feed://birds.example/feed#birds.example%2F1" })
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
    #expect(posts.map(\.uri) == ["1", "2"].map { "feed://birds.example/feed#birds.example%2F\($0)" })
    let bare = try await FeedDesk.rss("<guid>0</guid><title>One</title>", "<guid>0</guid><title>Two</title>")
    #expect(Set(bare.map(\.uri)).count == 2)
  }

  @Test func `an id that any two of several items share under other heads identifies none of them`() async throws {
    let items = [("One", 20), ("One", 19), ("Two", 20)].map {
      "<guid>x</guid><link>https://birds.example/1</link><title>\($0.0)</title>"
        + "<pubDate>\($0.1) Nov 2026 09:00:00 GMT</pubDate>"
    }
    #expect(Set(try await FeedDesk.rss(items[0], items[1], items[2]).map(\.uri)).count == 3)
    #expect(try await FeedDesk.rss(items[0], items[1]).count == 1)
  }

  /// An episode under a guid and a link that all share.
  private func episode(_ title: String?, day: Int, file: String? = nil, more: String = "") -> String {
    "<guid>x</guid><link>https://birds.example/show</link>" + (title.map { "<title>\($0)</title>" } ?? "")
      + "<pubDate>\(day) Nov 2026 09:00:00 GMT</pubDate>\(more)"
      + (file.map { "<enclosure url=\"https://birds.example/\($0)\" type=\"audio/mpeg\" length=\"7\"/>" } ?? "")
  }

  @Test func `episodes that share guid and link are posts of their own, and stay so under an edited headline`()
    async throws
  {
    let uris = { (titles: [String?], build: Int) in
      try await FeedDesk.posts(
        "<rss><channel>"
          + titles.enumerated().map { index, title in
            "<item>\(episode(title, day: 20 - index, file: "\(index).mp3?modified=\(build)"))</item>"
          }.joined() + "</channel></rss>"
      ).map(\.uri)
    }
    let first = try await uris([nil, nil, "Same", "Same", "Other"], 1)
    #expect(Set(first).count == 5)
    #expect(try await uris(["Edited", nil, "Same", "Edited", "Edited"], 2) == first)
    let fileless = try await FeedDesk.rss(episode("One", day: 20), episode("Two", day: 19)).map(\.uri)
    #expect(Set(fileless).count == 2)
    #expect(try await FeedDesk.rss(episode("Edited", day: 20), episode("Two", day: 19)).map(\.uri) == fileless)
  }

  @Test(arguments: [
    "<enclosure url='https://birds.example/get.php?id=%' type='audio/mpeg'/>",
    "<media:content url='https://birds.example/logo.png' medium='image'/>"
      + "<enclosure url='https://birds.example/%.mp3' type='audio/mpeg'/>",
    "<description>Episode %</description>",
  ])
  func `what all episodes under one guid share tells none of them`(more: String) async throws {
    let uris = { (days: [Int]) in
      try await FeedDesk.posts(
        "<rss><channel>"
          + days.map { "<item>\(episode(nil, day: $0, more: more.replacing("%", with: "\($0)")))</item>" }.joined()
          + "</channel></rss>"
      ).map(\.uri)
    }
    let first = try await uris([20, 19, 18])
    #expect(Set(first).count == 3)
    #expect(try await uris([21, 20, 19, 18]).suffix(3) == first[...])
  }

  @Test func `episodes under one guid with one logo are told apart by their dates`() async throws {
    let logo = "<enclosure url='https://birds.example/logo.png' type='image/png'/>"
    let uris = try await FeedDesk.rss(episode("One", day: 20, more: logo), episode("Two", day: 19, more: logo)).map(
      \.uri)
    #expect(Set(uris).count == 2)
    let edited = try await FeedDesk.rss(episode("1", day: 20, more: logo), episode("Two", day: 19, more: logo)).map(
      \.uri)
    #expect(edited == uris)
  }

  @Test func `an id of an Atom feed is one entry, whose versions its dates tell`() async throws {
    let entries = [20, 21].map {
      "<entry><id>urn:x</id><title>On \($0)</title><published>2026-11-19T09:00:00Z</published>"
        + "<updated>2026-11-\($0)T09:00:00Z</updated></entry>"
    }
    let page = try await FeedDesk.page("<feed xmlns=\"http://www.w3.org/2005/Atom\">\(entries.joined())</feed>")
    #expect(page.items.map { $0.post?.title } == ["On 20", "On 21"])
    #expect(Set(page.items.map(\.id)) == ["feed://birds.example/feed#urn%3Ax"])
  }

  @Test func `a page that several items without ids share identifies none of them`() async throws {
    let items = ["one", "two", "three"].map { "<title>\($0)</title><link>https://birds.example/news</link>" }
    let posts = try await FeedDesk.posts(
      "<rss><channel>\(items.map { "<item>\($0)</item>" }.joined())</channel></rss>")
    #expect(Set(posts.map(\.uri)).count == 3)
  }

  @Test func `an item that is shown twice is one`() async throws {
    let item = "<guid>x</guid><link>https://birds.example/1</link>"
    #expect(try await FeedDesk.rss(item, item).count == 1)
  }

  @Test(arguments: ["<guid>x</guid><link>https://birds.example/1</link>", "<title>Robin</title>"])
  func `an item with the name of another is kept as it came, and takes nothing from it`(name: String) async throws {
    let items = ["a", "b", "b"].map { "<item>\(name)<description>\($0)</description></item>" }
    let page = try await FeedDesk.page("<rss><channel>\(items.joined())</channel></rss>")
    #expect(page.items.map { $0.post?.caption } == ["a", nil, nil])
    #expect(page.items[1].raw == Array(items[1].utf8))
  }

  @Test(arguments: [
    ("<dc:creator>Ann (now), Bob (then)</dc:creator>", "Ann (now), Bob (then)"),
    ("<author>ann@birds.example (Ann Bee)</author>", "Ann Bee"), ("<author>Ann</author><dc:creator/>", "Ann"),
  ])
  func `an author is who is named, whole`(named: String, name: String) async throws {
    #expect(try await FeedDesk.rss("<guid>x</guid>\(named)").map(\.author?.name) == [name])
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

extension Array {
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
