import Foundation
import Testing

@testable import DemoServer

/// Logging in, right and wrong.
@Suite struct LoginTests {
  private static let verifier = "a-verifier-that-is-long-enough-for-rfc-7636-0123456789"
  private static let challenge = base64URL(sha256(Array(verifier.utf8)))

  struct App {
    let id: String
    let secret: String
    let redirect: String
  }

  private func register(_ client: Client, redirect: String = AuthorizationRequest.paste) async throws -> App {
    let fields = ["client_name": "test", "redirect_uris": redirect, "scopes": "read"]
    let app = try await client.post("/api/v1/apps", fields).object
    return App(
      id: try #require(app["client_id"] as? String),
      secret: try #require(app["client_secret"] as? String),
      redirect: redirect
    )
  }

  private func asked(_ app: App, _ more: [String: String] = [:]) -> [String: String] {
    ["response_type": "code", "client_id": app.id, "redirect_uri": app.redirect, "scope": "read"].merging(more) { $1 }
  }

  private func code(_ client: Client, _ app: App, _ more: [String: String] = [:]) async throws -> String {
    let login = ["username": "mira", "password": "demo", "decision": "approve"]
    let page = try await client.post("/oauth/authorize", asked(app, more).merging(login) { $1 })
    return try #require(page.text.firstMatch(of: #/id="code">([^<]+)</#)).1.description
  }

  private func trade(_ client: Client, _ app: App, _ code: String, _ more: [String: String] = [:]) async throws
    -> Client.Answer
  {
    let fields = [
      "grant_type": "authorization_code", "code": code, "client_id": app.id, "client_secret": app.secret,
      "redirect_uri": app.redirect,
    ]
    return try await client.post("/oauth/token", fields.merging(more) { $1 })
  }

  @Test func `one form gets a code, the code a token, the token a name`() async throws {
    try await withDemo { client in
      let app = try await register(client)
      let code = try await code(client, app)
      let token = try await trade(client, app, " \(code)\n").object
      #expect(token["token_type"] as? String == "Bearer")
      #expect(token["scope"] as? String == "read")
      let bearer = ["Authorization": "Bearer \(token["access_token"] ?? "")"]
      let me = try await client.get("/api/v1/accounts/verify_credentials", headers: bearer)
      #expect(me.object["username"] as? String == "mira")
      #expect(me.object["source"] != nil)
    }
  }

  @Test func `the pages lead from log-in over consent to the code`() async throws {
    try await withDemo { client in
      let app = try await register(client)
      let query = asked(app).map { "\($0.key)=\($0.value.pathEscaped)" }.joined(separator: "&")
      let first = try await client.get("/oauth/authorize?" + query)
      #expect(first.text.contains("everybody's password is <code>demo</code>"))
      let consent = try await client.post(
        "/oauth/authorize",
        asked(app, ["username": "katya", "password": "demo"])
      )
      #expect(consent.text.contains("Катя Рябинина"))
      #expect(!consent.text.contains("id=\"code\">"))
      let ticket = try #require(consent.text.firstMatch(of: #/name="ticket" value="([^"]+)"/#)).1.description
      let answer = asked(app, ["ticket": ticket, "decision": "approve"])
      #expect(try await client.post("/oauth/authorize", answer).text.contains("id=\"code\">"))
      #expect(try await !client.post("/oauth/authorize", answer).text.contains("id=\"code\">"))
    }
  }

  @Test func `a wrong password gets the log-in page again`() async throws {
    try await withDemo { client in
      let app = try await register(client)
      let wrong = asked(app, ["username": "mira", "password": "guess", "decision": "approve"])
      let answer = try await client.post("/oauth/authorize", wrong)
      #expect(answer.status == 401)
      #expect(answer.text.contains("do not belong together"))
    }
  }

  @Test func `a code works once`() async throws {
    try await withDemo { client in
      let app = try await register(client)
      let code = try await code(client, app)
      #expect(try await trade(client, app, code).status == 200)
      let again = try await trade(client, app, code)
      #expect(again.status == 400)
      #expect(again.object["error"] as? String == "invalid_grant")
    }
  }

  @Test func `a code is good for ten minutes`() async throws {
    let clock = Clockwork()
    try await withDemo(clock: clock) { client in
      let app = try await register(client)
      let (early, late) = (try await code(client, app), try await code(client, app))
      clock.pass(599)
      #expect(try await trade(client, app, early).status == 200)
      clock.pass(1)
      #expect(try await trade(client, app, late).status == 400)
    }
  }

  @Test func `a challenge wants its verifier`() async throws {
    try await withDemo { client in
      let app = try await register(client)
      let challenge = ["code_challenge": Self.challenge, "code_challenge_method": "S256"]
      let code = try await code(client, app, challenge)
      #expect(try await trade(client, app, code).status == 400)
      #expect(try await trade(client, app, code, ["code_verifier": Self.verifier + "x"]).status == 400)
      #expect(try await trade(client, app, code, ["code_verifier": Self.verifier]).status == 200)
    }
  }

  @Test func `only S256 is a challenge`() async throws {
    try await withDemo { client in
      let app = try await register(client)
      let plain = asked(app, ["code_challenge": Self.verifier, "code_challenge_method": "plain"])
      #expect(try await client.post("/oauth/authorize", plain).status == 400)
    }
  }

