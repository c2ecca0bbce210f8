import HTTP
import Posts
import Testing

@testable import Login
@testable import Services

@Suite struct `logins at Instagram's first API` {
  private static let trade = "/oauth/access_token"
  private static let own = "/v1/users/self"
  private let granted = #"{"access_token":"3.ab.cd","user":{"id":"3","username":"ann","full_name":"Ann of the Cats"}}"#

  private func begin(_ desk: Desk) async throws -> Authorization {
    try await desk.flow.begin(desk.server, source: .instagram, clientID: "mine", clientSecret: Secret("hush"))
  }

  private func authServer(_ path: String, _ body: String, _ status: Int = 200) -> InMemoryAuthServer {
    InMemoryAuthServer([path: { _ in InMemoryAuthServer.json(body, status: status) }])
  }

  @Test func `a code is traded with the person's keys, and the user comes with the token`() async throws {
    let desk = Desk(authServer(Self.trade, granted))
    let page = try await begin(desk)
    #expect(page.url.hasPrefix("https://cats.example/oauth/authorize/?response_type=code&client_id=mine&"))
    #expect(InMemoryAuthServer.fields(page.url.components(separatedBy: "?")[1])["scope"] == "basic public_content")
    #expect(!page.url.contains("hush"))
    let account = try await desk.finished(page, "c0de")
    #expect((account.source, account.handle, account.name) == (.instagram, "ann@cats.example", "Ann of the Cats"))
    #expect((account.token.reveal(), account.expires) == ("3.ab.cd", nil))
    let request = try #require(desk.authServer.requests.last)
    #expect(desk.authServer.requests.count == 1)
    #expect(
      InMemoryAuthServer.fields(String(decoding: request.body ?? [], as: UTF8.self)) == [
        "client_id": "mine", "client_secret": "hush", "grant_type": "authorization_code", "code": "c0de",
        "redirect_uri": "urn:ietf:wg:oauth:2.0:oob",
      ])
    // The keys are kept for the next time.
    #expect(try await desk.flow.begin(desk.server, source: .instagram).url.contains("client_id=mine"))
    #expect(try await desk.flow.logOut(account) == .notRevoked(reason: "it takes no tokens back"))
  }

  @Test func `if the exchange names no user, the token is looked up, in the query`() async throws {
    let desk = Desk(authServer(Self.trade, #"{"access_token":"3.ab.cd"}"#))
    desk.authServer.answer(Self.own) { _ in
      InMemoryAuthServer.json(#"{"meta":{"code":200},"data":{"username":"ann","id":"3"}}"#)
    }
    #expect(try await desk.finished(try await begin(desk), "c0de").name == "ann")
    let request = try #require(desk.authServer.requests.last)
    #expect(request.url == "https://cats.example/v1/users/self")
    #expect(request.tokenPlacement == .query(fields: ["access_token"]))
  }

  @Test(arguments: [
    (400, #"{"code":400,"error_type":"OAuthException","error_message":"Matching code was not found"}"#, "code"),
    (400, #"{"code":400,"error_type":"OAuthException","error_message":"Invalid Client ID"}"#, "app"),
    (400, "{}", "code"), (404, "<html>", "service"), (500, "<html>", "fails"), (200, "<html>", "read"),
    (200, #"{"user":{"username":"ann"}}"#, "read"), (200, #"{"access_token":"a b"}"#, "read"),
  ])
  func `a failed exchange is reported with its cause`(status: Int, body: String, kind: String) async throws {
    let desk = Desk(authServer(Self.trade, body, status))
    let page = try await begin(desk)
    let errors: [String: (LoginError) -> Bool] = [
      "code": { $0 == .codeRefused(desk.server) }, "app": { $0 == .appRefused(desk.server) },
      "service": { $0 == .notThisAPI(desk.server, kin: "servers of instagram") },
      "fails": { $0.exitCode == .unavailable },
      "read": { $0.exitCode == .unreadable },
    ]
    let error = await #expect(throws: LoginError.self) { try await desk.flow.finish(page, pasted: "c0de") }
    #expect(error.map { errors[kind]?($0) == true } == true, "\(String(describing: error))")
    #expect(try desk.accounts.all().isEmpty)
  }

  @Test func `a ready token is verified; a refused one is reported with the server's text, never with the token`()
    async throws
  {
    let desk = Desk(authServer(Self.own, #"{"meta":{"code":200},"data":{"username":"ann","id":"3"}}"#))
    let account = try await desk.flow.adopt("3.ab.cd", at: desk.server, source: .instagram)
    #expect((account.source, account.handle) == (.instagram, "ann@cats.example"))
    for (status, words, shown) in [(400, "It is over", "It is over"), (200, "3.ab.cdef is not a token", nil)] {
      let body = #"{"meta":{"code":400,"error_message":"\#(words)"}}"#
      desk.authServer.answer(Self.own) { _ in InMemoryAuthServer.json(body, status: status) }
      await #expect(throws: LoginError.tokenRefused(desk.server, reason: shown)) {
        try await desk.flow.adopt("3.ab.cdef", at: desk.server, source: .instagram)
      }
    }
  }

  @Test func `without keys nothing is asked`() async throws {
    let desk = Desk()
    for source in [SourceName.instagram, .x] {
      await #expect(throws: LoginError.needsKeys(desk.server, source, logsAppsIn: source == .x)) {
        try await desk.flow.begin(desk.server, source: source)
      }
    }
    #expect(desk.authServer.requests.isEmpty)
  }
}
