import HTTP
import Posts
import Services
import Testing

struct FeedVisitTests {
  private static let body = Dialect.file("rss.xml", of: .feed)

  private func visit(
    _ answers: Response..., since visit: Visit? = nil, asking: Answering? = nil
  ) async throws -> (page: Page, requests: [Request]) {
    let answering = asking ?? Answering(inTurn: answers)
    let source = FeedSource(
      server: FeedDesk.server, token: nil, transport: answering.transport, time: .fixed(at: "2026-11-21T10:00:00Z"))
    return (try await source.page(of: FeedDesk.feed, after: nil, size: nil, since: visit), answering.requests)
  }

  private func moved(_ status: Int, to target: String) -> Response {
    Response(status: status, headers: ["Location": target])
  }

  private let whole = Response(
    status: 200, headers: ["ETag": "W/\"a, b\"", "Last-Modified": "Fri, 20 Nov 2026 09:00:00 GMT"],
    body: Array(Self.body.utf8))

  @Test func `validators are sent back verbatim, and nothing new is a success`() async throws {
    let first = try await visit(whole)
    #expect(first.requests[0].headers["If-None-Match"] == nil)
    let known = try #require(first.page.visit)
    #expect(known.title == "Birds")
    let second = try await visit(Response(status: 304), since: known)
    #expect(second.requests[0].headers["If-None-Match"] == "W/\"a, b\"")
    #expect(second.requests[0].headers["If-Modified-Since"] == "Fri, 20 Nov 2026 09:00:00 GMT")
    #expect(second.page.items.isEmpty)
    #expect(second.page.next == .horizon)
    #expect(second.page.visit == known)
  }

