import Foundation
import HTTP
import JSONReading
import Posts
import Synchronization
import Testing

@testable import Login
@testable import Services

@Suite struct `servers that differ` {
  private static let discovery = "/.well-known/oauth-authorization-server"

  private func scope(_ authServer: InMemoryAuthServer) async throws -> String? {
    let page = try await Desk(authServer).flow.begin(authServer.server).url
    return InMemoryAuthServer.fields(page.components(separatedBy: "?")[1])["scope"]
  }

  @Test(arguments: ["not found", "[]", "{\"issuer\":", "\u{0}"])
  func `a server without metadata is spoken to at Mastodon's paths, without PKCE`(body: String) async throws {
    let desk = Desk(InMemoryAuthServer([Self.discovery: { _ in InMemoryAuthServer.json(body) }]))
    let page = try await desk.flow.begin(desk.server)
    #expect(page.url.hasPrefix("https://cats.example/oauth/authorize?"))
    #expect(!page.url.contains("code_challenge"))
    #expect(try await desk.finished(page, desk.authServer.code(on: page.url)).handle == "ann@cats.example")
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
    let pixelfed = InMemoryAuthServer([
      Self.discovery: { _ in InMemoryAuthServer.page(404) },
      "/api/v1/instance": { _ in InMemoryAuthServer.json(#"{"version":"3.5.3 (compatible; Pixelfed 0.12.5)"}"#) },
    ])
    #expect(try await scope(pixelfed) == "read")
    let coarse = InMemoryAuthServer([
      Self.discovery: { _ in InMemoryAuthServer.json(#"{"scopes_supported":["read","write"]}"#) }
    ])
    #expect(try await scope(coarse) == "read")
    let plain = InMemoryAuthServer([Self.discovery: { _ in InMemoryAuthServer.page(404) }])
    #expect(try await scope(plain) == "read:statuses read:accounts read:search")
  }

  @Test func `a server that refuses fine scopes is asked for read`() async throws {
    let authServer = InMemoryAuthServer([
      "/api/v1/apps": { request in
        String(decoding: request.body ?? [], as: UTF8.self).contains("scopes=read&")
          || String(decoding: request.body ?? [], as: UTF8.self).hasSuffix("scopes=read")
          ? InMemoryAuthServer.json(#"{"client_id":7,"client_secret":"s"}"#)
          : InMemoryAuthServer.json(#"{"error":"Validation failed: Scopes doesn't match"}"#, status: 422)
      }
    ])
    let page = try await Desk(authServer).flow.begin(authServer.server).url
    #expect(page.contains("client_id=7&") && page.contains("scope=read&"))
  }

  @Test(
    arguments: [
      (#"["read"]"#, "read"), (#""read write""#, "read"), ("[]", "read:statuses read:accounts read:search"),
      (#"["read","read:search","read:statuses","read:accounts"]"#, "read:statuses read:accounts read:search"),
    ])
  func `a server that registers other scopes is asked for those`(said: String, asked: String) async throws {
    let authServer = InMemoryAuthServer([
      "/api/v1/apps": { _ in InMemoryAuthServer.json(#"{"client_id":"a","client_secret":"s","scopes":\#(said)}"#) }
    ])
    #expect(try await scope(authServer) == asked)
  }

  @Test func `a token that ends by itself is kept with what buys the next`() async throws {
    let desk = Desk()
    let page = try await desk.flow.begin(desk.server)
    desk.authServer.answer("/oauth/token") { _ in
      InMemoryAuthServer.json(#"{"access_token":"t","expires_in":"30758400","refresh_token":"r","scope":["read"]}"#)
    }
    desk.authServer.answer("/api/v1/accounts/verify_credentials") { _ in InMemoryAuthServer.json(#"{"username":"ann"}"#)
    }
    let account = try await desk.finished(page, "code")
    #expect(account.expires == account.created + 30_758_400)
    #expect(account.refreshToken?.reveal() == "r")
    #expect(account.scopes == ["read"])
    #expect(account.name == "ann")
  }

  private static let verification = "/api/v1/accounts/verify_credentials"

  /// Refuses the first token that is verified, and takes the second.
  private func refuseOnce(_ authServer: InMemoryAuthServer, _ refusal: Response) {
    let isFirst = Mutex(true)
    authServer.answer(Self.verification) { _ in
      let isFirst = isFirst.withLock { value in
        defer { value = false }
        return value
      }
      return isFirst ? refusal : InMemoryAuthServer.json(#"{"username":"ann"}"#)
    }
  }

  @Test(
    arguments: [
      "out_of_scope_for_token", "This action is outside the authorized scopes",
      "Forbidden: token has insufficient scope permission", "Insufficient permissions: read:accounts.",
      "insufficient_scope",
    ])
  func `a server that grants fine scopes and refuses them is asked for read, and the first token given back`(
    said: String
  ) async throws {
    let desk = Desk()
    let first = try await desk.flow.begin(desk.server)
    refuseOnce(desk.authServer, InMemoryAuthServer.json(#"{"error":"\#(said)"}"#, status: 403))
    let outcome = try await desk.flow.finish(first, pasted: desk.authServer.code(on: first.url))
    guard case .needsWiderScopes(let second, _) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(second.scopes == ["read"])
    #expect(second.url.contains("scope=read&") && second.url.contains("client_id=app-2"))
    #expect(desk.authServer.tokens.isEmpty)
    #expect(try desk.accounts.read().pending == [second.login])
    #expect(try desk.accounts.all().isEmpty)
    #expect(try await desk.finished(second, desk.authServer.code(on: second.url)).clientID == "app-2")
    #expect(try await desk.flow.begin(desk.server).scopes == ["read"])
  }

  @Test func `a challenge for want of scope counts without words, and keys made by hand stay`() async throws {
    let desk = Desk()
    let first = try await desk.flow.begin(desk.server, clientID: "mine", clientSecret: Secret("hush"))
    let challenge = "Bearer error=\"insufficient_scope\", scope=\"read\""
    refuseOnce(desk.authServer, Response(status: 401, headers: ["WWW-Authenticate": challenge], body: []))
    desk.authServer.answer("/oauth/token") { _ in InMemoryAuthServer.json(#"{"access_token":"granted-to-mine"}"#) }
    guard case .needsWiderScopes(let second, _) = try await desk.flow.finish(first, pasted: "code") else {
      Issue.record("not asked again")
      return
    }
    #expect(second.url.contains("scope=read&") && second.url.contains("client_id=mine"))
    #expect(desk.authServer.apps.isEmpty)
  }

  @Test func `a server that refuses read, too, is not asked a third time`() async throws {
    let desk = Desk()
    let refusal = InMemoryAuthServer.json(#"{"error":"out_of_scope_for_token"}"#, status: 403)
    desk.authServer.answer(Self.verification) { _ in refusal }
    let first = try await desk.flow.begin(desk.server)
    guard
      case .needsWiderScopes(let second, _) = try await desk.flow.finish(
        first, pasted: desk.authServer.code(on: first.url))
    else {
      Issue.record("not asked again")
      return
    }
    let error = LoginError.outOfScope(desk.server, reason: "out_of_scope_for_token")
    await #expect(throws: error) {
      try await desk.flow.finish(second, pasted: desk.authServer.code(on: second.url))
    }
    await #expect(throws: error) { try await desk.flow.adopt("a-ready-token", at: desk.server) }
    #expect(error.exitCode == .needsLogin)
    #expect(
      error.description
        == "cats.example wants a wider permission than the token has (out_of_scope_for_token): "
        + "run \"media login cats.example\" and allow \"read\", or give a token that has it with --token-stdin")
    #expect(desk.authServer.tokens.isEmpty)
  }

  @Test(
    arguments: [
      ("ann@evil.example", "ann@cats.example"), ("ann@cats.example@evil.example", "ann@cats.example"),
      ("@ann", "ann@cats.example"), ("ann", "ann@cats.example"),
    ])
  func `a server speaks for its own people alone`(said: String, handle: String) async throws {
    let desk = Desk()
    let page = try await desk.flow.begin(desk.server)
    desk.authServer.answer("/api/v1/accounts/verify_credentials") { _ in
      InMemoryAuthServer.json(#"{"acct":"\#(said)"}"#)
    }
    let account = try await desk.finished(page, desk.authServer.code(on: page.url))
    #expect(account.handle == handle)
    #expect(account.name == "ann")
  }

  @Test func `a server that knows only the second version of itself is one of them`() async throws {
    let authServer = InMemoryAuthServer([
      Self.discovery: { _ in InMemoryAuthServer.page(404) },
      "/api/v1/instance": { _ in InMemoryAuthServer.page(404) },
      "/api/v2/instance": { _ in InMemoryAuthServer.json(#"{"domain":"cats.example","version":"3.5 (Pixelfed 1)"}"#) },
    ])
    #expect(try await scope(authServer) == "read")
    authServer.answer("/api/v1/apps") { _ in InMemoryAuthServer.page(404) }
    await #expect(throws: LoginError.noRegistration(authServer.server)) {
      try await Desk(authServer).flow.begin(authServer.server)
    }
  }

  @Test func `scopes that no server has are not kept`() async throws {
    let desk = Desk()
    let page = try await desk.flow.begin(desk.server)
    let scopes = String(repeating: "read ", count: 5000) + String(repeating: "x", count: 5000)
    desk.authServer.answer("/oauth/token") { _ in InMemoryAuthServer.json(#"{"access_token":"t","scope":"\#(scopes)"}"#)
    }
    desk.authServer.answer("/api/v1/accounts/verify_credentials") { _ in InMemoryAuthServer.json(#"{"username":"ann"}"#)
    }
    #expect(try await desk.finished(page, "code").scopes == Array(repeating: "read", count: 100))
  }

  @Test func `a name that would move the cursor is kept harmless`() async throws {
    let desk = Desk()
    let page = try await desk.flow.begin(desk.server)
    desk.authServer.answer("/api/v1/accounts/verify_credentials") { _ in
      InMemoryAuthServer.json(#"{"acct":"ann","display_name":"A\u001b[2J\nn\u202en 👩‍🚀"}"#)
    }
    #expect(try await desk.finished(page, desk.authServer.code(on: page.url)).name == "A [2J n n 👩‍🚀")
  }
}
