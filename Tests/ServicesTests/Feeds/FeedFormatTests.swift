import HTTP
import Machine
import Posts
import Services
import Testing

/// Requests one document from the feed source.
struct FeedDesk {
  static let server = Server("birds.example")!
  static let feed = Feed(source: .feed, kind: .url, value: "https://birds.example/feed", server: server)

  static func page(_ answer: Response, of feed: Feed = feed, at now: String = "2026-11-21T10:00:00Z") async throws
    -> Page
  {
    let source = FeedSource(
      server: feed.server, token: nil, transport: Answering(.success(answer)).transport, time: .fixed(at: now))
    return try await source.page(of: feed, after: nil, size: nil)
  }

  static func page(_ body: String, type: String? = nil) async throws -> Page {
    try await page(Response(body, "Content-Type", type))
  }

  static func posts(_ body: String, type: String? = nil) async throws -> [Post] {
    try await page(body, type: type).items.compactMap(\.post)
  }

  /// The posts of an RSS feed of these items.
  static func rss(_ items: String..., type: String? = nil) async throws -> [Post] {
    try await posts(
      "<rss version=\"2.0\"><channel><title>Birds</title>\(items.map { "<item>\($0)</item>" }.joined())</channel></rss>",
      type: type)
  }

  /// Why a document is refused.
  static func refusal(_ answer: Response) async -> String? {
    do {
      _ = try await page(answer)
      return nil
    } catch SourceError.unreadable(_, let reason) { return reason } catch { return "\(error)" }
  }
}

struct FeedFormatTests {
  private func posts(_ name: String) async throws -> [Post] {
    try await FeedDesk.posts(Dialect.file(name, of: .feed))
  }

