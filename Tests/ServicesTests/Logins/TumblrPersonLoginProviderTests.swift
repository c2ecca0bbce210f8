import Foundation
import HTTP
import Posts
import Testing

@testable import Login
@testable import Services

@Suite struct `logins of people at Tumblr` {
  private static let token = "/v2/oauth2/token"
  private static let own = "/v2/user/info"
  private static let pair = """
    {"access_token":"t1","expires_in":2520,"id_token":false,"refresh_token":"r1","scope":"basic offline_access",
    "token_type":"bearer"}
    """
  private static let person = """
    {"meta":{"status":200,"msg":"OK"},"response":{"user":{"name":"ann","likes":6,"blogs":[{"name":"other","title":"Other"},
    {"name":"ann","title":"Ann of the Cats","primary":true}]}}}
    """

  private func authServer(_ token: String = pair, status: Int = 200) -> InMemoryAuthServer {
    InMemoryAuthServer([
      Self.token: { _ in InMemoryAuthServer.json(token, status: status) },
      Self.own: { _ in InMemoryAuthServer.json(Self.person) },
    ])
  }

  private func begin(_ desk: Desk, api: String? = "oauth2", redirect: String? = nil) async throws -> Authorization {
    try await desk.flow.begin(
      desk.server, source: .tumblr, api: api, clientID: "mine", clientSecret: Secret("hush"), redirect: redirect)
  }

  private func forms(_ desk: Desk) -> [[String: String]] {
    desk.authServer.requests.map { InMemoryAuthServer.fields(String(decoding: $0.body ?? [], as: UTF8.self)) }
  }

