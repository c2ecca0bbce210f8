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
    let source = MastodonSource(
      server: server,
      token: token,
      transport: answering.transport,
      time: .fixed(at: "2026-11-21T10:00:00Z")
    )
    let feed = Feed(source: .mastodon, kind: .tag, value: tag, server: server)
    _ = try await source.page(of: feed, after: cursor.map { Cursor($0) }, size: size)
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

  @Test func `a feed it cannot read is refused before anything is asked`() async throws {
    let answering = Answering(200, Array("[]".utf8))
    let source = MastodonSource(
      server: server,
      token: nil,
      transport: answering.transport,
      time: .fixed(at: "2026-11-21T10:00:00Z")
    )
    let feed = Feed(source: .mastodon, kind: .search, value: "red panda", server: server)
    await #expect(throws: SourceError.notFound(server, what: "timeline for search red panda")) {
      try await source.page(of: feed, after: nil, size: nil)
    }
    #expect(answering.requests.isEmpty)
  }
}
