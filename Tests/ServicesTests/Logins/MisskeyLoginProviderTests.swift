import Foundation
import HTTP
import Posts
import Testing

@testable import Login
@testable import Services

@Suite struct `logins by MiAuth` {
  private static let granted =
    #"{"ok":true,"token":"miauth-token-1234567","user":{"id":"8a","username":"ann","name":"Ann of the Cats"}}"#

  /// Answers the check of a session from now on.
  private func answer(_ desk: Desk, session: String, _ body: String) {
    desk.authServer.answer("/api/miauth/\(session)/check") { _ in InMemoryAuthServer.json(body) }
  }

  /// A flow whose sessions are known beforehand.
  private func flow(_ desk: Desk) -> LoginFlow {
    LoginFlow(
      transport: desk.authServer.transport, accounts: desk.accounts, providers: .catalogue,
      time: .fixed(at: "2026-11-21T10:00:00Z"), random: { Array(repeating: 0xAB, count: $0) })
  }

  private let session = "abababab-abab-4bab-abab-abababababab"

  private func begun(_ desk: Desk) async throws -> Authorization {
    answer(desk, session: session, #"{"ok":false}"#)
    return try await flow(desk).begin(desk.server, source: .misskey)
  }

  @Test func `the page is named by a session, which buys a token once it is allowed`() async throws {
    let desk = Desk()
    let authorization = try await begun(desk)
    #expect(
      authorization.url
        == "https://cats.example/miauth/\(session)?name=media&permission=read%3Aaccount")
    #expect(authorization.isConfirmed && !authorization.leadsElsewhere)
    await #expect(throws: LoginError.notConfirmed(desk.server)) {
      try await flow(desk).finish(authorization, pasted: "")
    }
    #expect(try desk.accounts.all().isEmpty)
    answer(desk, session: session, Self.granted)
    // Another process ends what this one began.
    guard case .loggedIn(let account) = try await flow(desk).finish(flow(desk).resume(desk.server), pasted: "allowed")
    else {
      Issue.record("nobody was logged in")
      return
    }
    #expect((account.source, account.handle, account.name) == (.misskey, "ann@cats.example", "Ann of the Cats"))
    #expect((account.token.reveal(), account.scopes) == ("miauth-token-1234567", ["read:account"]))
    #expect(account.expires == nil && account.refreshToken == nil)
    #expect(try desk.accounts.read().apps.isEmpty && desk.accounts.read().pending.isEmpty)
    #expect(desk.authServer.requests.allSatisfy { $0.method == .post && $0.token == nil })
  }

  @Test(arguments: [
    ("[]", LoginError.unreadable(Server("cats.example")!, what: "it is not JSON")),
    ("{}", .unreadable(Server("cats.example")!, what: "it says neither yes nor no")),
    (#"{"ok":true}"#, .unreadable(Server("cats.example")!, what: "it has no token")),
    (#"{"ok":true,"token":"a b"}"#, .unreadable(Server("cats.example")!, what: "it has no token")),
  ])
  func `an answer that is none ends the login`(answer: String, error: LoginError) async throws {
    let desk = Desk()
    let authorization = try await begun(desk)
    self.answer(desk, session: session, answer)
    await #expect(throws: error) { try await flow(desk).finish(authorization, pasted: "") }
    #expect(try desk.accounts.all().isEmpty)
  }

  @Test func `a server that knows no sessions is told before a page is opened`() async throws {
    let desk = Desk()
    await #expect(throws: LoginError.notThisAPI(desk.server, kin: "Misskey and its kin")) {
      try await flow(desk).begin(desk.server, source: .misskey)
    }
    #expect(try desk.accounts.read().pending.isEmpty)
  }

  @Test func `a ready token is verified, and one without the permission is told`() async throws {
    let desk = Desk()
    desk.authServer.answer("/api/i") { request in
      switch request.token?.reveal() {
      case "good": InMemoryAuthServer.json(#"{"id":"8a","username":"ann","name":null}"#)
      case "narrow":
        InMemoryAuthServer.json(#"{"error":{"code":"PERMISSION_DENIED","message":"not yours"}}"#, status: 403)
      default: InMemoryAuthServer.json(#"{"error":{"code":"AUTHENTICATION_FAILED","message":"bad"}}"#, status: 401)
      }
    }
    let account = try await desk.flow.adopt("good", at: desk.server, source: .misskey)
    #expect((account.handle, account.name) == ("ann@cats.example", "ann"))
    await #expect(throws: LoginError.outOfScope(desk.server, reason: "not yours")) {
      try await desk.flow.adopt("narrow", at: desk.server, source: .misskey)
    }
    await #expect(throws: LoginError.tokenRefused(desk.server, reason: "bad")) {
      try await desk.flow.adopt("unknown", at: desk.server, source: .misskey)
    }
  }

  @Test func `a name that repeats the token is not kept`() async throws {
    let desk = Desk()
    let authorization = try await begun(desk)
    answer(
      desk, session: session,
      #"{"ok":true,"token":"miauth-token-1234567","user":{"username":"ann","name":"x miauth-token-1234567"}}"#)
    guard case .loggedIn(let account) = try await flow(desk).finish(authorization, pasted: "") else {
      Issue.record("nobody was logged in")
      return
    }
    #expect(account.name == "x <secret>")
  }
}
