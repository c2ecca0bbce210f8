import Foundation
import HTTP
import Login
import Posts
import Services
import Synchronization
import Testing

/// A login by handle and app password.
struct BlueskyLoginProviderTests {
  private static let create = "/xrpc/com.atproto.server.createSession"
  private static let refresh = "/xrpc/com.atproto.server.refreshSession"
  private static let resolve = "/xrpc/com.atproto.identity.resolveHandle"
  private static let did = "did:plc:aaaaaaaaaaaaaaaaaaaaaaaa"

  /// A JSON Web Token that is valid for a time.
  private static func token(_ name: String, life: Int) -> String {
    let claims = #"{"sub":"\#(name)","iat":1795000000,"exp":\#(1_795_000_000 + life)}"#
    return "e30.\(base64URL(Array(claims.utf8))).c2ln"
  }

  private static func session(_ number: Int, did: String = did) -> String {
    """
    {"accessJwt":"\(token("access\(number)", life: 7200))","refreshJwt":"\(token("refresh\(number)", life: 5_184_000))",
    "handle":"robin.birds.example","did":"\(did)","active":true}
    """
  }

  private static func refused(_ name: String, status: Int = 401) -> Response {
    InMemoryAuthServer.json(#"{"error":"\#(name)","message":"no"}"#, status: status)
  }

  private func logIn(
    _ desk: Desk, _ name: String = "@robin.birds.example", password: String = "abcd-efgh-ijkl-mnop",
    code: String? = nil
  ) async throws -> Account {
    try await desk.flow.logIn(
      name, password: Secret(password), code: code.map { Secret($0) }, at: desk.server, source: .bluesky)
  }

  private func sent(_ desk: Desk) throws -> [String: String] {
    let request = try #require(desk.authServer.requests.first)
    return try JSONDecoder().decode([String: String].self, from: Data(request.body ?? []))
  }

  @Test func `an account is stored with both tokens, and the password is nowhere`() async throws {
    let desk = Desk(InMemoryAuthServer([Self.create: { _ in InMemoryAuthServer.json(Self.session(1)) }]))
    let account = try await logIn(desk)
    #expect(account.handle == "robin.birds.example")
    #expect(account.remoteID == Self.did)
    #expect(account.refreshToken?.reveal() == Self.token("refresh1", life: 5_184_000))
    #expect(account.expires == account.created.addingTimeInterval(7200))
    #expect(try desk.accounts.all() == [account])
    #expect(!desk.written.contains("abcd"))
    #expect(try sent(desk) == ["identifier": "robin.birds.example", "password": "abcd-efgh-ijkl-mnop"])
    #expect(desk.authServer.requests.count == 1)
    #expect(!desk.authServer.requests[0].url.contains("abcd"))
  }

  @Test func `a code that came by mail is sent beside the password`() async throws {
    let desk = Desk(
      InMemoryAuthServer([
        Self.create: { request in
          let body = String(decoding: request.body ?? [], as: UTF8.self)
          if body.contains("ABCDE-12345") { return InMemoryAuthServer.json(Self.session(1)) }
          return Self.refused(body.contains("authFactorToken") ? "InvalidToken" : "AuthFactorTokenRequired")
        }
      ]))
    await #expect(throws: LoginError.codeWanted(desk.server)) { try await logIn(desk) }
    await #expect(throws: LoginError.codeRefused(desk.server)) { try await logIn(desk, code: "wrong") }
    #expect(try desk.accounts.all().isEmpty)
    #expect(try await logIn(desk, code: "ABCDE-12345").handle == "robin.birds.example")
  }

  @Test func `a wrong password is told without it`() async throws {
    let desk = Desk(InMemoryAuthServer([Self.create: { _ in Self.refused("AuthenticationRequired") }]))
    let error = await #expect(throws: LoginError.self) { try await logIn(desk) }
    #expect(error == .passwordRefused(desk.server))
    #expect(error?.exitCode == .needsLogin)
    #expect(error?.cure == "run \"media login cats.example\" again")
  }

  @Test(arguments: [
    ("https://pds.example", "https://pds.example" as String?), ("https://pds.example/xrpc?x", "https://pds.example"),
    ("http://pds.example", nil), ("https://cats.example", nil), ("pds.example", nil), ("", nil),
  ])
  func `an account that another server has is told where it is`(endpoint: String, home: String?) async throws {
    let document = """
      {"id":"\(Self.did)","service":[{"id":"#other","serviceEndpoint":"https://no.example"},
      {"id":"#atproto_pds","serviceEndpoint":"\(endpoint)"}]}
      """
    let desk = Desk(
      InMemoryAuthServer([
        Self.create: { _ in Self.refused("AuthenticationRequired") },
        Self.resolve: { _ in InMemoryAuthServer.json(#"{"did":"\#(Self.did)"}"#) },
        "/\(Self.did)": { _ in InMemoryAuthServer.json(document) },
      ]))
    let error = await #expect(throws: LoginError.self) { try await logIn(desk) }
    if let home {
      #expect(error == .livesElsewhere(desk.server, .bluesky, at: try #require(Server(home))))
      #expect(error?.cure == "run \"media login pds.example --source bluesky\"")
    } else {
      #expect(error == .passwordRefused(desk.server))
    }
    // The password goes to the server that was named, once. What looks for another may not enter the private network.
    let others = desk.authServer.requests.dropFirst()
    #expect(others.map(\.url).last == "https://plc.directory/\(Self.did)")
    #expect(others.allSatisfy { $0.body == nil && $0.referrer == "https://cats.example" })
  }

  @Test func `a handle that its host alone knows leads to its document`() async throws {
    let document = """
      {"id":"did:web:robin.birds.example","service":[
      {"id":"did:web:robin.birds.example#atproto_pds","serviceEndpoint":"https://pds.example"}]}
      """
    let desk = Desk(
      InMemoryAuthServer([
        Self.create: { _ in Self.refused("AuthenticationRequired") },
        "/.well-known/atproto-did": { _ in InMemoryAuthServer.json(" did:web:robin.birds.example\n") },
        "/.well-known/did.json": { _ in InMemoryAuthServer.json(document) },
      ]))
    let error = await #expect(throws: LoginError.self) { try await logIn(desk) }
    #expect(error == .livesElsewhere(desk.server, .bluesky, at: try #require(Server("pds.example"))))
  }

  @Test func `an address of mail is not looked for`() async throws {
    let desk = Desk(InMemoryAuthServer([Self.create: { _ in Self.refused("AuthenticationRequired") }]))
    await #expect(throws: LoginError.passwordRefused(desk.server)) { try await logIn(desk, "robin@birds.example") }
    #expect(desk.authServer.requests.count == 1)
  }

  @Test(arguments: ["{}", #"{"accessJwt":"a.b.c"}"#, #"{"did":"did:plc:aaaaaaaaaaaaaaaaaaaaaaaa"}"#, "<html>", "[]"])
  func `a login without token or owner is none`(body: String) async throws {
    let desk = Desk(InMemoryAuthServer([Self.create: { _ in InMemoryAuthServer.json(body) }]))
    let error = await #expect(throws: LoginError.self) { try await logIn(desk) }
    #expect(error?.exitCode == .unreadable)
    #expect(try desk.accounts.all().isEmpty)
  }

  @Test func `no page begins a login, and no other source takes a password`() async throws {
    let desk = Desk()
    await #expect(throws: LoginError.needsPassword(desk.server)) {
      try await desk.flow.begin(desk.server, source: .bluesky)
    }
    await #expect(throws: LoginError.noLogins(desk.server)) {
      try await desk.flow.logIn("ann", password: Secret("x"), at: desk.server, source: .mastodon)
    }
    #expect(desk.authServer.requests.isEmpty)
  }

  // MARK: Renewal

  /// A desk whose login is about to end, at a server that renews each login once.
  private func due(_ answer: @escaping @Sendable (String) -> Response) async throws -> (Desk, Account) {
    let desk = Desk(
      InMemoryAuthServer([
        Self.create: { _ in InMemoryAuthServer.json(Self.session(1)) },
        Self.refresh: { request in answer(request.token?.reveal() ?? "") },
      ]))
    let account = try await logIn(desk)
    desk.wait(7000)
    return (desk, account)
  }

  @Test func `a login is renewed once, however many want it, and both tokens change`() async throws {
    let spent = Mutex<Set<String>>([])
    let (desk, account) = try await due { token in
      guard spent.withLock({ $0.insert(token).inserted }) else { return Self.refused("ExpiredToken", status: 400) }
      return InMemoryAuthServer.json(Self.session(2))
    }
    let tokens = try await withThrowingTaskGroup(of: Account.self) { group in
      for _ in 0..<8 { group.addTask { try await desk.flow.fresh(account) } }
      return try await group.reduce(into: Set<String>()) {
        $0.insert($1.token.reveal() + ($1.refreshToken?.reveal() ?? ""))
      }
    }
    #expect(tokens == [Self.token("access2", life: 7200) + Self.token("refresh2", life: 5_184_000)])
    #expect(spent.withLock { $0 } == [Self.token("refresh1", life: 5_184_000)])
    #expect(desk.authServer.requests.count { $0.url.hasSuffix(Self.create) } == 1)
  }

  @Test(arguments: [(400, "ExpiredToken"), (400, "InvalidToken"), (401, "AccountTakedown")])
  func `a login that ended sends people to log in again`(status: Int, name: String) async throws {
    let (desk, account) = try await due { _ in Self.refused(name, status: status) }
    await #expect(throws: LoginError.tokenRefused(desk.server, reason: "no")) { try await desk.flow.fresh(account) }
  }

  @Test func `a renewal of another account, or a server that fails, changes nothing`() async throws {
    for answer in [
      InMemoryAuthServer.json(Self.session(2, did: "did:plc:bbbbbbbbbbbbbbbbbbbbbbbb")), InMemoryAuthServer.page(502),
    ] {
      let (desk, account) = try await due { _ in answer }
      #expect(try await desk.flow.fresh(account) == account)
      #expect(try desk.accounts.all() == [account])
    }
  }

  @Test func `logging out ends the login by the token for renewal`() async throws {
    let desk = Desk(
      InMemoryAuthServer([
        Self.create: { _ in InMemoryAuthServer.json(Self.session(1)) },
        "/xrpc/com.atproto.server.deleteSession": { request in
          request.token?.reveal() == Self.token("refresh1", life: 5_184_000)
            ? Response(status: 200) : Response(status: 401)
        },
      ]))
    #expect(try await desk.flow.logOut(try await logIn(desk)) == .revoked)
    #expect(try desk.accounts.all().isEmpty)
  }
}
