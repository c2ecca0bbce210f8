import HTTP
import Posts
import Testing

@testable import Login

@Suite struct `logins at X` {
  private static let trade = "/oauth2/token"
  private let granted = #"{"token_type":"bearer","access_token":"AAAA%2Fx"}"#

  private func logIn(_ desk: Desk, at server: Server? = nil) async throws -> Account {
    try await desk.flow.logInApp("k y", clientSecret: Secret("hush/1"), at: server ?? desk.server)
  }

  @Test func `a key and a secret buy the app's token, which is kept as it came`() async throws {
    let answer = granted
    let desk = Desk(OAuthHouse([Self.trade: { _ in OAuthHouse.json(answer) }]))
    let account = try await logIn(desk)
    #expect((account.source, account.handle, account.token.reveal()) == (.x, "app@cats.example", "AAAA%2Fx"))
    #expect(try desk.accounts.all() == [account])
    #expect(!desk.written.contains("hush"))
    let request = try #require(desk.house.requests.first)
    #expect(request.url == "https://cats.example/oauth2/token")
    #expect(request.tokenPlace == .basic)
    // "k%20y:hush%2F1"
    #expect(request.token?.reveal() == "ayUyMHk6aHVzaCUyRjE=")
    #expect(request.body == Array("grant_type=client_credentials".utf8))
    #expect(!"\(request)".contains("ayUy"))
  }

  @Test func `at X itself the host of its API is asked`() async throws {
    let answer = granted
    let desk = Desk(OAuthHouse([Self.trade: { _ in OAuthHouse.json(answer) }]))
    let x = try #require(Server.x)
    #expect(try await logIn(desk, at: x).handle == "app@x.com")
    #expect(desk.house.requests.map(\.url) == ["https://api.x.com/oauth2/token"])
  }

  @Test func `keys that are none, and answers that are none, are told so`() async throws {
    let desk = Desk()
    let unreadable = { (what: String) in LoginError.unreadable(desk.server, what: what) }
    let cases: [(Int, String, LoginError)] = [
      (403, #"{"errors":[{"code":99,"message":"Unable to verify your credentials"}]}"#, .keysRefused(desk.server)),
      (401, "", .keysRefused(desk.server)), (404, "<html>", .notOfService(desk.server, .x)),
      (503, "<html>", .serverFailed(desk.server, status: 503)), (429, "", .rateLimited(desk.server)),
      (200, "<html>", unreadable("it is not JSON")), (200, #"{"token_type":"mac"}"#, unreadable("it has no token")),
      (200, #"{"token_type":"bearer","access_token":"a\r\nb"}"#, unreadable("it has no token")),
    ]
    for (status, body, error) in cases {
      desk.house.answer(Self.trade) { _ in OAuthHouse.json(body, status: status) }
      await #expect(throws: error) { try await logIn(desk) }
    }
    #expect(try desk.accounts.all().isEmpty)
  }

  @Test func `a ready token is a person's, or an app's where X says that it is nobody's`() async throws {
    let desk = Desk()
    desk.house.answer("/2/users/me") { _ in OAuthHouse.json(#"{"data":{"id":"1","username":"ann","name":"Ann"}}"#) }
    #expect(try await desk.flow.adopt("AAAA", at: desk.server, source: .x).handle == "ann@cats.example")
    desk.house.answer("/2/users/me") { _ in OAuthHouse.json(#"{"title":"Unsupported Authentication"}"#, status: 403) }
    #expect(try await desk.flow.adopt("AAAA", at: desk.server, source: .x).handle == "app@cats.example")
    desk.house.answer("/2/users/me") { _ in OAuthHouse.page(404) }
    desk.house.answer("/1.1/account/verify_credentials.json") { _ in
      OAuthHouse.json(#"{"id":1,"screen_name":"bob","name":"Bob"}"#)
    }
    #expect(try await desk.flow.adopt("AAAA", at: desk.server, source: .x).name == "Bob")
    desk.house.answer("/2/users/me") { _ in OAuthHouse.json("{}", status: 401) }
    await #expect(throws: LoginError.tokenRefused(desk.server, reason: nil)) {
      try await desk.flow.adopt("AAAA", at: desk.server, source: .x)
    }
  }
}
