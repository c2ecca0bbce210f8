import HTTP
import Posts
import Services
import Testing

struct MastodonRequestTests {
  private let server = Server("http://127.0.0.1:8080")!

  private func request(tag: String = "cats", after cursor: String? = nil, size: Int? = nil, token: Secret? = nil)
    async throws -> Request
  {
    let answering = Answering(200, Array("[]".utf8))
    let feed = Feed(source: .mastodon, kind: .tag, value: tag, server: server)
    _ = try await source(answering, token: token).page(of: feed, after: cursor.map { Cursor($0) }, size: size)
    return try #require(answering.requests.first)
  }

  @Test func `the first page asks for the most the server gives`() async throws {
    let request = try await request()
    #expect(request.url == "http://127.0.0.1:8080/api/v1/timelines/tag/cats?limit=40")
    #expect(request.method == .get)
    #expect(request.token == nil)
    #expect(request.limit == 8 << 20)
  }

  @Test(arguments: [(-1, 1), (0, 1), (7, 7), (40, 40), (1000, 40)])
  func `a wish for a size is kept within what servers give`(size: Int, limit: Int) async throws {
    #expect(try await request(size: size).url.hasSuffix("?limit=\(limit)"))
  }

  @Test func `tag and cursor are encoded, whatever they hold`() async throws {
    #expect(
      try await request(tag: "ねこ/../x?y#z", after: "a&b=c").url
        == "http://127.0.0.1:8080/api/v1/timelines/tag/%E3%81%AD%E3%81%93%2F..%2Fx%3Fy%23z?limit=40&max_id=a%26b%3Dc"
    )
  }

  @Test func `the token goes where it is shown to nobody`() async throws {
    let request = try await request(token: Secret("hush"))
    #expect(request.token == Secret("hush"))
    #expect(!"\(request)".contains("hush"))
  }

  private func source(_ answering: Answering, token: Secret? = nil) -> MastodonSource {
    MastodonSource(
      server: server,
      token: token,
      transport: answering.transport,
      time: .fixed(at: "2026-11-21T10:00:00Z")
    )
  }

  @Test func `a user is looked up once, and then read page by page`() async throws {
    // An account is a list of nothing to who reads posts, and a list is not an account.
    let answering = Answering(200, Array(#"{"id": "9-1_a", "acct": "ada"}"#.utf8))
    let source = source(answering)
    let feed = Feed(source: .mastodon, kind: .user, value: "@Ada", server: server)
    for cursor in [nil, Cursor("7")] {
      await #expect(throws: SourceError.self) { try await source.page(of: feed, after: cursor, size: 5) }
    }
    #expect(
      answering.requests.map { String($0.url.dropFirst(server.origin.count)) } == [
        "/api/v1/accounts/lookup?acct=ada", "/api/v1/accounts/9-1_a/statuses?limit=5",
        "/api/v1/accounts/9-1_a/statuses?limit=5&max_id=7",
      ]
    )
  }

  @Test(arguments: [".", "..", "9/1", "a.b", "é", "1%2F"])
  func `an account whose id would lead elsewhere is unreadable`(id: String) async throws {
    let feed = Feed(source: .mastodon, kind: .user, value: "ada", server: server)
    let answering = Answering(200, Array("{\"id\": \"\(id)\"}".utf8))
    await #expect(throws: SourceError.unreadable(server, reason: "it does not say which account ada is")) {
      try await source(answering).page(of: feed, after: nil, size: nil)
    }
    #expect(answering.requests.count == 1)
  }

  @Test func `an account without an id is unreadable`() async throws {
    let feed = Feed(source: .mastodon, kind: .user, value: "ada", server: server)
    await #expect(throws: SourceError.unreadable(server, reason: "it does not say which account ada is")) {
      try await source(Answering(200, Array("{}".utf8))).page(of: feed, after: nil, size: nil)
    }
  }

  @Test func `a search asks for posts alone, and finds them among the rest`() async throws {
    let status = #"{"id": "7", "uri": "https://a.example/7", "created_at": "2026-11-20T09:00:00Z", "content": "a"}"#
    let answering = Answering(200, Array(#"{"accounts": [{}], "statuses": [\#(status)], "hashtags": [1]}"#.utf8))
    let feed = Feed(source: .mastodon, kind: .search, value: " red  panda", server: server)
    let page = try await source(answering, token: Secret("hush")).page(of: feed, after: Cursor("9"), size: nil)
    #expect(page.items.map(\.id) == ["7"])
    #expect(page.next == .after(Cursor("7")))
    let request = try #require(answering.requests.first)
    #expect(request.url == "\(server.origin)/api/v2/search?q=red%20panda&type=statuses&limit=40&max_id=9")
  }

  @Test func `a search without a login is refused before anything is asked`() async throws {
    let answering = Answering(200, Array("[]".utf8))
    let feed = Feed(source: .mastodon, kind: .search, value: "red panda", server: server)
    await #expect(throws: SourceError.needsLogin(server)) {
      try await source(answering).page(of: feed, after: nil, size: nil)
    }
    #expect(answering.requests.isEmpty)
  }

  @Test func `a feed it cannot read is refused before anything is asked`() async throws {
    let answering = Answering(200, Array("[]".utf8))
    let feed = Feed(source: .mastodon, kind: .url, value: "https://a.example/rss", server: server)
    await #expect(throws: SourceError.notFound(server, what: "timeline for url https://a.example/rss")) {
      try await source(answering).page(of: feed, after: nil, size: nil)
    }
    #expect(answering.requests.isEmpty)
  }
}
