import Foundation
import HTTP
import Posts
import PropertyTesting
import Services
import Testing

@Suite(.timeLimit(.minutes(10)), .ceiling) struct HostileFeedTests {
  private func document(_ items: String, declaration: String = "") -> String {
    "<?xml version=\"1.0\"?>\(declaration)<rss version=\"2.0\"><channel><title>x</title>\(items)</channel></rss>"
  }

  @Test func `entities are never expanded, neither a billion laughs nor a file`() async throws {
    let laughs = """
      <!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "\(String(repeating: "&lol;", count: 1000))">
      <!ENTITY lol3 "\(String(repeating: "&lol2;", count: 1000))"><!ENTITY file SYSTEM "file:///etc/passwd">
      <!ENTITY % remote SYSTEM "http://127.0.0.1:9/x"> %remote; ]>
      """
    let body = document("<item><title>&lol3; &file; &eacute;</title></item>", declaration: laughs)
    #expect(try await FeedDesk.posts(body).map(\.title) == ["&lol3; &file; é"])
  }

  @Test func `a literal character of XML stays literal in HTML, whatever combines with it`() async throws {
    let text = "<a href=\"x&quot;&#x301; onclick=&quot;y\">1 &lt;&#x301; 2 &amp;&#x301;lt;</a>"
    let div = "<div xmlns=\"http://www.w3.org/1999/xhtml\">\(text)</div>"
    let body = """
      <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>a</id><content type="xhtml">\(div)</content></entry></feed>
      """
    let post = try #require(try await FeedDesk.posts(body).first)
    #expect(post.caption.unicodeScalars.elementsEqual("1 <\u{301} 2 &\u{301}lt;".unicodeScalars))
    #expect(post.captionHTML?.contains("x&quot;\u{301} onclick=&quot;y") == true)
  }

  @Test func `nesting has an end`() async throws {
    let deep = String(repeating: "<b>", count: 100_000) + String(repeating: "</b>", count: 100_000)
    let reason = await FeedDesk.refusal(Response(document("<item>\(deep)</item>")))
    #expect(reason == "it is nested too deep")
    let some = String(repeating: "<b>", count: 200) + "x" + String(repeating: "</b>", count: 200)
    #expect(try await FeedDesk.posts(document("<item><title>\(some)</title></item>")).map(\.title) == ["x"])
  }

  @Test func `an item of many megabytes keeps its words`() async throws {
    let words = String(repeating: "long &amp; ", count: 1 << 20)
    let long = "<item><guid>long</guid><title>Long</title><description>First \(words)</description></item>"
    let page = try await FeedDesk.page(document("<item><guid>a</guid></item>\(long)<item><guid>b</guid></item>"))
    let post = try #require(page.items.map(\.post)[1])
    #expect(page.items.allSatisfy { $0.post != nil && $0.slice.count <= 8 << 20 })
    #expect(post.title == "Long" && post.caption.hasPrefix("First long & long"))
  }

  /// A picture in a text: not quite a PNG, and none like another.
  private func picture(_ number: Int, bytes: Int) -> String {
    let data = Data([0x89] + Array("PNG\(number)".utf8) + Array(repeating: 7, count: bytes))
    return "<img alt=\"\(number)\" src=\"data:image/png;base64,\(data.base64EncodedString())\">"
  }

  @Test func `pictures in a text are attachments, whose bytes are in the item as it came`() async throws {
    let text = "<p>Two \(picture(1, bytes: 700))\(picture(2, bytes: 900)), and a dot \(picture(3, bytes: 9))</p>"
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("+", with: "&#43;")
    let content = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    let json = "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[{\"id\":\"a\",\"content_html\":\(content)}]}"
    for body in [
      document("<item><guid>a</guid><description><![CDATA[\(text)]]></description></item>"),
      document("<item><guid>a</guid><description>\(escaped)</description></item>"), json,
    ] {
      let item = try #require(try await FeedDesk.page(body).items.first)
      let attachments = item.post?.attachments ?? []
      #expect(attachments.map(\.alt) == ["1", "2"])
      #expect(attachments.compactMap(\.url).allSatisfy { InlinePicture.isAddress($0) && $0.utf8.count < 100 })
      let bytes = attachments.compactMap { $0.url.flatMap { InlinePicture.bytes(of: $0, in: item.raw) } }
      #expect(bytes.map(\.count) == [705, 905])
      #expect(InlinePicture.bytes(of: "data:image/png;sha256=x,", in: item.raw) == nil)
    }
  }

  @Test(arguments: [
    ("folded and indented", #"data:image/png;base64,"#, "\n      "),
    ("folded by spaces", "data:image/png;base64,", "  "),
    ("in capitals", "DATA:image/PNG;BASE64,", ""), ("in an address's letters", "data:image/png;base64,", "-_"),
  ])
  func `a picture in a text is found in other spellings`(spelling: String, mark: String, fold: String) async throws {
    let data = Data([0x89] + Array("PNG".utf8) + (0..<700).map { UInt8($0 % 251) })
    var letters = data.base64EncodedString()
    if fold == "-_" {
      letters = letters.replacing("+", with: "-").replacing("/", with: "_")
    } else {
      letters = stride(from: 0, to: letters.count, by: 76).map { String(letters.dropFirst($0).prefix(76)) }
        .joined(separator: fold)
    }
    let text = "<p>One <img src=\"\(mark)\(letters)\">, and words</p>"
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    for description in [escaped, "<![CDATA[\(text)]]>"] {
      let body = document("<item><guid>a</guid><description>\(description)</description></item>")
      let item = try #require(try await FeedDesk.page(body).items.first)
      let address = try #require(item.post?.attachments.first?.url, "\(spelling)")
      #expect(InlinePicture.bytes(of: address, in: item.raw) == Array(data), "\(spelling)")
      #expect(item.post?.caption.contains("and words") == true, "\(spelling)")
    }
  }

  @Test func `a document of more bytes than are read is not taken`() async throws {
    let answering = Answering(.failure(.tooLarge(limit: 1)))
    let source = FeedSource(
      server: FeedDesk.server, token: nil, transport: answering.transport, time: .fixed(at: "2026-11-21T10:00:00Z"))
    await #expect(throws: SourceError.self) { try await source.page(of: FeedDesk.feed, after: nil, size: nil) }
    #expect(answering.requests.map(\.limit) == [64 << 20])
  }

  @Test func `a hundred thousand attributes, namespaces and items end soon`() async throws {
    let attributes = (0..<100_000).map { "a\($0)=\"\"" }.joined(separator: " ")
    let reason = await FeedDesk.refusal(Response(document("<item \(attributes)/>")))
    #expect(reason == "a tag has more attributes than are read")
    let items = (0..<20_500).map { "<item><guid>\($0)</guid></item>" }.joined()
    #expect(try await FeedDesk.page(document(items)).items.dropLast().count == 20_000)
  }

  @Test func `an item that was cut off gives nothing, wherever it was cut`() async throws {
    let body = Dialect.file("rss.xml", of: .feed)
    for length in stride(from: 1, to: body.utf8.count - 8, by: 97) {
      let reason = await FeedDesk.refusal(Response(String(decoding: body.utf8.prefix(length), as: UTF8.self)))
      #expect(reason != nil, "\(length) bytes")
    }
  }

  @Test func `a channel that is whole is read, whatever is missing behind it`() async throws {
    let body = document("<item><guid>a</guid></item>").replacing("</rss>", with: "")
    #expect(try await FeedDesk.page(body).items.count == 1)
  }

  @Test func `a fault in a whole document costs its item alone`() async throws {
    let body = document("<item><guid>a</guid></item><item><guid x=>b</guid></item><item><guid>c</guid></item>")
    let page = try await FeedDesk.page(body)
    #expect(
      page.items.map { $0.post?.remoteID } == ["feed://birds.example/feed#a", nil, "feed://birds.example/feed#c"])
    #expect(page.items[1].raw == Array("<item><guid x=>b</guid></item>".utf8))
    #expect(page.next == .horizon)
  }

  @Test func `feeds written by hand are read all the same`() async throws {
    let posts = try await FeedDesk.rss(
      "<title>AT&T & &nbsp;Söhne &copy; &#147;x&#148; a < b</title><link>https://birds.example/?a=1&b=2</link>",
      "<media:content url='https://birds.example/x.jpg'/><title>no such prefix</title><!-- > <item> -->")
    #expect(posts[0].title == "AT&T & Söhne © “x” a < b")
    #expect(posts[0].url == "https://birds.example/?a=1&b=2")
    #expect(posts[1].attachments.map(\.url) == ["https://birds.example/x.jpg"])
  }

  @Test func `NUL bytes and control characters are passed over`() async throws {
    let posts = try await FeedDesk.rss("<title>a\u{0}b\u{8}c\u{FFFF}</title><guid>1</guid>")
    #expect(posts.map(\.title) == ["abc"])
  }

  @Test func `invalid addresses are left out`() async throws {
    let posts = try await FeedDesk.rss(
      "<guid>1</guid><link>javascript:alert(1)</link><enclosure url=\"file:///etc/passwd\" type=\"image/png\"/>")
    #expect(posts[0].url == nil)
    #expect(posts[0].attachments.isEmpty)
  }

  @Test(arguments: PropertyTest.seeds(sample: 300, whole: 10_000))
  func `every mutation of a document is read or refused`(seed: UInt64) async throws {
    var random = Dice(state: seed)
    for name in ["rss.xml", "atom.xml", "rdf.xml", "fediverse.rss", "feed.json"] {
      var bytes = try fixture(name, of: .feed)
      for _ in 0..<Int.random(in: 1...20, using: &random) { bytes.mutate(with: "[]{}\"\\,: 0\n", &random) }
      let page = try? await FeedDesk.page(Response(status: 200, body: bytes))
      let posts = page?.items.compactMap(\.post) ?? []
      #expect(Set(posts.map(\.uri)).count == posts.count, "seed \(seed)")
      for post in posts {
        #expect(!post.uri.isEmpty && !"\(post.caption)\(post.title ?? "")".utf8.contains(0), "seed \(seed)")
        #expect(
          (post.attachments.compactMap(\.url) + [post.url].compactMap { $0 }).allSatisfy { $0.hasPrefix("http") },
          "seed \(seed)")
      }
    }
  }
}
