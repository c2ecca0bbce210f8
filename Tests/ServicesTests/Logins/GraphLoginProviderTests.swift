import Foundation
import HTTP
import Posts
import Testing

@testable import Login
@testable import Services

@Suite struct `logins at Instagram's Graph API` {
  private static let trade = "/v25.0/oauth/access_token"
  private static let own = "/v25.0/me/accounts"
  private static let pages = """
    {"data":[{"id":"1"},{"instagram_business_account":{"id":"178","username":"ann","name":"Ann of the Cats"},"id":"2"}]}
    """

  private func authServer() -> InMemoryAuthServer {
    InMemoryAuthServer([
      Self.trade: { request in
        let form = InMemoryAuthServer.fields(String(decoding: request.body ?? [], as: UTF8.self))
        return form["grant_type"] == "fb_exchange_token"
          ? InMemoryAuthServer.json(#"{"access_token":"EAA-long","token_type":"bearer","expires_in":5184000}"#)
          : InMemoryAuthServer.json(#"{"access_token":"EAA-short","expires_in":5000}"#)
      }, Self.own: { _ in InMemoryAuthServer.json(Self.pages) },
    ])
  }

  private func begin(_ desk: Desk, redirect: String? = nil) async throws -> Authorization {
    try await desk.flow.begin(
      desk.server, source: .instagram, api: "graph", clientID: "mine", clientSecret: Secret("hush"),
      redirect: redirect)
  }

  @Test func `a pasted address buys a short token, and that one a long one, in bodies and never in addresses`()
    async throws
  {
    let desk = Desk(authServer())
    let page = try await begin(desk)
    let query = InMemoryAuthServer.fields(page.url.components(separatedBy: "?")[1])
    #expect(page.url.hasPrefix("https://cats.example/v25.0/dialog/oauth?"))
    #expect(query["redirect_uri"] == "https://www.facebook.com/connect/login_success.html")
    #expect(query["scope"] == "instagram_basic pages_show_list pages_read_engagement")
    #expect(page.leadsElsewhere)
    let pasted = "https://www.facebook.com/connect/login_success.html?code=c0de&state=\(query["state"] ?? "")#_=_"
    let account = try await desk.finished(page, pasted)
    #expect((account.source, account.handle, account.api) == (.instagram, "ann@cats.example", "graph"))
    #expect((account.token.reveal(), account.remoteID) == ("EAA-long", "178"))
    #expect(account.expires == account.created.addingTimeInterval(5_184_000))
    let forms = desk.authServer.requests.map {
      InMemoryAuthServer.fields(String(decoding: $0.body ?? [], as: UTF8.self))
    }
    #expect(
      forms.prefix(2) == [
        [
          "client_id": "mine", "client_secret": "hush", "code": "c0de",
          "redirect_uri": "https://www.facebook.com/connect/login_success.html",
        ],
        [
          "client_id": "mine", "client_secret": "hush", "grant_type": "fb_exchange_token",
          "fb_exchange_token": "EAA-short",
        ],
      ])
    #expect(desk.authServer.requests.allSatisfy { !$0.url.contains("hush") && !$0.url.contains("EAA") })
    #expect(desk.authServer.requests.last?.tokenPlacement == .query(fields: ["access_token"]))
    // The keys and the redirect are kept for the next time.
    let again = try await desk.flow.begin(desk.server, source: .instagram)
    #expect(again.url.hasPrefix("https://cats.example/v25.0/dialog/oauth?"))
    #expect(try desk.accounts.all() == [account])
  }

  @Test func `a redirect of one's own is asked for and traded with`() async throws {
    let desk = Desk(authServer())
    let page = try await begin(desk, redirect: "https://me.example/done")
    #expect(page.url.contains("redirect_uri=https%3A%2F%2Fme.example%2Fdone&"))
    _ = try await desk.finished(page, "c0de")
    let form = InMemoryAuthServer.fields(String(decoding: desk.authServer.requests.first?.body ?? [], as: UTF8.self))
    #expect(form["redirect_uri"] == "https://me.example/done")
  }

  @Test func `at Instagram the page is Facebook's`() async throws {
    let instagram = try #require(Server("instagram.com"))
    let page = try await Desk().flow.begin(
      instagram, source: .instagram, clientID: "mine", clientSecret: Secret("hush"))
    #expect(page.url.hasPrefix("https://www.facebook.com/v25.0/dialog/oauth?response_type=code&client_id=mine&"))
    #expect(Endpoints(graphAt: instagram).token == "https://graph.facebook.com/v25.0/oauth/access_token")
  }

  @Test(arguments: [
    (400, #"{"error":{"code":100,"message":"This authorization code has been used."}}"#, "code"),
    (400, #"{"error":{"code":1e300,"message":"This authorization code has been used."}}"#, "code"),
    (400, #"{"error":{"code":1,"message":"Error validating client secret."}}"#, "keys"),
    (400, #"{"error":{"code":101,"message":"Error validating application."}}"#, "keys"),
    (400, #"{"error":{"code":191,"message":"URL blocked"}}"#, "keys"), (500, #"{"error":{"code":2}}"#, "fails"),
    (404, "<html>", "service"), (200, "<html>", "read"), (200, "{}", "read"),
  ])
  func `a failed exchange is reported with its cause`(status: Int, body: String, kind: String) async throws {
    let desk = Desk(InMemoryAuthServer([Self.trade: { _ in InMemoryAuthServer.json(body, status: status) }]))
    let page = try await begin(desk)
    let error = await #expect(throws: LoginError.self) { try await desk.flow.finish(page, pasted: "c0de") }
    let redirect = "https://www.facebook.com/connect/login_success.html"
    switch kind {
    case "code": #expect(error == .codeRefused(desk.server))
    case "keys": #expect(error == .redirectRefused(desk.server, redirect: redirect))
    case "fails": #expect(error?.exitCode == .unavailable)
    case "service": #expect(error == .notThisAPI(desk.server, kin: "servers of instagram"))
    default: #expect(error?.exitCode == .unreadable)
    }
    #expect(try desk.accounts.all().isEmpty)
  }

  @Test(arguments: [
    (#"{"data":{"is_valid":true,"expires_at":1800000000,"data_access_expires_at":1900000000}}"#, 1_800_000_000.0),
    (#"{"data":{"expires_at":1800000000,"data_access_expires_at":1790000000}}"#, 1_790_000_000),
    (#"{"data":{"expires_at":0,"data_access_expires_at":0}}"#, nil), (#"{"data":{}}"#, nil), ("<html>", nil),
    (#"{"error":{"code":100,"message":"You must provide an app access token"}}"#, nil),
  ])
  func `a token that came ready-made ends when the server says, which may be at no time that is known`(
    body: String, end: TimeInterval?
  ) async throws {
    let authServer = authServer()
    authServer.answer("/v25.0/debug_token") { _ in
      InMemoryAuthServer.json(body, status: body.contains("error") ? 400 : 200)
    }
    let desk = Desk(authServer)
    let account = try await desk.flow.adopt("EAA-mine", at: desk.server, source: .instagram, api: "graph")
    #expect(account.expires == end.map { Date(timeIntervalSince1970: $0) })
    let asked = try #require(authServer.requests.last)
    #expect(asked.tokenPlacement == .query(fields: ["input_token", "access_token"]))
    #expect(asked.token != nil && !asked.url.contains("EAA"))
    #expect(try desk.accounts.all() == [account])
  }

  @Test func `a token without a professional account is reported, a refused one with the server's text`() async throws {
    let desk = Desk(InMemoryAuthServer([Self.own: { _ in InMemoryAuthServer.json(#"{"data":[{"id":"1"}]}"#) }]))
    await #expect(throws: LoginError.noProfessionalAccount(desk.server)) {
      try await desk.flow.adopt("EAA-mine", at: desk.server, source: .instagram, api: "graph")
    }
    for (words, shown) in [("It is over", "It is over"), ("EAA-mineral is none", nil)] {
      let body = #"{"error":{"code":190,"message":"\#(words)"}}"#
      desk.authServer.answer(Self.own) { _ in InMemoryAuthServer.json(body, status: 400) }
      await #expect(throws: LoginError.tokenRefused(desk.server, reason: shown)) {
        try await desk.flow.adopt("EAA-mine", at: desk.server, source: .instagram, api: "graph")
      }
    }
  }
}