  @Test(arguments: ["\"a\"", "W/\"a\"", "a", "\"\"", "W/a", "\"a\", \"b\""])
  func `an entity tag alone is sent back, however its server writes it`(tag: String) async throws {
    let known = try #require(
      try await visit(Response(status: 200, headers: ["etag": tag], body: Array(Self.body.utf8))).page.visit)
    for headers in [[:], ["ETag": tag]] as [Headers] {
      let second = try await visit(Response(status: 304, headers: headers), since: known)
      #expect(second.requests[0].headers["If-None-Match"] == tag)
      #expect(second.requests[0].headers["If-Modified-Since"] == nil)
      #expect(second.page.items.isEmpty && second.page.visit == known)
    }
  }

  @Test func `without a visit the document comes whole, and an unasked 304 is not an answer`() async throws {
    let known = try #require(try await visit(whole).page.visit).forgettingContent
    #expect(try await visit(whole, since: known).requests[0].headers["If-None-Match"] == nil)
    await #expect(throws: SourceError.self) { try await visit(Response(status: 304)) }
  }

  @Test(arguments: [301, 308])
  func `a feed that moved for good is asked for there after it said so twice in a row`(status: Int) async throws {
    let there = "https://feeds.example/birds"
    let first = try await visit(moved(status, to: there), whole)
    #expect(first.requests.map(\.url) == ["https://birds.example/feed", there])
    var known = try #require(first.page.visit)
    #expect((known.address, known.moving, known.location) == ("https://birds.example/feed", there, there))
    known = try #require(try await visit(moved(status, to: there), Response(status: 304), since: known).page.visit)
    #expect((known.address, known.moving) == (there, nil))
    #expect(try await visit(Response(status: 304), since: known).requests.map(\.url) == [there])
  }

  @Test func `one that comes back home in between has not moved`() async throws {
    var known = try #require(try await visit(moved(301, to: "https://feeds.example/a"), whole).page.visit)
    known = try #require(try await visit(whole, since: known).page.visit)
    #expect(known.moving == nil)
    known = try #require(try await visit(moved(301, to: "https://feeds.example/a"), whole, since: known).page.visit)
    #expect(known.address == "https://birds.example/feed")
    known = try #require(try await visit(moved(301, to: "https://feeds.example/b"), whole, since: known).page.visit)
    #expect(known.address == "https://birds.example/feed")
  }

  @Test func `a temporary redirect moves no feed, and its query is not kept`() async throws {
    let signed = "https://store.example/feed?signature=hush-hush"
    let first = try await visit(moved(302, to: signed), whole)
    let known = try #require(first.page.visit)
    #expect((known.address, known.moving) == ("https://birds.example/feed", nil))
    #expect(!"\(known)".contains("hush"))
    let second = try await visit(moved(302, to: signed), Response(status: 304), since: known)
    #expect(second.requests[1].headers["If-None-Match"] == "W/\"a, b\"")
  }

  @Test func `validators go only to the address they came from, and a login only to its server`() async throws {
    let known = try #require(try await visit(whole).page.visit)
    let answer = try await visit(moved(302, to: "https://other.example/feed"), whole, since: known)
    #expect(answer.requests.map { $0.headers["If-None-Match"] } == ["W/\"a, b\"", nil])
    let mayLogIn = answer.requests.map { if case .nowhere(isUserChosen: true) = $0.redirects { true } else { false } }
    #expect(mayLogIn == [true, false])
  }

  @Test func `no login is sent where another host leads, be it back home`() async throws {
    let answer = try await visit(
      moved(302, to: "https://birds.example/here"), moved(302, to: "https://other.example/feed"),
      moved(302, to: "https://birds.example/secret"), whole)
    let mayLogIn = answer.requests.map { if case .nowhere(isUserChosen: true) = $0.redirects { true } else { false } }
    #expect(mayLogIn == [true, true, false, false])
  }

  @Test(arguments: ["http://birds.example/feed", "ftp://birds.example/feed", "", "https://u:p@birds.example/"])
  func `it follows neither out of https nor to an invalid address`(target: String) async throws {
    await #expect(throws: SourceError.self) { try await visit(moved(301, to: target), whole) }
  }

  @Test(arguments: ["birds.example", "other.example"])
  func `a redirect out of https is followed within it, because servers behind a proxy write http`(host: String)
    async throws
  {
    let answer = try await visit(moved(301, to: "http://\(host)/feed/"), whole)
    #expect(answer.requests.map(\.url) == ["https://birds.example/feed", "https://\(host)/feed/"])
    #expect(answer.page.items.count == 3)
    await #expect(throws: SourceError.unreadable(FeedDesk.server, reason: "it leads from https to http")) {
      try await visit(moved(301, to: "http://\(host):8080/feed/"), whole)
    }
  }

  @Test func `circles are left`() async throws {
    let answering = Answering(.success(moved(301, to: "https://birds.example/feed")))
    await #expect(throws: SourceError.unreadable(FeedDesk.server, reason: "it leads round in circles")) {
      try await visit(asking: answering)
    }
    #expect(answering.requests.count == 1)
  }

  @Test func `a redirect to the same address with a cookie is no circle, and twenty hops are followed`() async throws {
    var gate = moved(302, to: "https://birds.example/feed")
    gate.headers["Set-Cookie"] = "seen=yes; Path=/"
    let passed = try await visit(gate, whole)
    #expect(passed.requests.map { $0.headers["Cookie"] } == [nil, "seen=yes"])
    let hops = (1...21).map { moved(302, to: "https://birds.example/hop\($0)") }
    let answer = Answering(inTurn: hops.prefix(20) + [whole])
    #expect(try await visit(asking: answer).page.items.count == 3)
    await #expect(throws: SourceError.unreadable(FeedDesk.server, reason: "it leads on more than 20 times")) {
      try await visit(asking: Answering(inTurn: hops + [whole]))
    }
  }
}

struct FeedFinderTests {
  private func find(_ address: String, _ answers: Response...) async throws -> String {
    let server = try #require(Server(address))
    let finder = FeedFinder(transport: Answering(inTurn: answers).transport, time: .fixed(at: "2026-11-21T10:00:00Z"))
    return try await finder.address(of: Feed(source: .feed, kind: .url, value: address, server: server))
  }