  @Test(arguments: ["oauth2", nil])
  func `a pasted address buys a token, which is a person's`(api: String?) async throws {
    let desk = Desk(authServer())
    let page = try await begin(desk, api: api)
    let query = InMemoryAuthServer.fields(page.url.components(separatedBy: "?")[1])
    #expect(page.url.hasPrefix("https://cats.example/oauth2/authorize?response_type=code&client_id=mine&scope="))
    #expect(query["scope"] == "basic offline_access" && query["state"]?.isEmpty == false)
    #expect(query["redirect_uri"] == nil && query["code_challenge"] == nil && page.leadsElsewhere)
    let account = try await desk.finished(page, "https://me.example/?code=c0de&state=\(query["state"] ?? "")#_=_")
    #expect((account.source, account.api, account.handle) == (.tumblr, "oauth2", "ann@cats.example"))
    #expect((account.name, account.token.reveal()) == ("Ann of the Cats", "t1"))
    #expect((account.refreshToken?.reveal(), account.scopes) == ("r1", ["basic", "offline_access"]))
    #expect(account.expires == account.created.addingTimeInterval(2_520))
    #expect(
      forms(desk).first == [
        "grant_type": "authorization_code", "code": "c0de", "client_id": "mine", "client_secret": "hush",
      ])
    #expect(desk.authServer.requests.allSatisfy { !$0.url.contains("hush") && !$0.url.contains("c0de") })
    #expect(desk.authServer.requests.last?.tokenPlacement == .bearer)
    // The keys are kept for the next time.
    let again = try await desk.flow.begin(desk.server, source: .tumblr)
    #expect(again.url.hasPrefix("https://cats.example/oauth2/authorize?response_type=code&client_id=mine&scope="))
  }

  @Test func `a redirect that is named is asked for and traded with, and one that does not fit is reported`()
    async throws
  {
    let desk = Desk(authServer())
    let redirect = "https://me.example/done"
    let page = try await begin(desk, redirect: redirect)
    #expect(page.url.contains("redirect_uri=https%3A%2F%2Fme.example%2Fdone&"))
    let body = #"{"error":"redirect_uri_mismatch","error_description":"The redirect URI does not match"}"#
    desk.authServer.answer(Self.token) { _ in InMemoryAuthServer.json(body, status: 400) }
    await #expect(throws: LoginError.redirectRefused(desk.server, redirect: redirect)) {
      try await desk.flow.finish(page, pasted: "c0de")
    }
    #expect(forms(desk).first?["redirect_uri"] == redirect)
  }

  @Test func `without keys, what is missing is that of the chosen login`() async throws {
    let desk = Desk(authServer())
    await #expect(throws: LoginError.needsKeys(desk.server, .tumblr)) {
      try await desk.flow.begin(desk.server, source: .tumblr, api: "oauth2")
    }
    await #expect(throws: LoginError.needsKey(desk.server, .tumblr)) {
      try await desk.flow.begin(desk.server, source: .tumblr)
    }
  }

  @Test func `at Tumblr the page is that of the web site`() async throws {
    let tumblr = try #require(Server("tumblr.com"))
    let desk = Desk(authServer())
    let page = try await desk.flow.begin(
      tumblr, source: .tumblr, api: "oauth2", clientID: "mine", clientSecret: Secret("hush"))
    #expect(page.url.hasPrefix("https://www.tumblr.com/oauth2/authorize?response_type=code&client_id=mine&"))
    #expect(try await desk.finished(page, "c0de").handle == "ann@tumblr.com")
    #expect(
      desk.authServer.requests.map(\.url) == [
        "https://api.tumblr.com/v2/oauth2/token", "https://api.tumblr.com/v2/user/info",
      ])
  }

  @Test(arguments: [
    (401, #"{"meta":{"status":401,"msg":"Unauthorized"},"response":[]}"#, "code"), (401, "", "code"),
    (400, #"{"error":"invalid_grant","error_description":"It has expired"}"#, "code"),
    (200, #"{"error":"invalid_grant"}"#, "code"), (400, #"{"error":"invalid_client"}"#, "keys"),
    (403, "<html>", "read"), (200, "<html>", "read"), (200, "{}", "read"),
    (200, #"{"access_token":"a b"}"#, "read"), (404, "<html>", "service"), (503, "{}", "fails"),
  ])
  func `a failed exchange is reported with its cause, and nothing is stored`(
    status: Int, body: String, kind: String
  ) async throws {
    let desk = Desk(authServer(body, status: status))
    let page = try await begin(desk)
    let error = await #expect(throws: LoginError.self) { try await desk.flow.finish(page, pasted: "c0de") }
    switch kind {
    case "code": #expect(error == .codeRefused(desk.server))
    case "keys": #expect(error == .redirectRefused(desk.server, redirect: "URL"))
    case "service": #expect(error == .notThisAPI(desk.server, kin: "servers of tumblr"))
    case "fails": #expect(error == .serverFailed(desk.server, status: 503))
    default: #expect(error?.exitCode == .unreadable)
    }
    #expect(try desk.accounts.all().isEmpty)
  }

  @Test(arguments: [
    #"{"response":{"user":{"name":"a b"}}}"#, #"{"response":{"user":{"name":"a@evil.example"}}}"#,
    #"{"response":{"user":{"name":[]}}}"#, #"{"response":[]}"#,
  ])
  func `a token whose owner is not said is not kept`(body: String) async throws {
    let desk = Desk(authServer())
    desk.authServer.answer(Self.own) { _ in InMemoryAuthServer.json(body) }
    let page = try await begin(desk)
    await #expect(throws: LoginError.unreadable(desk.server, what: "it does not say whose account it is")) {
      try await desk.flow.finish(page, pasted: "c0de")
    }
    #expect(try desk.accounts.all().isEmpty)
  }

  @Test func `a token is renewed by one that is good once, and a refusal asks for a login`() async throws {
    let desk = Desk(authServer())
    let first = try await desk.finished(try await begin(desk), "c0de")
    desk.authServer.answer(Self.token) { _ in
      InMemoryAuthServer.json(Self.pair.replacing("t1", with: "t2").replacing("r1", with: "r2"))
    }
    desk.wait(2_267)
    #expect(try await desk.flow.fresh(first).token.reveal() == "t1")
    desk.wait(2)
    let second = try await desk.flow.fresh(first)
    #expect((second.token.reveal(), second.refreshToken?.reveal()) == ("t2", "r2"))
    #expect(
      forms(desk).last == [
        "grant_type": "refresh_token", "refresh_token": "r1", "client_id": "mine", "client_secret": "hush",
      ])
    desk.wait(2_600)
    // A server that fails costs nothing.
    desk.authServer.answer(Self.token) { _ in InMemoryAuthServer.page(500) }
    #expect(try await desk.flow.fresh(second) == second)
    let refusals: [(Int, String, String?)] = [
      (400, #"{"error":"invalid_grant","error_description":"It has expired"}"#, "It has expired"),
      (400, #"{"error":"invalid_grant","error_description":"r2 is none"}"#, nil), (401, "", nil),
    ]
    for (status, body, reason) in refusals {
      desk.authServer.answer(Self.token) { _ in InMemoryAuthServer.json(body, status: status) }
      await #expect(throws: LoginError.tokenRefused(desk.server, reason: reason)) {
        try await desk.flow.fresh(second)
      }
    }
    #expect(try desk.accounts.all() == [second])
    #expect(
      try await desk.flow.logOut(second)
        == .notRevoked(reason: "an app's access ends in the account's settings alone"))
  }

  @Test func `a token that came ready-made is a person's, too`() async throws {
    let desk = Desk(authServer())
    let account = try await desk.flow.adopt("t0", at: desk.server, source: .tumblr, api: "oauth2")
    #expect((account.handle, account.api, account.refreshToken) == ("ann@cats.example", "oauth2", nil))
    for status in [400, 401, 403] {
      desk.authServer.answer(Self.own) { _ in InMemoryAuthServer.json("{}", status: status) }
      await #expect(throws: LoginError.tokenRefused(desk.server, reason: nil)) {
        try await desk.flow.adopt("t0", at: desk.server, source: .tumblr, api: "oauth2")
      }
    }
  }
}
