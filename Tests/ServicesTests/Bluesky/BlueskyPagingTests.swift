import HTTP
import Posts
import Services
import Testing

/// Where Bluesky's older posts are asked for.
struct BlueskyPagingTests {
  private func cursor(_ page: Page) -> Cursor? {
    if case .after(let cursor) = page.next { cursor } else { nil }
  }

  @Test func `a tag is searched for with its sign, and posts that only mention it are left out`() async throws {
    let mention = BlueskyDesk.post("3b").replacing(#","tags":["cats"]"#, with: "")
    let desk = BlueskyDesk(BlueskyDesk.answer([BlueskyDesk.post("3a"), mention, "1"], cursor: "3"))
    let page = try await desk.page()
    #expect(page.items.count == 2, "what cannot be read stays")
    #expect(
      desk.addresses
        == ["https://birds.example/xrpc/app.bsky.feed.searchPosts?q=%23cats&sort=latest&limit=100"])
  }

  @Test func `an empty page with a cursor leads on`() async throws {
    let page = try await BlueskyDesk(BlueskyDesk.answer([], cursor: "100")).page()
    #expect(cursor(page) != nil)
  }

  @Test func `the end of a search is a horizon, and that of an account is the end`() async throws {
    #expect(try await BlueskyDesk(BlueskyDesk.answer([BlueskyDesk.post("3a")])).page().next == .horizon)
    let feed = Response(#"{"feed":[{"post":\#(BlueskyDesk.post("3a"))}]}"#)
    #expect(try await BlueskyDesk(feed).page(.user, "robin.birds.example").next == .end)
  }

  /// A search that shows 100 pages of 100 posts and then ends.
  @Test func `a search that ends for its length goes on below its last post, without doubles`() async throws {
    let day = { (hour: Int) in "2026-11-20T0\(hour):00:00.000Z" }
    let full = BlueskyDesk.answer((0..<100).map { BlueskyDesk.post("3a\($0)", at: day(9)) }, cursor: "x")
    var cursor: Cursor?
    for number in 0..<99 {
      let answer = full.replacing("\"cursor\":\"x\"", with: "\"cursor\":\"\(number)\"")
      cursor = self.cursor(try await BlueskyDesk(answer).page(after: cursor))
      try #require(cursor != nil)
    }
    let last = [
      BlueskyDesk.post("3b", at: day(8)), BlueskyDesk.post("3c", at: day(7)), BlueskyDesk.post("3d", at: day(7)),
    ]
    let lowest = try await BlueskyDesk(BlueskyDesk.answer(last)).page(after: cursor)
    let below = try #require(self.cursor(lowest))
    let next = BlueskyDesk(BlueskyDesk.answer([last[1], last[2], BlueskyDesk.post("3e", at: day(6))]))
    let page = try await next.page(after: below)
    #expect(next.addresses[0].hasSuffix("&limit=100&until=2026-11-20T07%3A00%3A00.001Z"))
    #expect(page.items.compactMap { $0.post?.uri.suffix(2) } == ["3e"])
    #expect(page.next == .horizon)
  }

  @Test func `a long search does not go on above where it was`() async throws {
    let below = Cursor("6000?until=2026-11-20T07%3A00%3A00.001Z")
    let page = try await BlueskyDesk(BlueskyDesk.answer([BlueskyDesk.post("3a")])).page(after: below)
    #expect(page.next == .horizon)
  }

  @Test(arguments: [
    #"["a"]"#, #"{"a":1}"#, "true", #""https://evil.example/x""#, #""a b""#,
    "\"\(String(repeating: "9", count: 9_000))\"",
  ])
  func `a cursor that is none is not the end`(cursor: String) async throws {
    let answer = BlueskyDesk.answer([BlueskyDesk.post("3a")], cursor: "x").replacing("\"x\"", with: cursor)
    let page = try await BlueskyDesk(answer).page()
    #expect(page.next == .refused(reason: "its next page cannot be named"))
    #expect(page.items.count == 1)
  }

  @Test func `a cursor with signs of an address is sent as it came`() async throws {
    let first = BlueskyDesk(BlueskyDesk.answer([BlueskyDesk.post("3a")], cursor: "a?b=1&until=x#é,"))
    let cursor = try #require(self.cursor(try await first.page()))
    let second = BlueskyDesk(BlueskyDesk.answer([]))
    _ = try await second.page(after: cursor)
    #expect(second.addresses[0].hasSuffix("&limit=100&cursor=a%3Fb%3D1%26until%3Dx%23%C3%A9%2C"))
  }

  @Test func `a cursor that holds the token is not kept`() async throws {
    let token = "hush-hush-hush-hush"
    let desk = BlueskyDesk(BlueskyDesk.answer([BlueskyDesk.post("3a")], cursor: "a\(token)"), token: Secret(token))
    guard case .refused = try await desk.page().next else {
      Issue.record("the token is kept")
      return
    }
  }

  @Test(arguments: [
    ("robin", "robin.birds.example"), ("robin.birds.example", "robin.birds.example"),
    ("did:plc:aaaaaaaaaaaaaaaaaaaaaaaa", "did%3Aplc%3Aaaaaaaaaaaaaaaaaaaaaaaaa"),
  ])
  func `a single word is a name at the server`(name: String, asked: String) async throws {
    let desk = BlueskyDesk(Response(#"{"feed":[]}"#))
    _ = try await desk.page(.user, name)
    #expect(desk.addresses[0].contains("getAuthorFeed?actor=\(asked)&"))
  }

  // MARK: Without a login

  @Test func `an account of Bluesky is asked for where everybody may ask, a search is not`() async throws {
    let user = BlueskyDesk(Response(#"{"feed":[]}"#), server: "bsky.social")
    _ = try await user.page(.user, "robin.birds.example")
    #expect(user.addresses[0].hasPrefix("https://public.api.bsky.app/xrpc/app.bsky.feed.getAuthorFeed?"))
    let tag = BlueskyDesk(BlueskyDesk.answer([]), server: "bsky.social")
    _ = try await tag.page()
    #expect(tag.addresses[0].hasPrefix("https://bsky.social/xrpc/"))
    let member = BlueskyDesk(Response(#"{"feed":[]}"#), server: "bsky.social", token: Secret("hush"))
    _ = try await member.page(.user, "robin.birds.example")
    #expect(member.addresses[0].hasPrefix("https://bsky.social/xrpc/"))
  }

  // MARK: Refusals

  @Test(arguments: [
    (400, "ExpiredToken", "Token has expired", SourceError.tokenRefused(server), SourceError.needsLogin(server)),
    (401, "AuthMissing", "Authentication Required", .tokenRefused(server), .needsLogin(server)),
    (400, "InvalidRequest", "Profile not found", missing, missing),
    (400, "AccountDeactivated", "Account is deactivated", missing, missing),
    (400, "InvalidRequest", "Error: actor must be a valid did or a handle", missing, missing),
    (400, "InvalidRequest", "q is too long", said, said),
    (502, "UpstreamFailure", "no", .serverFailed(server, status: 502), .serverFailed(server, status: 502)),
  ])
  func `a refusal is told by its name`(
    status: Int, name: String, message: String, member: SourceError, stranger: SourceError
  ) async throws {
    var answer = Response(#"{"error":"\#(name)","message":"\#(message)"}"#)
    answer.status = status
    for (token, expected) in [(Secret("hush"), member), (nil, stranger)] {
      let desk = BlueskyDesk(answer, token: token)
      await #expect(throws: expected) { try await desk.page(.user, "robin.birds.example") }
    }
  }

  private static let server = Server("birds.example")!
  private static let missing = SourceError.notFound(server, what: "user robin.birds.example")
  private static let said = SourceError.unreadable(server, reason: "it says: q is too long")

  // MARK: Looking up again

  private static let uris = ["3a", "3b"].map { "at://did:plc:aaaaaaaaaaaaaaaaaaaaaaaa/app.bsky.feed.post/\($0)" }

  @Test func `a post that is left out where everybody may ask is gone`() async throws {
    let desk = BlueskyDesk(BlueskyDesk.answer([BlueskyDesk.post("3b")]), token: Secret("hush"))
    let looked = try await desk.source.lookUp(Self.uris + ["17", "at://x"])
    #expect(looked.gone == [Self.uris[0]])
    #expect(looked.shown.compactMap(\.post?.uri) == [Self.uris[1]])
    #expect(desk.answering.requests.map(\.token) == [nil])
    #expect(desk.addresses.allSatisfy { $0.hasPrefix("https://public.api.bsky.app/xrpc/app.bsky.feed.getPosts?uris=") })
  }

  @Test func `where a login is needed to ask, a post that is left out may be of somebody who blocks it`() async throws {
    var refusal = Response("<html>no</html>")
    refusal.status = 403
    let desk = BlueskyDesk(refusal, BlueskyDesk.answer([BlueskyDesk.post("3b")]), token: Secret("hush"))
    let looked = try await desk.source.lookUp(Self.uris)
    #expect(looked.gone.isEmpty)
    #expect(looked.shown.count == 1)
    #expect(desk.addresses.last?.hasPrefix("https://birds.example/") == true)
  }

  @Test func `a search that is refused with a page, as it is without a login, asks for one`() async throws {
    var refusal = Response("<html><body><h1>403 Forbidden</h1>Request forbidden by administrative rules.</body></html>")
    refusal.status = 403
    let desk = BlueskyDesk(refusal, token: nil)
    await #expect(throws: SourceError.needsLogin(desk.server)) { try await desk.page() }
  }

  @Test func `an answer that is no list says of no post that it is gone`() async throws {
    for body in [#"{"error":"UpstreamFailure"}"#, "{}", "<html>"] {
      let desk = BlueskyDesk(Response(body))
      await #expect(throws: SourceError.self) { try await desk.source.lookUp(Self.uris) }
    }
  }
}
