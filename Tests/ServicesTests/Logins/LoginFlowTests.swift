import Foundation
import HTTP
import Posts
import Testing

@testable import Login
@testable import Services

@Suite struct `a login by pasted code` {
  @Test func `ends with an account whose token the server takes`() async throws {
    let desk = Desk()
    let page = try await desk.flow.begin(desk.server)
    let account = try await desk.finished(page, "  \(desk.authServer.code(on: page.url))\n")
    #expect(account.handle == "ann@cats.example")
    #expect(account.name == "Ann of the Cats")
    #expect(account.scopes == ["read:statuses", "read:accounts"])
    #expect(account.expires == nil)
    #expect(desk.authServer.tokens == [account.token.reveal()])
    #expect(try desk.accounts.all() == [account])
  }

  @Test func `the page asks for little, in words that a browser can open`() async throws {
    let page = try await Desk().flow.begin(Server("cats.example")!).url
    let query = InMemoryAuthServer.fields(page.components(separatedBy: "?")[1])
    #expect(page.hasPrefix("https://cats.example/oauth/authorize?response_type=code&client_id=app-1&"))
    #expect(query["redirect_uri"] == "urn:ietf:wg:oauth:2.0:oob")
    #expect(query["scope"] == "read:statuses read:accounts read:search")
    #expect(query["state"]?.count == 22)
    #expect(query["code_challenge_method"] == "S256")
    #expect(query["code_challenge"]?.count == 43)
    #expect(page.utf8.allSatisfy { (0x21...0x7E).contains($0) })
  }

