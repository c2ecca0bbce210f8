import Foundation
import HTTP
import Posts
import Synchronization
import Testing

@testable import Login
@testable import Services

/// Tokens that expire, and their replacements.
struct RenewalTests {
  private static let made = Date(timeIntervalSince1970: 1_795_000_000)

  private func account(_ desk: Desk, life: TimeInterval? = 1000, api: String? = nil, refresh: String? = "r1") -> Account
  {
    Account(
      source: api == nil ? .mastodon : .instagram, server: desk.server, handle: "ann@cats.example", name: "Ann",
      token: Secret("t1"), scopes: ["read"], created: Self.made, expires: life.map(Self.made.addingTimeInterval),
      refreshToken: refresh.map { Secret($0) }, clientID: "mine", clientSecret: Secret("hush"), api: api)
  }

  /// A server that exchanges each refresh token once.
  private func authServer(_ spent: Spent = Spent()) -> InMemoryAuthServer {
    InMemoryAuthServer([
      "/oauth/token": { request in
        let form = InMemoryAuthServer.fields(String(decoding: request.body ?? [], as: UTF8.self))
        guard spent.spend(form["refresh_token"] ?? "") else {
          return InMemoryAuthServer.json(#"{"error":"invalid_grant","error_description":"It was used"}"#, status: 400)
        }
        return InMemoryAuthServer.json(#"{"access_token":"t2","refresh_token":"r2","expires_in":1000,"scope":"read"}"#)
      }
    ])
  }

  private func trades(_ desk: Desk) -> Int { desk.authServer.requests.count { $0.url.hasSuffix("/oauth/token") } }

  @Test func `a token is renewed in the last tenth of its life, and written`() async throws {
    let desk = Desk(authServer())
    let first = account(desk)
    try desk.accounts.keep(first)
    desk.wait(899)
    #expect(try await desk.flow.fresh(first) == first)
    #expect(trades(desk) == 0)
    desk.wait(1)
    let second = try await desk.flow.fresh(first)
    #expect((second.token.reveal(), second.refreshToken?.reveal()) == ("t2", "r2"))
    #expect((second.created, second.renewed) == (Self.made, Self.made.addingTimeInterval(900)))
    #expect(second.expires == Self.made.addingTimeInterval(1900))
    #expect(try desk.accounts.all() == [second])
    desk.wait(899)
    #expect(try await desk.flow.fresh(second) == second)
    // Who still holds the old one gets what another has bought.
    #expect(try await desk.flow.fresh(first) == second)
    #expect(trades(desk) == 1)
  }

  @Test func `a token that does not expire, or has no refresh token, is left alone`() async throws {
    let desk = Desk(authServer())
    desk.wait(5000)
    for kept in [account(desk, life: nil), account(desk, refresh: nil)] {
      try desk.accounts.keep(kept)
      #expect(try await desk.flow.fresh(kept) == kept)
    }
    #expect(desk.authServer.requests.isEmpty)
  }

  @Test func `of many at once one buys, and all get the same`() async throws {
    let desk = Desk(authServer())
    let old = account(desk)
    try desk.accounts.keep(old)
    desk.wait(950)
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 { group.addTask { try await desk.flow.fresh(old).token.reveal() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(tokens == Array(repeating: "t2", count: 8))
    #expect(trades(desk) == 1)
  }

  @Test func `a refused one asks for a login; a server that fails costs nothing`() async throws {
    let desk = Desk(authServer(Spent(["r1"])))
    let old = account(desk)
    try desk.accounts.keep(old)
    desk.wait(950)
    await #expect(throws: LoginError.tokenRefused(desk.server, reason: "It was used")) {
      try await desk.flow.fresh(old)
    }
    for status in [500, 503, 404] {
      desk.authServer.answer("/oauth/token") { _ in InMemoryAuthServer.page(status) }
      #expect(try await desk.flow.fresh(old) == old)
    }
    desk.authServer.answer("/oauth/token") { _ throws(TransportError) in throw .timedOut(host: "cats.example") }
    #expect(try await desk.flow.fresh(old) == old)
    #expect(try desk.accounts.all() == [old])
  }

  @Test func `a folder that cannot be written is found out before the token is spent`() async throws {
    let desk = Desk(authServer())
    let old = account(desk)
    try desk.accounts.keep(old)
    // A folder at the temporary file's path can be neither removed nor replaced.
    let aside = "\(desk.folder)/.accounts.json.new"
    try FileManager.default.createDirectory(atPath: aside, withIntermediateDirectories: true)
    desk.wait(950)
    await #expect(throws: AccountsError.self) { try await desk.flow.fresh(old) }
    #expect(trades(desk) == 0)
  }

  @Test func `a token of the Graph API buys the next one itself`() async throws {
    let path = "/v25.0/oauth/access_token"
    let desk = Desk(
      InMemoryAuthServer([path: { _ in InMemoryAuthServer.json(#"{"access_token":"t2","expires_in":5184000}"#) }]))
    let old = account(desk, api: "graph", refresh: nil)
    try desk.accounts.keep(old)
    desk.wait(950)
    #expect(try await desk.flow.fresh(old).token.reveal() == "t2")
    let form = InMemoryAuthServer.fields(String(decoding: desk.authServer.requests.last?.body ?? [], as: UTF8.self))
    #expect((form["grant_type"], form["fb_exchange_token"]) == ("fb_exchange_token", "t1"))
    desk.authServer.answer(path) { _ in
      InMemoryAuthServer.json(#"{"error":{"code":190,"message":"over"}}"#, status: 400)
    }
    desk.wait(5_180_000)
    await #expect(throws: LoginError.tokenRefused(desk.server, reason: nil)) {
      try await desk.flow.fresh(try desk.accounts.choose())
    }
  }
}

/// Which refresh tokens were used.
private final class Spent: Sendable {
  private let tokens: Mutex<Set<String>>
  init(_ tokens: Set<String> = []) { self.tokens = Mutex(tokens) }
  func spend(_ token: String) -> Bool { tokens.withLock { $0.insert(token).inserted } }
}