  private func page(_ head: String) -> Response {
    Response("<!DOCTYPE html><html><head>\(head)</head><body><p>Hello</body></html>")
  }

  private let feed = Response(Dialect.file("atom.xml", of: .feed))

  @Test func `an address that a page names is the page's choice, not the person's`() async throws {
    let head = #"<link rel="alternate" type="application/rss+xml" href="http://192.168.7.7/admin">"#
    let answering = Answering(inTurn: [page(head), feed])
    let server = try #require(Server("http://birds.example/page"))
    let finder = FeedFinder(transport: answering.transport, time: .fixed(at: "2026-11-21T10:00:00Z"))
    _ = try await finder.address(
      of: Feed(source: .feed, kind: .url, value: "http://birds.example/page", server: server))
    #expect(answering.requests.map(\.referrer) == [nil, "http://birds.example"])
    guard case .nowhere(isUserChosen: false) = answering.requests[1].redirects else {
      Issue.record("a login would be sent there")
      return
    }
  }

  @Test func `the address of a feed is the feed's`() async throws {
    #expect(try await find("https://birds.example/feed", feed) == "https://birds.example/feed")
  }

  @Test func `a page names its feed, one of comments only for want of another`() async throws {
    let comments =
      #"<link rel="alternate" type="application/rss+xml" title="Comments" href="/comments/feed/">"#
    let posts = #"<LINK REL='feed Alternate' TYPE="application/atom+xml; charset=utf-8" HREF="feed.xml?a=1&amp;b=2">"#
    let script = #"<script>"<link rel=alternate type=application/rss+xml href=/evil>"</script>"#
    let first = try await find("https://birds.example/blog/", page(script + comments + posts), feed)
    #expect(first == "https://birds.example/blog/feed.xml?a=1&b=2")
    #expect(try await find("https://birds.example/", page(comments), feed) == "https://birds.example/comments/feed/")
    let based = page(#"<base href="https://other.example/x/">"# + posts)
    #expect(try await find("https://birds.example/", based, feed) == "https://other.example/x/feed.xml?a=1&b=2")
  }

  @Test func `an address named by a page is its feed only if a feed is there`() async throws {
    let names = ["a", "b", "c", "d"].map {
      "<link rel=alternate type=application/rss+xml href=https://\($0).example/feed>"
    }
    let gone = Response(status: 404, headers: [:], body: [])
    let naming = page(names.joined())
    #expect(try await find("https://birds.example/", naming, gone, naming, feed) == "https://c.example/feed")
    let other = try #require(Server("a.example"))
    await #expect(throws: SourceError.notFound(other, what: "feed at /feed")) {
      try await find("https://birds.example/", naming, gone, naming)
    }
    await #expect(throws: SourceError.unreadable(other, reason: "what the page names as its feed is none")) {
      try await find("https://birds.example/", naming)
    }
  }

  @Test func `pages of tags and of people in the fediverse are known by where they lie`() async throws {
    let plain = page("<title>#cats</title>")
    #expect(try await find("https://social.example/tags/cats", plain, feed) == "https://social.example/tags/cats.rss")
    #expect(try await find("https://social.example/@birds", plain, feed) == "https://social.example/@birds.rss")
    await #expect(throws: SourceError.self) { try await find("https://social.example/tags/cats", plain, plain) }
  }

  @Test func `a page that names none is refused with what helps`() async throws {
    let api = #"<link rel="alternate" type="application/json" href="/wp-json/wp/v2/posts/1">"#
    let error = await #expect(throws: SourceError.self) { try await find("https://birds.example/", page(api)) }
    #expect(error == .noFeed(FeedDesk.server))
    #expect(error?.exitCode == .unreadable)
    await #expect(throws: SourceError.unreadable(FeedDesk.server, reason: "it is not a feed")) {
      try await find("https://birds.example/", Response("just words"))
    }
  }
}
