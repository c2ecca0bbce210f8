import HTTP
import Posts
import Services
import Testing

struct MastodonPagingTests {
  private let server = Server("birds.example")!
  private let page = #"""
    [{"id":"9","uri":"https://a.example/9","created_at":"2026-11-20T09:00:00Z"},
     {"id":"zY8","uri":"https://a.example/8","created_at":"2026-11-20T08:00:00Z"}]
    """#

  private func next(_ body: String, link: String? = nil, after cursor: String? = nil) async throws -> Next {
    var headers = Headers()
    headers["Link"] = link
    let answering = Answering(200, Array(body.utf8), headers: headers)
    let source = MastodonSource(
      server: server,
      token: nil,
      transport: answering.transport,
      time: .fixed(at: "2026-11-21T10:00:00Z")
    )
    let feed = Feed(source: .mastodon, kind: .tag, value: "cats", server: server)
    return try await source.page(of: feed, after: cursor.map { Cursor($0) }, size: nil).next
  }

  @Test func `the link's max_id is the cursor, nothing else of the link is used`() async throws {
    let link =
      #"<https://birds.example/api/v1/timelines/tag/other?limit=1&max_id=77>; rel="next", <https://birds.example/x?min_id=9>; rel="prev""#
    #expect(try await next(page, link: link) == .after(Cursor("77")))
  }

  @Test func `a relative link, and one that thinks we speak http, stay on the server`() async throws {
    #expect(try await next(page, link: #"</api/v1/timelines/tag/cats?max_id=77>; rel="next""#) == .after(Cursor("77")))
    #expect(try await next(page, link: #"<http://birds.example/x?max_id=77>; rel="next""#) == .after(Cursor("77")))
  }

  @Test(arguments: [
    "https://evil.example/x?max_id=77", "//evil.example/x?max_id=77", "https://birds.example:8443/x?max_id=77",
  ])
  func `a link to another server is refused, the page that bears it is not`(target: String) async throws {
    let next = try await next(page, link: "<\(target)>; rel=\"next\"")
    #expect(next == .refused(reason: "its next page lies on another server"))
  }

  @Test func `without any link the last item's id is the cursor`() async throws {
    #expect(try await next(page) == .after(Cursor("zY8")))
    #expect(try await next(page, after: "12") == .after(Cursor("zY8")))
  }

  @Test func `a link that holds no cursor counts as none`() async throws {
    #expect(try await next(page, link: #"<https://birds.example/x?page=2>; rel="next""#) == .after(Cursor("zY8")))
  }

  @Test func `links that lead only back end the feed`() async throws {
    #expect(try await next(page, link: #"<https://birds.example/x?min_id=9>; rel="prev""#) == .end)
  }

  @Test func `an empty page is the end unless a link leads on, a short one is not`() async throws {
    #expect(try await next("[]") == .end)
    let link = #"<https://birds.example/x?max_id=77>; rel="next""#
    #expect(try await next("[]", link: link) == .after(Cursor("77")))
    #expect(try await next("[]", link: link, after: "77") == .astray(reason: "its pages do not move on"))
    #expect(
      try await next(#"[{"id":"4","uri":"https://a.example/4","created_at":"2026-11-20T09:00:00Z"}]"#)
        == .after(Cursor("4"))
    )
  }

  @Test func `an unreadable last item still carries the walk on`() async throws {
    #expect(try await next(#"[{"id":"9"},{"id":"8"}]"#) == .after(Cursor("8")))
    #expect(try await next(#"[{"id":"9"},null]"#) == .after(Cursor("9")))
    #expect(try await next("[null]") == .end)
  }

  @Test func `a server that repeats the page at the cursor is refused, one that repeats its post alone has ended`()
    async throws
  {
    #expect(
      try await next(#"[{"id":"8","uri":"https://a.example/8","created_at":"2026-11-20T08:00:00Z"}]"#, after: "8")
        == .end
    )
    #expect(try await next(page, after: "zY8") == .astray(reason: "its pages do not move on"))
  }

  /// The pages of a tag that come one after another, and the limits that were asked for.
  private func tag(
    _ answers: [[Int]], size: Int?, link: String? = nil, above: Bool = false
  ) async throws -> (page: Page?, limits: [String?]) {
    var headers = Headers()
    headers["Link"] = link
    let bodies = answers.map { ids in
      let statuses = ids.map {
        #"{"id":"\#($0)","uri":"https://a.example/\#($0)","created_at":"2026-11-20T09:00:00Z"}"#
      }
      return Response(status: 200, headers: headers, body: Array("[\(statuses.joined(separator: ","))]".utf8))
    }
    let answering = Answering(inTurn: bodies)
    let source = MastodonSource(
      server: server, token: nil, transport: answering.transport, time: .fixed(at: "2026-11-21T10:00:00Z"))
    let feed = Feed(source: .mastodon, kind: .tag, value: "cats", server: server)
    var page: Page?
    if above {
      page = try await source.page(of: feed, above: "5", size: size)
    } else {
      page = try await source.page(of: feed, after: Cursor("5"), size: size)
    }
    return (page, answering.requests.map { Request.parameter("limit", of: $0.url) })
  }

  @Test func `without links an empty page is the end once the largest one is empty, too`() async throws {
    let end = try await tag([[], []], size: 5)
    #expect(end.page?.next == .end && end.limits == ["5", "40"])
    let more = try await tag([[], [4, 3]], size: 5)
    #expect(more.page?.next == .after(Cursor("3")) && more.page?.items.count == 2)
    #expect(try await tag([[]], size: nil).limits == ["40"])
    #expect(try await tag([[]], size: 5, link: #"<https://birds.example/x?min_id=9>; rel="prev""#).limits == ["5"])
    #expect(try await tag([[]], size: 5, above: true).limits == ["5"])
  }

  /// The pages of a search that come one after another, and how it was asked.
  private func search(_ answers: [[Int]], after cursor: String) async throws -> (page: Page, asked: [String]) {
    let bodies = answers.map { ids in
      let statuses = ids.map {
        #"{"id":"\#($0)","uri":"https://a.example/\#($0)","created_at":"2026-11-20T09:00:00Z"}"#
      }
      return #"{"accounts":[],"statuses":[\#(statuses.joined(separator: ","))]}"#
    }
    let answering = Answering(inTurn: bodies.map { Response(status: 200, headers: [:], body: Array($0.utf8)) })
    let source = MastodonSource(
      server: server, token: Secret("a-token"), transport: answering.transport,
      time: .fixed(at: "2026-11-21T10:00:00Z"))
    let feed = Feed(source: .mastodon, kind: .search, value: "red panda", server: server)
    let page = try await source.page(of: feed, after: Cursor(cursor), size: 2)
    return (page, answering.requests.map(\.url))
  }

  @Test(arguments: [[9], [9, 8], [9, 8, 7, 6]])
  func `a search that answers a cursor as it answers without one shows no more, and claims no end`(ids: [Int])
    async throws
  {
    let (page, asked) = try await search([ids + [5], ids + [5]], after: "5")
    #expect(page.items.isEmpty && page.next == .horizon)
    #expect(asked.count == 2 && asked[0].contains("max_id=5") && !asked[1].contains("max_id"))
  }

  @Test func `a search that repeats its cursor among other posts goes in circles, and no post is lost`() async throws {
    let (page, _) = try await search([[9, 8, 5], [12, 11, 9]], after: "5")
    #expect(page.items.isEmpty && page.next == .astray(reason: "its pages do not move on"))
    #expect(page.aside.compactMap(\.id) == ["12", "11", "9", "9", "8", "5"])
  }
}
