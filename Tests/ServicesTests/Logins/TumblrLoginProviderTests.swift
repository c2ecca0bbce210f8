import HTTP
import Posts
import Testing

@testable import Login
@testable import Services

@Suite struct `logins of apps at Tumblr` {
  private static let path = "/v2/tagged"
  private let good = #"{"meta":{"status":200,"msg":"OK"},"response":[]}"#

  private func logIn(_ desk: Desk) async throws -> Account {
    try await desk.flow.logInApp("the-key-of-an-app", clientSecret: Secret(""), at: desk.server, source: .tumblr)
  }

  @Test func `a key that the server takes is kept as the app's token`() async throws {
    let answer = good
    let desk = Desk(InMemoryAuthServer([Self.path: { _ in InMemoryAuthServer.json(answer) }]))
    let account = try await logIn(desk)
    #expect((account.source, account.handle) == (.tumblr, "app@cats.example"))
    #expect(account.token.reveal() == "the-key-of-an-app" && account.refreshToken == nil)
    let request = try #require(desk.authServer.requests.first)
    #expect(request.url == "https://cats.example/v2/tagged?tag=tumblr&limit=1")
    #expect(request.tokenPlacement == .query(fields: ["api_key"]))
    let adopted = try await desk.flow.adopt("the-key-of-an-app", at: desk.server, source: .tumblr)
    #expect(adopted.handle == "app@cats.example")
    #expect(try desk.accounts.all().count == 1)
  }

  @Test func `a key that it does not take, and answers that are none, are reported`() async throws {
    let desk = Desk()
    let cases: [(Int, String, LoginError)] = [
      (401, #"{"meta":{"status":401}}"#, .keysRefused(desk.server)), (403, "no", .keysRefused(desk.server)),
      (200, "<html>", .unreadable(desk.server, what: "it is not JSON")),
      (200, "{}", .unreadable(desk.server, what: "it does not say whether the key is good")),
      (404, "", .notThisAPI(desk.server, kin: "servers of tumblr")),
    ]
    for (status, body, error) in cases {
      desk.authServer.answer(Self.path) { _ in InMemoryAuthServer.json(body, status: status) }
      await #expect(throws: error) { try await logIn(desk) }
    }
    #expect(try desk.accounts.all().isEmpty)
  }

  @Test func `people are told that a key is needed`() async throws {
    let desk = Desk()
    await #expect(throws: LoginError.needsKey(desk.server, .tumblr)) {
      try await desk.flow.begin(desk.server, source: .tumblr)
    }
    #expect(
      LoginError.needsKey(desk.server, .tumblr).description
        == "cats.example lets apps in with a key of their own: make an app in its settings and run \"media login "
        + "cats.example --source tumblr --client-id KEY\", or give the key with --token-stdin")
  }
}