  @Test func `the app is registered once an install`() async throws {
    let desk = Desk()
    let account = try await desk.logIn()
    _ = try await desk.flow.logOut(account)
    _ = try await desk.logIn()
    #expect(desk.authServer.apps == ["app-1"])
    let registration = try #require(desk.authServer.requests.first { $0.url.hasSuffix("/api/v1/apps") })
    let fields = InMemoryAuthServer.fields(String(decoding: registration.body ?? [], as: UTF8.self))
    #expect(
      fields == [
        "client_name": "media", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob",
        "scopes": "read:statuses read:accounts read:search",
      ]
    )
  }

  @Test func `an app the server dropped is registered anew before a page is shown`() async throws {
    let desk = Desk()
    _ = try await desk.flow.begin(desk.server)
    desk.authServer.forgetApps()
    let account = try await desk.logIn()
    #expect(desk.authServer.apps == ["app-2"])
    #expect(account.clientID == "app-2")
  }

  @Test func `an app dropped meanwhile is registered anew, once, and the page shown again`() async throws {
    let desk = Desk()
    let first = try await desk.flow.begin(desk.server)
    let code = desk.authServer.code(on: first.url)
    desk.authServer.forgetApps()
    guard case .again(let second) = try await desk.flow.finish(first, pasted: code) else {
      Issue.record("the login went on without an app")
      return
    }
    #expect(second.isSecondTry && second.url.contains("client_id=app-2"))
    #expect(try await desk.finished(second, desk.authServer.code(on: second.url)).clientID == "app-2")
    desk.authServer.answer("/oauth/token") { _ in InMemoryAuthServer.json(#"{"error":"invalid_client"}"#, status: 401) }
    await #expect(throws: LoginError.appRefused(desk.server)) {
      try await desk.flow.finish(second, pasted: "code")
    }
  }

  @Test func `the code may come with a later command, within the hour`() async throws {
    let desk = Desk()
    let code = desk.authServer.code(on: try await desk.flow.begin(desk.server).url)
    desk.wait(3500)
    #expect(try await desk.finished(try desk.flow.resume(desk.server), code).handle == "ann@cats.example")
    #expect(throws: LoginError.nothingBegun(desk.server)) { try desk.flow.resume(desk.server) }
  }

  @Test func `a login begun an hour ago waits no longer and does not stay in the file`() async throws {
    let desk = Desk()
    let old = try await desk.flow.begin(desk.server)
    desk.wait(3601)
    #expect(throws: LoginError.nothingBegun(nil)) { try desk.flow.resume() }
    _ = try await desk.flow.begin(desk.server)
    #expect(!desk.written.contains(old.login.state.reveal()))
  }

  @Test func `of many logins begun the last eight wait`() async throws {
    let desk = Desk()
    var pages: [Authorization] = []
    for _ in 0..<10 { pages.append(try await desk.flow.begin(desk.server)) }
    #expect(try desk.accounts.read().pending == pages.suffix(8).map(\.login))
  }

  @Test func `the code of an earlier page finds its login by the state`() async throws {
    let desk = Desk()
    let first = try await desk.flow.begin(desk.server)
    let second = try await desk.flow.begin(desk.server)
    let pasted = "\(desk.authServer.code(on: first.url))&state=\(first.login.state.reveal())"
    #expect(try await desk.finished(second, pasted).handle == "ann@cats.example")
    #expect(try desk.flow.resume().url == second.url)
  }

  @Test func `a strange state is refused before the code is sent`() async throws {
    let desk = Desk()
    let page = try await desk.flow.begin(desk.server)
    let asked = desk.authServer.requests.count
    await #expect(throws: LoginError.otherLogin(desk.server)) {
      try await desk.flow.finish(page, pasted: "\(desk.authServer.code(on: page.url))&state=forged")
    }
    #expect(desk.authServer.requests.count == asked)
  }

  @Test func `keys made by hand are used, kept, and never replaced`() async throws {
    let desk = Desk()
    let page = try await desk.flow.begin(desk.server, clientID: "mine", clientSecret: Secret("hush"))
    #expect(page.url.contains("client_id=mine"))
    await #expect(throws: LoginError.appRefused(desk.server)) { try await desk.flow.finish(page, pasted: "code") }
    #expect(try await desk.flow.begin(desk.server).url.contains("client_id=mine"))
    #expect(desk.authServer.apps.isEmpty)
  }

  @Test func `a ready token is verified and stored`() async throws {
    let desk = Desk()
    let token = try await desk.logIn().token
    let other = Desk(desk.authServer)
    let account = try await other.flow.adopt(" \(token.reveal())\n", at: desk.server)
    #expect(account.handle == "ann@cats.example")
    #expect(try other.accounts.all() == [account])
    #expect(try await other.flow.logOut(account) == .notRevoked(reason: "the token was not made here"))
    #expect(try other.accounts.all().isEmpty)
  }

  @Test(arguments: ["", "two words", "line\r\nX-Evil: 1", "naïve", String(repeating: "a", count: 20_000)])
  func `a text that cannot be a token is not sent`(text: String) async throws {
    let desk = Desk()
    await #expect(throws: LoginError.notAToken(desk.server)) { try await desk.flow.adopt(text, at: desk.server) }
    #expect(desk.authServer.requests.isEmpty)
  }

  @Test func `logging out revokes first and then forgets`() async throws {
    let desk = Desk()
    let account = try await desk.logIn()
    #expect(try await desk.flow.logOut(account) == .revoked)
    #expect(desk.authServer.tokens.isEmpty)
    #expect(try desk.accounts.all().isEmpty)
    #expect(!desk.written.contains(account.token.reveal()))
  }

  @Test func `a server that is away is forgotten too, and said`() async throws {
    let desk = Desk()
    let account = try await desk.logIn()
    let away = TransportError.unreachable(host: "cats.example", reason: "connection refused")
    desk.authServer.answer("/.well-known/oauth-authorization-server") { _ throws(TransportError) in throw away }
    #expect(
      try await desk.flow.logOut(account) == .notRevoked(reason: "cats.example cannot be reached (connection refused)")
    )
    #expect(try desk.accounts.all().isEmpty)
  }

  @Test func `a server without a way back is said`() async throws {
    let desk = Desk()
    let account = try await desk.logIn()
    desk.authServer.answer("/oauth/revoke") { _ in InMemoryAuthServer.page(404) }
    #expect(try await desk.flow.logOut(account) == .notRevoked(reason: "it answers with status 404"))
  }

  @Test func `a broken file of accounts costs the server nothing`() async throws {
    let desk = Desk()
    try FileManager.default.createDirectory(atPath: desk.folder, withIntermediateDirectories: true)
    try "{".write(toFile: "\(desk.folder)/accounts.json", atomically: false, encoding: .utf8)
    chmod("\(desk.folder)/accounts.json", 0o600)
    await #expect(throws: AccountsError.self) { try await desk.flow.begin(desk.server) }
    #expect(desk.authServer.requests.isEmpty)
  }
}
