import Foundation
import HTTP
import JSONReading
import Posts
import Testing

@testable import Login

@Suite struct `servers that differ` {
  private static let discovery = "/.well-known/oauth-authorization-server"

  private func scope(_ house: OAuthHouse) async throws -> String? {
    let page = try await Desk(house).flow.begin(house.server).url
    return OAuthHouse.fields(page.components(separatedBy: "?")[1])["scope"]
  }

  @Test(arguments: ["not found", "[]", "{\"issuer\":", "\u{0}"])
  func `a server without metadata is spoken to at Mastodon's paths, without PKCE`(body: String) async throws {
    let desk = Desk(OAuthHouse([Self.discovery: { _ in OAuthHouse.json(body) }]))
    let page = try await desk.flow.begin(desk.server)
    #expect(page.url.hasPrefix("https://cats.example/oauth/authorize?"))
    #expect(!page.url.contains("code_challenge"))
    #expect(try await desk.finished(page, desk.house.code(on: page.url)).handle == "ann@cats.example")
  }

  @Test(
    arguments: [
      "https://evil.example/oauth/token", "http://cats.example/oauth/token", "https://cats.example.evil.example/t",
      "https://cats.example:444/t", "https://cats.example@evil.example/t", "/oauth/token", "javascript:alert(1)",
      "https://cats.example/\\u001b[31m", "https://cats.example/a b", "https://cats.example/#x",
    ])
  func `an endpoint at another origin is not used`(url: String) {
    let text =
      "{\"token_endpoint\":\"\(url)\",\"authorization_endpoint\":\"\(url)\",\"revocation_endpoint\":\"\(url)\","
      + "\"app_registration_endpoint\":\"\(url)\"}"
    let server = Server("cats.example")!
    #expect(Endpoints(reading: JSONObject(Array(text.utf8))!, at: server) == Endpoints(defaultsAt: server))
  }

  @Test func `endpoints of its own are used`() {
    let text = #"{"token_endpoint":"https://cats.example/t?x=1","code_challenge_methods_supported":["plain"]}"#
    let endpoints = Endpoints(reading: JSONObject(Array(text.utf8))!, at: Server("cats.example")!)
    #expect(endpoints.token == "https://cats.example/t?x=1")
    #expect(!endpoints.provesOwner)
  }

  @Test func `Pixelfed and coarse servers are asked for read`() async throws {
    let pixelfed = OAuthHouse([
      Self.discovery: { _ in OAuthHouse.page(404) },
      "/api/v1/instance": { _ in OAuthHouse.json(#"{"version":"3.5.3 (compatible; Pixelfed 0.12.5)"}"#) },
    ])
    #expect(try await scope(pixelfed) == "read")
    let coarse = OAuthHouse([Self.discovery: { _ in OAuthHouse.json(#"{"scopes_supported":["read","write"]}"#) }])
    #expect(try await scope(coarse) == "read")
    let plain = OAuthHouse([Self.discovery: { _ in OAuthHouse.page(404) }])
    #expect(try await scope(plain) == "read:statuses read:accounts read:search")
  }

  @Test func `a server that refuses fine scopes is asked for read`() async throws {
    let house = OAuthHouse([
      "/api/v1/apps": { request in
        String(decoding: request.body ?? [], as: UTF8.self).contains("scopes=read&")
          || String(decoding: request.body ?? [], as: UTF8.self).hasSuffix("scopes=read")
          ? OAuthHouse.json(#"{"client_id":7,"client_secret":"s"}"#)
          : OAuthHouse.json(#"{"error":"Validation failed: Scopes doesn't match"}"#, status: 422)
      }
    ])
    let page = try await Desk(house).flow.begin(house.server).url
    #expect(page.contains("client_id=7&") && page.contains("scope=read&"))
  }

  @Test(
    arguments: [
      (#"["read"]"#, "read"), (#""read write""#, "read"), ("[]", "read:statuses read:accounts read:search"),
      (#"["read","read:search","read:statuses","read:accounts"]"#, "read:statuses read:accounts read:search"),
    ])
  func `a server that registers other scopes is asked for those`(said: String, asked: String) async throws {
    let house = OAuthHouse([
      "/api/v1/apps": { _ in OAuthHouse.json(#"{"client_id":"a","client_secret":"s","scopes":\#(said)}"#) }
    ])
    #expect(try await scope(house) == asked)
  }

  @Test func `a token that ends by itself is kept with what buys the next`() async throws {
    let desk = Desk()
    let page = try await desk.flow.begin(desk.server)
    desk.house.answer("/oauth/token") { _ in
      OAuthHouse.json(#"{"access_token":"t","expires_in":"30758400","refresh_token":"r","scope":["read"]}"#)
    }
    desk.house.answer("/api/v1/accounts/verify_credentials") { _ in OAuthHouse.json(#"{"username":"ann"}"#) }
    let account = try await desk.finished(page, "code")
    #expect(account.expires == account.created + 30_758_400)
    #expect(account.refreshToken?.reveal() == "r")
    #expect(account.scopes == ["read"])
    #expect(account.name == "ann")
  }

  @Test(
    arguments: [
      ("ann@evil.example", "ann@cats.example"), ("ann@cats.example@evil.example", "ann@cats.example"),
      ("@ann", "ann@cats.example"), ("ann", "ann@cats.example"),
    ])
  func `a server speaks for its own people alone`(said: String, handle: String) async throws {
    let desk = Desk()
    let page = try await desk.flow.begin(desk.server)
    desk.house.answer("/api/v1/accounts/verify_credentials") { _ in OAuthHouse.json(#"{"acct":"\#(said)"}"#) }
    let account = try await desk.finished(page, desk.house.code(on: page.url))
    #expect(account.handle == handle)
    #expect(account.name == "ann")
  }

  @Test func `a server that knows only the second version of itself is one of them`() async throws {
    let house = OAuthHouse([
      Self.discovery: { _ in OAuthHouse.page(404) },
      "/api/v1/instance": { _ in OAuthHouse.page(404) },
      "/api/v2/instance": { _ in OAuthHouse.json(#"{"domain":"cats.example","version":"3.5 (Pixelfed 1)"}"#) },
    ])
    #expect(try await scope(house) == "read")
    house.answer("/api/v1/apps") { _ in OAuthHouse.page(404) }
    await #expect(throws: LoginError.noRegistration(house.server)) { try await Desk(house).flow.begin(house.server) }
  }

  @Test func `scopes that no server has are not kept`() async throws {
    let desk = Desk()
    let page = try await desk.flow.begin(desk.server)
    let scopes = String(repeating: "read ", count: 5000) + String(repeating: "x", count: 5000)
    desk.house.answer("/oauth/token") { _ in OAuthHouse.json(#"{"access_token":"t","scope":"\#(scopes)"}"#) }
    desk.house.answer("/api/v1/accounts/verify_credentials") { _ in OAuthHouse.json(#"{"username":"ann"}"#) }
    #expect(try await desk.finished(page, "code").scopes == Array(repeating: "read", count: 100))
  }

  @Test func `a name that would move the cursor is kept harmless`() async throws {
    let desk = Desk()
    let page = try await desk.flow.begin(desk.server)
    desk.house.answer("/api/v1/accounts/verify_credentials") { _ in
      OAuthHouse.json(#"{"acct":"ann","display_name":"A\u001b[2J\nn\u202en 👩‍🚀"}"#)
    }
    #expect(try await desk.finished(page, desk.house.code(on: page.url)).name == "A [2J n n 👩‍🚀")
  }
}