  @Test func `a client must know its secret, in the form or in the header`() async throws {
    try await withDemo { client in
      let app = try await register(client)
      let code = try await code(client, app)
      let refused = try await trade(client, app, code, ["client_secret": "guess"])
      #expect(refused.status == 401)
      #expect(refused.object["error"] as? String == "invalid_client")
      let basic = Data("\(app.id):\(app.secret)".utf8).base64EncodedString()
      let fields = ["grant_type": "authorization_code", "code": code, "redirect_uri": app.redirect]
      let taken = try await client.post("/oauth/token", fields, headers: ["Authorization": "Basic \(basic)"])
      #expect(taken.status == 200)
    }
  }

  @Test func `a registered redirect receives the code and the state`() async throws {
    try await withDemo { client in
      let app = try await register(client, redirect: "http://127.0.0.1:9/back?x=1")
      let login = ["username": "mira", "password": "demo", "decision": "approve", "state": "a b&c"]
      let answer = try await client.post("/oauth/authorize", asked(app, login))
      #expect(answer.status == 302)
      let location = try #require(answer["location"])
      #expect(location.hasPrefix("http://127.0.0.1:9/back?x=1&code="))
      #expect(location.hasSuffix("&state=a%20b%26c"))
      let denied = try await client.post("/oauth/authorize", asked(app, login.merging(["decision": "deny"]) { $1 }))
      #expect(try #require(denied["location"]).contains("error=access_denied"))
    }
  }

  @Test func `nothing is sent to an address that was not registered`() async throws {
    try await withDemo { client in
      let app = try await register(client)
      for more in [["redirect_uri": "http://127.0.0.1:9/"], ["client_id": "nobody"]] {
        let answer = try await client.post("/oauth/authorize", asked(app, more))
        #expect(answer.status == 400)
        #expect(answer["location"] == nil)
      }
    }
  }

  @Test func `an app gets no more than it registered for`() async throws {
    try await withDemo { client in
      let app = try await register(client)
      #expect(try await client.post("/oauth/authorize", asked(app, ["scope": "read write"])).status == 400)
      #expect(try await code(client, app, ["scope": "read:statuses"]).count == 43)
    }
  }

  @Test func `a revoked token is refused everywhere`() async throws {
    try await withDemo { client in
      let app = try await register(client)
      let token = try #require(try await trade(client, app, code(client, app)).object["access_token"] as? String)
      let bearer = ["Authorization": "Bearer \(token)"]
      let revoke = ["client_id": app.id, "client_secret": app.secret, "token": token]
      let stranger = try await register(client)
      let theirs = ["client_id": stranger.id, "client_secret": stranger.secret, "token": token]
      #expect(try await client.post("/oauth/revoke", theirs).status == 403)
      #expect(try await client.get("/api/v1/timelines/tag/demo", headers: bearer).status == 200)
      #expect(try await client.post("/oauth/revoke", revoke).text == "{}")
      #expect(try await client.post("/oauth/revoke", revoke).status == 200)
      let refused = try await client.get("/api/v1/timelines/tag/demo", headers: bearer)
      #expect(refused.status == 401)
      #expect(refused.object["error"] as? String == "The access token is invalid")
    }
  }

  @Test func `an app's own token names the app and no person`() async throws {
    try await withDemo { client in
      let app = try await register(client)
      let fields = ["grant_type": "client_credentials", "client_id": app.id, "client_secret": app.secret]
      let token = try await client.post("/oauth/token", fields).object["access_token"] as? String ?? ""
      let bearer = ["Authorization": "Bearer \(token)"]
      #expect(
        try await client.get("/api/v1/apps/verify_credentials", headers: bearer).object["name"] as? String == "test"
      )
      #expect(try await client.get("/api/v1/accounts/verify_credentials", headers: bearer).status == 422)
      #expect(try await client.get("/api/v1/accounts/verify_credentials").status == 401)
    }
  }

  @Test func `Takahē grants fine scopes, then wants read itself, and refuses an unknown token in plain text`()
    async throws
  {
    try await withDemo(dialect: .takahe) { client in
      let app = try await register(client)
      func bearer(_ scope: String) async throws -> [String: String] {
        let token = try await trade(client, app, code(client, app, ["scope": scope])).object
        #expect(token["scope"] as? String == scope)
        return ["Authorization": "Bearer \(token["access_token"] ?? "")"]
      }
      let (fine, coarse) = (try await bearer("read:accounts read:statuses read:search"), try await bearer("read"))
      for path in ["/api/v1/accounts/verify_credentials", "/api/v2/search?q=cat"] {
        let refused = try await client.get(path, headers: fine)
        #expect((refused.status, refused.text) == (403, #"{"error":"out_of_scope_for_token"}"#))
        #expect(try await client.get(path, headers: coarse).status == 200)
      }
      #expect(try await client.get("/api/v1/timelines/tag/demo", headers: fine).status == 200)
      let unknown = try await client.get("/api/v1/timelines/tag/demo", headers: ["Authorization": "Bearer x"])
      #expect((unknown.status, unknown.text) == (400, "Invalid Bearer token"))
      #expect(try await client.get("/.well-known/oauth-authorization-server").status == 404)
      #expect(try await client.get("/api/v1/instance").object["version"] as? String == "takahe/0.11.0")
    }
  }
}
