import Foundation
import HTTP
import Login
import Posts
import Services
import Testing

/// A login by name and password at servers of Lemmy and PieFed.
struct LemmyLoginProviderTests {
  private static let jwt = #"{"jwt":"hush-hush-jwt","registration_created":false}"#
  private static let person = #"{"local_user_view":{"person":{"name":"ann","display_name":"Ann"}}}"#

  /// The paths of each API: login, owner, logout, and how the owner is told.
  struct Paths: Sendable, CustomTestStringConvertible {
    let login, owner, logout, told: String
    var testDescription: String { login }

    static let all = [
      Paths(
        login: "/api/v4/account/auth/login", owner: "/api/v4/account", logout: "/api/v4/account/auth/logout",
        told: person),
      Paths(
        login: "/api/v3/user/login", owner: "/api/v3/site", logout: "/api/v3/user/logout",
        told: #"{"site_view":{},"my_user":\#(person)}"#),
      Paths(
        login: "/api/alpha/user/login", owner: "/api/alpha/site", logout: "/api/alpha/user/logout",
        told: #"{"site":{},"my_user":\#(person.replacing("\"name\"", with: "\"user_name\""))}"#),
    ]
  }

  private static func refused(_ word: String, status: Int = 400, in member: String = "error") -> Response {
    InMemoryAuthServer.json(#"{"\#(member)":"\#(word)"}"#, status: status)
  }

  private func logIn(_ desk: Desk, code: String? = nil) async throws -> Account {
    try await desk.flow.logIn(
      " @ann ", password: Secret("correct horse"), code: code.map { Secret($0) }, at: desk.server, source: .lemmy)
  }

  @Test(arguments: Paths.all)
  func `whichever API the server has, the owner is stored and the password is not`(paths: Paths) async throws {
    let desk = Desk(
      InMemoryAuthServer([
        paths.login: { _ in InMemoryAuthServer.json(Self.jwt) },
        paths.owner: { _ in InMemoryAuthServer.json(paths.told) }, paths.logout: { _ in Response(status: 200) },
      ]))
    let account = try await logIn(desk)
    #expect((account.handle, account.token.reveal()) == ("ann@cats.example", "hush-hush-jwt"))
    #expect(account.expires == nil)
    #expect(try desk.accounts.all() == [account] && !desk.written.contains("horse"))
    let sent = try #require(desk.authServer.requests.first { $0.url.hasSuffix(paths.login) }?.body)
    let fields = try #require(try JSONSerialization.jsonObject(with: Data(sent)) as? [String: Any])
    let isPieFed = paths.login.contains("alpha")
    #expect(fields["password"] as? String == "correct horse")
    #expect(fields[isPieFed ? "username" : "username_or_email"] as? String == "ann")
    #expect(fields.count == (isPieFed ? 2 : 3))
    #expect(desk.authServer.requests.allSatisfy { !$0.url.contains("horse") })
    #expect(try await desk.flow.check(account))
    #expect(try await desk.flow.logOut(account) == .revoked)
  }

  @Test func `the code of an app is asked for, and sent beside the password`() async throws {
    let desk = Desk(
      InMemoryAuthServer([
        "/api/v3/user/login": { request in
          let body = String(decoding: request.body ?? [], as: UTF8.self)
          if body.contains("\"123456\"") { return InMemoryAuthServer.json(Self.jwt) }
          return Self.refused(body.contains("totp_2fa_token") ? "incorrect_totp_token" : "missing_totp_token")
        },
        "/api/v3/site": { _ in InMemoryAuthServer.json(Paths.all[1].told) },
      ]))
    await #expect(throws: LoginError.codeWanted(desk.server)) { try await logIn(desk) }
    await #expect(throws: LoginError.codeRefused(desk.server)) { try await logIn(desk, code: "000000") }
    #expect(try desk.accounts.all().isEmpty)
    #expect(try await logIn(desk, code: "123456").handle == "ann@cats.example")
  }

  @Test(arguments: [
    (refused("incorrect_login", status: 401), "refused the name or the password"),
    (refused("couldnt_find_person"), "refused the name or the password"),
    (refused("incorrect_login", in: "message"), "refused the name or the password"),
    (refused("rate_limit_error"), "takes no more requests"),
    (refused("email_not_verified"), "it says: email_not_verified"), (refused("no correct horse"), "status 400"),
    (InMemoryAuthServer.json("{}"), "it has no token"), (InMemoryAuthServer.page(502), "fails (status 502)"),
  ])
  func `a refusal is told without the password`(answer: Response, said: String) async throws {
    let desk = Desk(InMemoryAuthServer(["/api/v4/account/auth/login": { _ in answer }]))
    let error = await #expect(throws: LoginError.self) { try await logIn(desk) }
    #expect(error?.description.contains(said) == true, "\(String(describing: error))")
    #expect(error?.description.contains("horse") == false)
    #expect(desk.authServer.requests.count == 1)
    #expect(try desk.accounts.all().isEmpty)
  }

  @Test func `a server without these APIs is told`() async throws {
    let desk = Desk(InMemoryAuthServer([:]))
    let error = await #expect(throws: LoginError.self) { try await logIn(desk) }
    #expect(error?.summary == "cats.example does not answer as servers of Lemmy or PieFed do")
  }

  @Test(arguments: [#"{"site_view":{}}"#, #"{"site_view":{},"my_user":null}"#, #"{"site":{},"my_user":null}"#])
  func `a token that the server takes for nobody's is refused`(answer: String) async throws {
    let desk = Desk(InMemoryAuthServer(["/api/v3/site": { _ in InMemoryAuthServer.json(answer) }]))
    await #expect(throws: LoginError.tokenRefused(desk.server, reason: nil)) {
      try await desk.flow.adopt("hush-hush-jwt", at: desk.server, source: .lemmy)
    }
  }
}
