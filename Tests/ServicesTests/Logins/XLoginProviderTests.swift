import HTTP
import Posts
import Testing

@testable import Login
@testable import Services

@Suite struct `logins at X` {
  private static let trade = "/oauth2/token"
  private let granted = #"{"token_type":"bearer","access_token":"AAAA%2Fx"}"#

  private func logIn(_ desk: Desk, at server: Server? = nil) async throws -> Account {
    try await desk.flow.logInApp("k y", clientSecret: Secret("hush/1"), at: server ?? desk.server, source: .x)
  }

  @Test func `a key and a secret buy the app's token, which is kept as it came`() async throws {
    let answer = granted
    let desk = Desk(InMemoryAuthServer([Self.trade: { _ in InMemoryAuthServer.json(answer) }]))
    let account = try await logIn(desk)
    #expect((account.source, account.handle, account.token.reveal()) == (.x, "app@cats.example", "AAAA%2Fx"))
    #expect(try desk.accounts.all() == [account])
    #expect(!desk.written.contains("hush"))
    let request = try #require(desk.authServer.requests.first)
    #expect(request.url == "https://cats.example/oauth2/token")
    #expect(request.tokenPlacement == .basic)
    // "k%20y:hush%2F1"
    #expect(request.token?.reveal() == "ayUyMHk6aHVzaCUyRjE=")
    #expect(request.body == Array("grant_type=client_credentials".utf8))
    #expect(!"\(request)".contains("ayUy"))
  }

  @Test func `at X itself the host of its API is asked`() async throws {
    let answer = granted
    let desk = Desk(InMemoryAuthServer([Self.trade: { _ in InMemoryAuthServer.json(answer) }]))
    let x = try #require(Server.x)
    #expect(try await logIn(desk, at: x).handle == "app@x.com")
    #expect(desk.authServer.requests.map(\.url) == ["https://api.x.com/oauth2/token"])
  }

