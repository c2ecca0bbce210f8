import HTTP
import Machine
import Posts
import Services
import Testing

/// What Instagram's first API is asked, how its pages are followed, and what its errors mean.
struct InstagramRequestTests {
  private let nothing = Response(#"{"pagination":{},"meta":{"code":200},"data":[]}"#)
  private let server = InstagramDesk.server

  @Test func `a tag is asked for with a count, and with the cursor as it came`() async throws {
    let desk = InstagramDesk(nothing, token: Secret("hush"))
    _ = try await desk.page()
    _ = try await desk.page(.tag, "ねこ/..?x", after: "AQ&a=b", size: 5)
    #expect(
      desk.paths == [
        "/v1/tags/cats/media/recent?count=33",
        "/v1/tags/%E3%81%AD%E3%81%93%2F..%3Fx/media/recent?count=5&max_tag_id=AQ%26a%3Db",
      ])
    let request = try #require(desk.answering.requests.first)
    #expect(request.token == Secret("hush"))
    #expect(request.tokenPlacement == .query(fields: ["access_token"]))
    #expect(request.limit == 8 << 20)
    #expect(!"\(request)".contains("hush"))
  }

  @Test(arguments: [(-1, 1), (0, 1), (33, 33), (1000, 33)])
  func `a wish for a size is kept within what servers give`(size: Int, count: Int) async throws {
    let desk = InstagramDesk(nothing)
    _ = try await desk.page(size: size)
    #expect(desk.paths == ["/v1/tags/cats/media/recent?count=\(count)"])
  }

  @Test func `a user is looked up once, by the whole name, and then read page by page`() async throws {
    let found = Response(
      #"{"meta":{"code":200},"data":[7,{"username":"birdsong","id":"8"},{"username":"Birds","id":"9/1"}]}"#)
    let desk = InstagramDesk(found, nothing)
    _ = try await desk.page(.user, "@Birds")
    _ = try await desk.page(.user, "birds", after: "7_3")
    #expect(
      desk.paths == [
        "/v1/users/search?q=birds", "/v1/users/9%2F1/media/recent?count=33",
        "/v1/users/9%2F1/media/recent?count=33&max_id=7_3",
      ])
  }

  @Test func `an unknown user and a search are reported as not found`() async {
    let desk = InstagramDesk(Response(#"{"meta":{"code":200},"data":[{"username":"birdsong","id":"8"}]}"#))
    #expect(await desk.refusal(.user, "birds") == .notFound(server, what: "user birds"))
    #expect(await desk.refusal(.search, "red panda") == .notFound(server, what: "timeline for search red panda"))
    #expect(desk.paths.count == 1)
  }

  @Test(
    arguments: [
      (#"{"next_max_tag_id":"1086420909647216708"}"#, .after(Cursor("1086420909647216708"))),
      (#"{"next_max_tag_id":1387272337517}"#, .after(Cursor("1387272337517"))),
      (#"{"next_max_id":"AQ"}"#, .after(Cursor("AQ"))),
      (#"{"next_url":"https://evil.example/x?access_token=1&max_tag_id=A%26B"}"#, .after(Cursor("A&B"))),
      ("{}", .end), ("null", .end), (#"{"min_tag_id":"9"}"#, .end), ("[]", .end),
      (#"{"next_url":"https://birds.example/v1?page=2"}"#, .refused(reason: "its next page cannot be named")),
      (#"{"next_max_tag_id":"https://evil.example"}"#, .refused(reason: "its next page cannot be named")),
      (#"{"next_max_tag_id":"a b"}"#, .refused(reason: "its next page cannot be named")),
      (#"{"next_max_tag_id":"x.hush-hush-hush-hush.y"}"#, .refused(reason: "its next page cannot be named")),
    ] as [(String, Next)])
  func `of the way on the cursor alone is taken`(pagination: String, next: Next) async throws {
    let body = #"{"pagination":\#(pagination),"meta":{"code":200},"data":[]}"#
    #expect(try await InstagramDesk(Response(body), token: Secret("hush-hush-hush-hush")).page().next == next)
  }

  @Test func `a cursor that holds the user's number, with which the token begins, is a cursor`() async throws {
    let token = Secret("12345678.1fb234f.5ac1")
    for (cursor, next) in [
      ("1086420909647216708_12345678", Next.after(Cursor("1086420909647216708_12345678"))),
      ("7_12345678.1fb234f.5ac1\u{301}", .refused(reason: "its next page cannot be named")),
    ] {
      let body = #"{"pagination":{"next_max_id":"\#(cursor)"},"meta":{"code":200},"data":[]}"#
      #expect(try await InstagramDesk(Response(body), token: token).page().next == next)
    }
  }

  private func meant(_ status: Int, _ body: String, token: Bool = true) async -> SourceError? {
    let answer = Response(status: status, body: Array(body.utf8))
    return await InstagramDesk(answer, token: token ? Secret("hush-hush-hush-hush") : nil).refusal()
  }

  private func apiError(_ type: String, _ code: Int, _ text: String = "no") -> [String] {
    let said = #"{"error_type":"\#(type)","code":\#(code),"error_message":"\#(text)"}"#
    return [#"{"meta":\#(said)}"#, said]
  }

  @Test(arguments: [200, 400])
  func `errors are recognized by their type, with or without a frame, whatever the status`(status: Int) async throws {
    let asked = try #require(UTC.date("2026-11-21T10:00:00Z"))
    let limited = SourceError.rateLimited(server, until: nil, asked: asked)
    let cases: [(type: String, code: Int, mine: SourceError, strangers: SourceError)] = [
      ("OAuthAccessTokenException", 400, .tokenRefused(server), .needsLogin(server)),
      ("OAuthPermissionsException", 400, .forbidden(server, reason: "no"), .needsLogin(server)),
      ("APINotAllowedError", 400, .forbidden(server, reason: "no"), .needsLogin(server)),
      ("OAuthParameterException", 400, .unreadable(server, reason: "it says: no"), .needsLogin(server)),
      ("APINotFoundError", 400, .notFound(server, what: "tag cats"), .notFound(server, what: "tag cats")),
      (
        "APIInvalidParametersError", 400, .unreadable(server, reason: "it says: no"),
        .unreadable(server, reason: "it says: no")
      ),
      ("OAuthRateLimitException", 429, limited, limited), ("", 420, limited, limited),
      ("OAuthRateLimitException", 420, limited, limited),
      ("APIError", 503, .serverFailed(server, status: 503), .serverFailed(server, status: 503)),
    ]
    for (type, code, mine, strangers) in cases {
      for body in apiError(type, code) {
        #expect(await meant(status, body) == mine, "\(body)")
        #expect(await meant(status, body, token: false) == strangers, "\(body)")
      }
    }
  }

  @Test func `words that repeat the token are not passed on, and a page on an outage is one`() async {
    for body in apiError("APINotAllowedError", 400, "hush-hush-hush-hush may not") {
      #expect(await meant(400, body) == .forbidden(server, reason: "no reason given"))
    }
    #expect(await meant(503, "<html>Oops</html>") == .serverFailed(server, status: 503))
    #expect(await meant(200, "<html>Oops</html>") == .unreadable(server, reason: "it is a web page"))
  }

  @Test func `a page of more than a thousand posts is refused`() async {
    let list = Array(repeating: "1", count: 1001).joined(separator: ",")
    let reason = "it holds more than 1000 posts where 33 were asked for"
    #expect(await meant(200, #"{"data":[\#(list)]}"#) == .unreadable(server, reason: reason))
  }
}
