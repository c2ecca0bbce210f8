import Foundation
import HTTP
import Posts
import Synchronization
import Testing

@testable import Login
@testable import Services

/// What becomes of a token that was granted and then does not do.
@Suite struct `a granted token` {
  private static let verification = "/api/v1/accounts/verify_credentials"
  private static let long = "aT0ken/of+sixteen=and.more"

  private func text(_ text: String, status: Int, challenge: String? = nil) -> Response {
    let headers: Headers = challenge.map { ["WWW-Authenticate": $0] } ?? [:]
    return Response(status: status, headers: headers, body: Array(text.utf8))
  }

  /// Logs in at a server that answers the verification so; the error that ends it.
  private func failure(_ desk: Desk, _ answer: Response) async throws -> any Error {
    desk.authServer.answer(Self.verification) { _ in answer }
    let page = try await desk.flow.begin(desk.server)
    return try #require(
      await #expect(throws: (any Error).self) {
        try await desk.flow.finish(page, pasted: desk.authServer.code(on: page.url))
      })
  }

  @Test func `is given back whatever fails after it`() async throws {
    let answers = [
      InMemoryAuthServer.json("{}", status: 500), InMemoryAuthServer.page(200), InMemoryAuthServer.json(#"{"id":"1"}"#),
      InMemoryAuthServer.page(404),
      InMemoryAuthServer.json(#"{"error":"The access token is invalid"}"#, status: 401),
      text("", status: 401, challenge: "Bearer error=\"invalid_token\", scope=\"read\""),
    ]
    for answer in answers {
      let desk = Desk()
      let error = try await failure(desk, answer)
      #expect(error is LoginError)
      #expect(desk.authServer.tokens.isEmpty, "\(error)")
      #expect(try desk.accounts.all().isEmpty)
    }
  }

  @Test func `is given back where the file of accounts cannot take it`() async throws {
    let desk = Desk()
    let page = try await desk.flow.begin(desk.server)
    let file = "\(desk.folder)/accounts.json"
    desk.authServer.answer(Self.verification) { _ in
      try? "{".write(toFile: file, atomically: false, encoding: .utf8)
      return InMemoryAuthServer.json(#"{"username":"ann"}"#)
    }
    await #expect(throws: AccountsError.self) {
      try await desk.flow.finish(page, pasted: desk.authServer.code(on: page.url))
    }
    #expect(desk.authServer.tokens.isEmpty)
  }

  @Test func `that cannot be revoked is reported`() async throws {
    let desk = Desk()
    desk.authServer.answer("/oauth/revoke") { _ in InMemoryAuthServer.page(404) }
    let error = try await failure(desk, InMemoryAuthServer.json(#"{"id":"1"}"#)) as? any ExplainedError
    #expect(
      error?.summary
        == "the answer of cats.example cannot be read (it does not say whose account it is); the token that cats.example "
        + "granted may still be good (it answers with status 404)")
    #expect(error?.exitCode == .unreadable)

    desk.authServer.answer(Self.verification) { _ in
      InMemoryAuthServer.json(#"{"error":"insufficient_scope"}"#, status: 403)
    }
    let page = try await desk.flow.begin(desk.server)
    let outcome = try await desk.flow.finish(page, pasted: desk.authServer.code(on: page.url))
    guard case .needsWiderScopes(_, .notRevoked("it answers with status 404")) = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test(arguments: [400, 401, 403, 422])
  func `is too narrow by any of the statuses and in plain words, too`(status: Int) async throws {
    let desk = Desk()
    let answer = text("out_of_scope_for_token\n", status: status)
    desk.authServer.answer(Self.verification) { _ in answer }
    let page = try await desk.flow.begin(desk.server)
    let outcome = try await desk.flow.finish(page, pasted: desk.authServer.code(on: page.url))
    guard case .needsWiderScopes(let second, .revoked) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(second.scopes == ["read"])
  }

  @Test(
    arguments: [
      ("", "Bearer error=\"invalid_token\", scope=\"read\"", nil),
      ("Invalid Bearer token", nil, "Invalid Bearer token"),
      (#"{"error":"invalid_token","scope":"read"}"#, nil, "invalid_token"),
      ("", "Bearer realm=\"scope\", error=\"invalid_token\"", nil),
    ] as [(String, String?, String?)])
  func `that is refused as such asks for no wider scope, and the reason is shown`(
    body: String, challenge: String?, reason: String?
  ) async throws {
    let desk = Desk()
    let error = try await failure(desk, text(body, status: 401, challenge: challenge))
    #expect(error as? LoginError == .tokenRefused(desk.server, reason: reason))
    #expect(try desk.accounts.read().app(at: desk.server, source: .mastodon)?.scopes != ["read"])
  }

  @Test(arguments: ["/api/v2/search", "/api/v1/timelines/tag/media"])
  func `that verifies and is too narrow for a pull is asked for again with read, once`(path: String) async throws {
    let desk = Desk()
    let refusal = InMemoryAuthServer.json(#"{"error":"This action is outside the authorized scopes"}"#, status: 403)
    desk.authServer.answer(path) { _ in refusal }
    let page = try await desk.flow.begin(desk.server)
    let outcome = try await desk.flow.finish(page, pasted: desk.authServer.code(on: page.url))
    guard case .needsWiderScopes(let second, .revoked) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(second.scopes == ["read"] && desk.authServer.tokens.isEmpty)
    #expect(try await desk.finished(second, desk.authServer.code(on: second.url)).handle == "ann@cats.example")
    #expect(try await desk.flow.begin(desk.server).scopes == ["read"])
  }

  @Test func `that is too narrow for a pull is kept where the server knows no read`() async throws {
    let desk = Desk()
    desk.authServer.answer("/.well-known/oauth-authorization-server") { _ in
      InMemoryAuthServer.json(#"{"scopes_supported":["read:statuses","read:accounts"]}"#)
    }
    desk.authServer.answer("/api/v2/search") { _ in
      InMemoryAuthServer.json(#"{"error":"insufficient_scope"}"#, status: 403)
    }
    #expect(try await desk.logIn().handle == "ann@cats.example")
  }

  @Test(arguments: [long, "aT0ken&sol;of+sixteen=and.more", #"\u0061T0ken%252Fof+sixteen=and.more"#])
  func `is in no name that is kept and shown`(said: String) async throws {
    let desk = Desk()
    let token = Self.long
    desk.authServer.answer("/oauth/token") { _ in
      InMemoryAuthServer.json(#"{"access_token":"\#(token)","scope":"read"}"#)
    }
    desk.authServer.answer(Self.verification) { _ in
      InMemoryAuthServer.json(#"{"acct":"\#(said)","display_name":"Ann \#(said)"}"#)
    }
    let page = try await desk.flow.begin(desk.server)
    let account = try await desk.finished(page, "code")
    #expect(account.name == "Ann <secret>" && account.handle == "<secret>@cats.example")

    let server = Server("photos.example")!
    let photos = InMemoryAuthServer([
      "/oauth/access_token": { _ in
        InMemoryAuthServer.json(#"{"access_token":"\#(token)","user":{"username":"ann","full_name":"Ann \#(said)"}}"#)
      }
    ])
    let other = Desk(photos)
    let begun = try await other.flow.begin(
      server, source: .instagram, clientID: "mine", clientSecret: Secret("hush"))
    #expect(try await other.finished(begun, "code").name == "Ann <secret>")
  }
}
