import HTTP
import Posts
import Testing

@testable import Login
@testable import Services

@Suite struct `logins at Flickr` {
  private static let path = "/services/rest/"
  private let good = #"{"method":{"_content":"flickr.test.echo"},"stat":"ok"}"#

  private func logIn(_ desk: Desk) async throws -> Account {
    try await desk.flow.logInApp("the-key-of-an-app", clientSecret: Secret(""), at: desk.server, source: .flickr)
  }

  @Test func `a key that the server takes is kept as the app's token`() async throws {
    let answer = good
    let desk = Desk(InMemoryAuthServer([Self.path: { _ in InMemoryAuthServer.json(answer) }]))
    let account = try await logIn(desk)
    #expect((account.source, account.handle) == (.flickr, "app@cats.example"))
    #expect(account.token.reveal() == "the-key-of-an-app" && account.signingKeys == nil)
    let request = try #require(desk.authServer.requests.first)
    #expect(request.url == "https://cats.example/services/rest/?method=flickr.test.echo&format=json&nojsoncallback=1")
    #expect(request.tokenPlacement == .query(fields: ["api_key"]))
    #expect(
      try await desk.flow.adopt("the-key-of-an-app", at: desk.server, source: .flickr).handle == "app@cats.example")
    #expect(try desk.accounts.all().count == 1)
  }

  @Test func `a key that it does not take, and answers that are none, are reported`() async throws {
    let desk = Desk()
    let cases: [(Int, String, LoginError)] = [
      (200, #"{"stat":"fail","code":100,"message":"Invalid API Key"}"#, .keysRefused(desk.server)),
      (
        200, #"{"stat":"fail","code":"105","message":"Service currently unavailable"}"#,
        .serverFailed(desk.server, status: 503)
      ),
      (401, "no", .keysRefused(desk.server)), (200, "<html>", .unreadable(desk.server, what: "it is not JSON")),
      (200, "{}", .unreadable(desk.server, what: "it does not say whether the key is good")),
      (404, "", .notThisAPI(desk.server, kin: "servers of flickr")),
    ]
    for (status, body, error) in cases {
      desk.authServer.answer(Self.path) { _ in InMemoryAuthServer.json(body, status: status) }
      await #expect(throws: error) { try await logIn(desk) }
    }
    #expect(try desk.accounts.all().isEmpty)
    await #expect(throws: LoginError.needsKey(desk.server, .flickr)) {
      try await desk.flow.begin(desk.server, source: .flickr)
    }
  }

  private static let begin = "/services/oauth/request_token"
  private static let trade = "/services/oauth/access_token"

  private func begin(_ desk: Desk) async throws -> Authorization {
    try await desk.flow.begin(desk.server, source: .flickr, clientID: "mine", clientSecret: Secret("hush"))
  }

  private func desk(granting answer: String) -> Desk {
    Desk(
      InMemoryAuthServer([
        Self.begin: { _ in
          InMemoryAuthServer.json("oauth_callback_confirmed=true&oauth_token=page&oauth_token_secret=page-secret")
        },
        Self.trade: { _ in InMemoryAuthServer.json(answer) },
      ]))
  }

  @Test(
    arguments: [
      ("fullname=Ann%20Lee&username=ann_lee", "ann_lee@cats.example", "Ann Lee"),
      ("fullname=&username=Ann+Lee", "12345@N01@cats.example", "Ann Lee"), ("", "12345@N01@cats.example", "12345@N01"),
    ])
  func `the code of the page buys a token that signs`(said: String, handle: String, name: String) async throws {
    let desk = desk(granting: "oauth_token=9-t&oauth_token_secret=t-secret&user_nsid=12345%40N01&\(said)")
    let page = try await begin(desk)
    #expect(page.url == "https://cats.example/services/oauth/authorize?perms=read&oauth_token=page")
    let account = try await desk.finished(page, "123-456-789")
    #expect((account.handle, account.name, account.remoteID) == (handle, name, "12345@N01"))
    #expect(account.signingKeys?.tokenSecret == Secret("t-secret") && account.token.reveal() == "9-t")
    let fields = desk.authServer.requests.map { $0.headers["Authorization"] ?? "" }
    #expect(fields.count == 2 && fields[0].contains("oauth_callback=\"oob\""))
    #expect(fields[1].contains("oauth_verifier=\"123-456-789\"") && fields.allSatisfy { !$0.contains("hush") })
    let logout = try await desk.flow.logOut(account)
    #expect(logout == .notRevoked(reason: "an app's access ends in the account's settings alone"))
  }

  @Test func `wrong keys and codes are reported`() async throws {
    let desk = desk(granting: "oauth_token=a&oauth_token_secret=b&user_nsid=..%2Fx")
    let page = try await begin(desk)
    await #expect(throws: LoginError.unreadable(desk.server, what: "it does not say whose account it is")) {
      try await desk.flow.finish(page, pasted: "123-456-789")
    }
    desk.authServer.answer(Self.trade) { _ in InMemoryAuthServer.json("oauth_problem=verifier_invalid", status: 401) }
    await #expect(throws: LoginError.codeRefused(desk.server)) {
      try await desk.flow.finish(page, pasted: "123-456-789")
    }
    desk.authServer.answer(Self.begin) { _ in InMemoryAuthServer.json("oauth_problem=consumer_key_unknown", status: 401)
    }
    await #expect(throws: LoginError.keysRefused(desk.server)) { try await begin(desk) }
    #expect(try desk.accounts.all().isEmpty)
  }
}