  @Test func `wrong keys and wrong answers are reported`() async throws {
    let desk = Desk()
    let unreadable = { (what: String) in LoginError.unreadable(desk.server, what: what) }
    let cases: [(Int, String, LoginError)] = [
      (403, #"{"errors":[{"code":99,"message":"Unable to verify your credentials"}]}"#, .keysRefused(desk.server)),
      (401, "", .keysRefused(desk.server)), (404, "<html>", .notThisAPI(desk.server, kin: "servers of x")),
      (503, "<html>", .serverFailed(desk.server, status: 503)), (429, "", .rateLimited(desk.server)),
      (200, "<html>", unreadable("it is not JSON")), (200, #"{"token_type":"mac"}"#, unreadable("it has no token")),
      (200, #"{"token_type":"bearer","access_token":"a\r\nb"}"#, unreadable("it has no token")),
    ]
    for (status, body, error) in cases {
      desk.authServer.answer(Self.trade) { _ in InMemoryAuthServer.json(body, status: status) }
      await #expect(throws: error) { try await logIn(desk) }
    }
    #expect(try desk.accounts.all().isEmpty)
  }

  @Test func `a ready token is a person's, or an app's where X says that it is nobody's`() async throws {
    let desk = Desk()
    desk.authServer.answer("/2/users/me") { _ in
      InMemoryAuthServer.json(#"{"data":{"id":"1","username":"ann","name":"Ann"}}"#)
    }
    #expect(try await desk.flow.adopt("AAAA", at: desk.server, source: .x).handle == "ann@cats.example")
    desk.authServer.answer("/2/users/me") { _ in
      InMemoryAuthServer.json(#"{"title":"Unsupported Authentication"}"#, status: 403)
    }
    #expect(try await desk.flow.adopt("AAAA", at: desk.server, source: .x).handle == "app@cats.example")
    desk.authServer.answer("/2/users/me") { _ in InMemoryAuthServer.page(404) }
    desk.authServer.answer("/1.1/account/verify_credentials.json") { _ in
      InMemoryAuthServer.json(#"{"id":1,"screen_name":"bob","name":"Bob"}"#)
    }
    #expect(try await desk.flow.adopt("AAAA", at: desk.server, source: .x).name == "Bob")
    desk.authServer.answer("/2/users/me") { _ in InMemoryAuthServer.json("{}", status: 401) }
    await #expect(throws: LoginError.tokenRefused(desk.server, reason: nil)) {
      try await desk.flow.adopt("AAAA", at: desk.server, source: .x)
    }
  }
}

@Suite struct `logins at X by PIN` {
  private static let begin = "/oauth/request_token"
  private static let trade = "/oauth/access_token"

  private func begin(_ desk: Desk) async throws -> Authorization {
    try await desk.flow.begin(desk.server, source: .x, clientID: "mine", clientSecret: Secret("hush"))
  }

  private func desk() -> Desk {
    Desk(
      InMemoryAuthServer([
        Self.begin: { _ in InMemoryAuthServer.json("oauth_token=page&oauth_token_secret=page-secret") },
        Self.trade: { _ in
          InMemoryAuthServer.json("oauth_token=9-t&oauth_token_secret=t-secret&user_id=9&screen_name=ann")
        },
      ]))
  }

  @Test func `the PIN buys a token that signs, and no secret is sent`() async throws {
    let desk = desk()
    let page = try await begin(desk)
    #expect(page.url == "https://cats.example/oauth/authorize?oauth_token=page")
    let account = try await desk.finished(page, " 765 4321 \n")
    #expect((account.source, account.handle, account.token.reveal()) == (.x, "ann@cats.example", "9-t"))
    #expect(account.signingKeys?.tokenSecret == Secret("t-secret"))
    let fields = desk.authServer.requests.map { $0.headers["Authorization"] ?? "" }
    #expect(fields.count == 2)
    #expect(fields[0].contains("oauth_callback=\"oob\"") && !fields[0].contains("oauth_token="))
    #expect(fields[1].contains("oauth_token=\"page\"") && fields[1].contains("oauth_verifier=\"7654321\""))
    #expect(fields.allSatisfy { !$0.contains("hush") && !$0.contains("secret") })
    // The keys are kept for the next time, the login is not.
    #expect(try await desk.flow.begin(desk.server, source: .x).url == page.url)
    #expect(try desk.accounts.all() == [account])
  }

  @Test func `wrong keys, PINs and answers are reported`() async throws {
    let desk = desk()
    let page = try await begin(desk)
    let server = desk.server
    let unreadable = { LoginError.unreadable(server, what: $0) }
    let answers: [(Int, String, LoginError)] = [
      (401, "", .codeRefused(server)), (403, "", .codeRefused(server)),
      (404, "", .notThisAPI(server, kin: "servers of x")),
      (500, "", .serverFailed(server, status: 500)), (200, "<html>", unreadable("it has no token")),
      (200, "oauth_token=a&oauth_token_secret=b", unreadable("it does not say whose account it is")),
      (200, "oauth_token=a%0D%0A&oauth_token_secret=b&screen_name=ann", unreadable("it has no token")),
    ]
    for (status, body, error) in answers {
      desk.authServer.answer(Self.trade) { _ in InMemoryAuthServer.json(body, status: status) }
      await #expect(throws: error) { try await desk.flow.finish(page, pasted: "7654321") }
    }
    desk.authServer.answer(Self.begin) { _ in InMemoryAuthServer.json("{}", status: 401) }
    await #expect(throws: LoginError.keysRefused(server)) { try await begin(desk) }
    #expect(try desk.accounts.all().isEmpty)
  }

  @Test func `a token is given back, signed`() async throws {
    let desk = desk()
    let account = try await desk.finished(try await begin(desk), "7654321")
    desk.authServer.answer("/1.1/oauth/invalidate_token") { _ in InMemoryAuthServer.json("{}") }
    #expect(try await desk.flow.logOut(account) == .revoked)
    #expect(desk.authServer.requests.last?.headers["Authorization"]?.contains("oauth_token=\"9-t\"") == true)
    #expect(try desk.accounts.all().isEmpty)
  }
}