  @Test func `an RSS item keeps its facts`() async throws {
    let posts = try await posts("rss.xml")
    let ids = (1...3).reversed().map { "https%3A%2F%2Fbirds.example%2Fposts%2F\($0)" }
    #expect(posts.map(\.uri) == ids.map { "feed://birds.example/feed#\($0)" })
    #expect(posts.map(\.title) == ["AT&T and the robin", "Wren", nil])
    #expect(
      posts.map(\.caption) == ["Long & A robin whole", "So small.", "no title, as servers of the fediverse have it"])
    #expect(
      posts.map(\.createdAt).map(UTC.text) == [
        "2026-11-20T09:00:00.000Z", "2026-11-20T08:00:00.000Z", "2026-11-19T08:00:00.000Z",
      ])
    #expect(posts.map { $0.author?.name } == ["Ada", "Grace", "Birds"])
    #expect(posts.map { $0.author?.handle } == ["Ada@birds.example", "Grace@birds.example", "birds.example"])
    #expect(posts[2].author?.avatarURL == "https://birds.example/icon.png")
    #expect(posts[0].tags == ["red robins", "snow"])
    #expect(posts[0].language == "en-gb")
  }

  @Test func `an Atom entry keeps its facts`() async throws {
    let posts = try await posts("atom.xml")
    #expect(posts.map(\.title) == ["A robin & a wren", "Wren", nil])
    #expect(posts.map(\.caption) == ["It sings & sings\nall day.\n\nA robin", "So small.", "plain <text> & more"])
    #expect(posts.map { $0.author?.name } == ["Ada", "Grace", "Ada"])
    #expect(posts[0].author?.url == "https://birds.example/ada")
    #expect(posts[0].tags == ["robin", "snow"])
    #expect(posts[0].editedAt.map(UTC.text) == "2026-11-20T09:30:00.000Z")
    #expect(UTC.text(posts[1].createdAt) == "2026-11-20T07:00:00.000Z")
    #expect(posts[1].editedAt == nil)
    #expect(posts.map(\.isDated) == [true, true, false])
    #expect(posts[1].url == "https://birds.example/posts/2")
    #expect(posts[0].attachments.map(\.url) == ["https://birds.example/posts/3/robin.jpg"])
    #expect(posts[2].attachments.map(\.kind) == [.audio])
  }

  @Test func `a JSON Feed item keeps its facts`() async throws {
    let posts = try await posts("feed.json")
    #expect(posts.map(\.title) == ["A <robin>", nil, nil])
    #expect(posts.map(\.caption) == ["It sings. A robin", "So <small>", "old"])
    #expect(posts[0].tags == ["robins", "snow"])
    #expect(posts[0].author?.avatarURL == "https://birds.example/ada.png")
    #expect(
      posts[0].attachments.map(\.url) == [
        "https://birds.example/banner.jpg", "https://birds.example/posts/robin.jpg",
      ])
    #expect(posts[1].attachments.map(\.kind) == [.audio])
  }

  @Test func `RSS 1_0, whose items stand outside the channel, is read`() async throws {
    let posts = try await posts("rdf.xml")
    #expect(posts.map(\.title) == ["Robin", "Wren"])
    #expect(posts.map(\.url) == ["https://birds.example/robin", "https://birds.example/wren"])
    #expect(posts.map(\.createdAt).map(UTC.text) == ["2026-11-20T08:00:00.000Z", "2026-11-19T00:00:00.000Z"])
    #expect(posts[0].author?.name == "Ada")
    #expect(posts[0].tags == ["robin"])
  }

  @Test func `a tag's feed of Mastodon gives pictures with their descriptions, and no titles`() async throws {
    let posts = try await posts("fediverse.rss")
    #expect(posts.map(\.title) == [nil, nil])
    #expect(posts[0].caption == "Morning walk with #cats")
    #expect(posts[0].tags == ["cats", "snow"])
    #expect(
      posts[0].attachments.map(\.url) == [
        "https://files.social.example/1.png", "https://files.social.example/2.mp4",
      ])
    #expect(posts[0].attachments.map(\.alt) == ["A cat in the snow", nil])
    #expect(posts[0].attachments.map(\.kind) == [.image, .video])
    #expect(posts[0].attachments[0].previewURL == "https://files.social.example/1-small.png")
    #expect(posts.map(\.sensitive) == [false, true])
  }

  @Test func `of a group the largest is taken, and what a text shows again is the same picture`() async throws {
    let rss = try await posts("rss.xml")
    #expect(rss[0].attachments.map(\.url) == ["https://birds.example/pictures/robin.jpg"])
    #expect(rss[0].attachments.map(\.alt) == ["A robin"])
    #expect(rss[1].attachments.map(\.url) == ["https://files.birds.example/wren.jpg"])
    let atom = try await posts("atom.xml")
    #expect(atom[1].attachments.map(\.url) == ["https://files.birds.example/wren.jpg"])
    #expect(atom[1].attachments.map(\.width) == [1280])
    #expect(atom[1].attachments.map(\.previewURL) == ["https://files.birds.example/wren-thumb.jpg"])
  }

  @Test func `an item names its licence by a link, by a module or in words`() async throws {
    let cc = #"xmlns:cc="http://backend.userland.com/creativeCommonsRssModule""#
    let other = #"xmlns:c="http://cyber.law.harvard.edu/rss/creativeCommonsRssModule.html""#
    let (by, mark) = (
      "https://creativecommons.org/licenses/by/2.0/", "https://creativecommons.org/publicdomain/mark/1.0/"
    )
    let cases: [(String, String?)] = [
      (#"<link xmlns="http://www.w3.org/2005/Atom" rel="license" href="\#(by)deed.en"/>"#, by),
      ("<c:license \(other)>\(by)</c:license>", by),
      ("<c:license \(other)>\(by)\(String(repeating: "x", count: 500))</c:license>", nil),
      (#"<rights xmlns="http://www.w3.org/2005/Atom" type="html">&amp;copy; 2026 Ann</rights>"#, "© 2026 Ann"),
      ("<cc:license \(cc)>http://creativecommons.org/licenses/by/2.0/</cc:license>", by),
      (#"<media:license xmlns:media="http://search.yahoo.com/mrss/" href="\#(mark)">PD</media:license>"#, mark),
      (
        #"<dc:rights xmlns:dc="http://purl.org/dc/elements/1.1/">All rights reserved</dc:rights>"#,
        "All rights reserved"
      ),
      ("<copyright>of the channel</copyright>", nil),
    ]
    for (element, license) in cases {
      #expect(try await FeedDesk.rss("<title>One</title>\(element)")[0].license?.rawValue == license, "\(element)")
    }
  }

  @Test func `Media RSS comes first, then enclosures, then the text`() async throws {
    let posts = try await FeedDesk.rss(
      """
      <link>https://birds.example/a/</link>
      <description>&lt;img src="three.jpg"&gt;&lt;img src="https://files.example/two.jpg"&gt;</description>
      <enclosure url="https://files.example/two.jpg" type="image/jpeg"/>
      <media:content xmlns:media="http://search.yahoo.com/mrss" url="https://files.example/one.jpg" medium="image"/>
      """)
    #expect(
      posts[0].attachments.map(\.url) == [
        "https://files.example/one.jpg", "https://files.example/two.jpg", "https://birds.example/a/three.jpg",
      ])
  }

  @Test func `tracking pixels, smileys and data URLs are not pictures`() async throws {
    let posts = try await FeedDesk.rss(
      """
      <link>https://birds.example/a</link><description><![CDATA[<img src="p.gif" width=1 height=1>
      <img class="wp-smiley" src="smile.png"><img src="data:image/png;base64,AAAA"><img data-src="lazy.jpg" src="">
      <img src="javascript:alert(1)"><img src="http://[::bad"><img>]]></description>
      """)
    #expect(posts[0].attachments.map(\.url) == ["https://birds.example/lazy.jpg"])
  }

  @Test func `films and podcasts that use only their own vocabulary are read`() async throws {
    let podcast = """
      <itunes:title>Episode 1</itunes:title><itunes:subtitle>Short</itunes:subtitle>
      <itunes:summary>About wrens</itunes:summary>
      """
    let film = """
      <media:group xmlns:media="http://search.yahoo.com/mrss/"><media:title>Film</media:title>
      <media:description>One &lt; two
      Three</media:description></media:group>
      """
    let posts = try await FeedDesk.rss("<guid>a</guid>\(podcast)", "<guid>b</guid>\(film)", podcast)
    #expect(posts.map(\.title) == ["Episode 1", "Film", "Episode 1"])
    #expect(posts.map(\.caption) == ["About wrens", "One < two\nThree", "About wrens"])
  }

  @Test(arguments: [
    ("image/png", "summary"), ("application/pdf", "summary"), ("text/plain", "iVBORw0K"), ("html", "iVBORw0K"),
    ("application/xml", "iVBORw0K"), ("application/xhtml+xml; charset=utf-8", "iVBORw0K"),
  ]) func `bytes in base64 are no words`(type: String, caption: String) async throws {
    let item = "<guid>a</guid><content type=\"\(type)\">iVBORw0K</content><summary>summary</summary>"
    #expect(try await FeedDesk.rss(item).map(\.caption) == [caption])
  }

  @Test func `a thumbnail stands in where there is no other picture`() async throws {
    let group = """
      <media:group xmlns:media="http://search.yahoo.com/mrss/">
        <media:content url="https://video.example/v/1" type="application/x-shockwave-flash"/>
        <media:thumbnail url="https://video.example/s.jpg" width="100" height="50"/>
        <media:thumbnail url="https://video.example/l.jpg" width="480" height="360"/></media:group>
      """
    let posts = try await FeedDesk.rss("<title>Film</title><link>https://video.example/1</link>\(group)")
    #expect(posts[0].attachments.map(\.url) == ["https://video.example/l.jpg"])
  }

  @Test func `a feed that begins with its oldest item is turned round, one without dates is not`() async throws {
    let dated = (1...3).map { "<title>\($0)</title><pubDate>0\($0) Nov 2026 10:00:00 GMT</pubDate>" }
    #expect(try await FeedDesk.rss(dated[0], dated[1], dated[2]).map(\.title) == ["3", "2", "1"])
    let posts = try await FeedDesk.rss("<title>1</title>", "<title>2</title>", "<title>3</title>")
    #expect(posts.map(\.title) == ["1", "2", "3"])
    #expect(posts.allSatisfy { !$0.isDated })
    #expect(posts.map(\.createdAt) == posts.map(\.createdAt).sorted(by: >))
    #expect(UTC.text(posts[0].createdAt) == "2026-11-21T10:00:00.000Z")
  }

  @Test func `a feed that shows less than all ends at a horizon, one that says it is complete at its end`() async throws
  {
    #expect(try await FeedDesk.page(Dialect.file("rss.xml", of: .feed)).next == .horizon)
    let complete = Dialect.file("atom.xml", of: .feed).replacing(
      "<icon>", with: #"<fh:complete xmlns:fh="http://purl.org/syndication/history/1.0"/><icon>"#)
    #expect(try await FeedDesk.page(complete).next == .end)
  }
}
