import Foundation
import ScriptedOrigin
import Testing

/// Expiring tokens, and processes that renew them at the same time.
@Suite(.timeLimit(.minutes(10))) struct RenewalTests {
  private func script(_ refreshTokens: Set<String>) -> Script {
    var script = Script(posts: 5)
    (script.keys, script.refreshTokens) = (["my-app": "app-secret-1"], refreshTokens)
    return script
  }

  /// A login of three months that is valid for one more day.
  private func configure(_ sandbox: Sandbox, _ origin: Origin) throws {
    let form = ISO8601DateFormatter()
    let (made, end) = (Date().addingTimeInterval(-90 * 86_400), Date().addingTimeInterval(86_400))
    try sandbox.configure(
      "accounts.json",
      """
      {"version": 1, "apps": [], "pending": [], "accounts": [{
        "source": "mastodon", "server": "\(origin.url)", "handle": "ada@127.0.0.1", "name": "Ada",
        "token": "scripted-token", "scopes": ["read"], "created": "\(form.string(from: made))",
        "expires": "\(form.string(from: end))", "refresh_token": "refresh-1", "client_id": "my-app",
        "client_secret": "app-secret-1"}]}
      """)
  }

  private func trades(_ origin: Origin) -> [RecordedRequest] { origin.requests(to: "/oauth/token") }

  @Test func `of several processes at once one spends the token, and all go on with what it bought`() async throws {
    var script = script(["refresh-1"])
    script.troubles = [.first(1, "/oauth/token", .slow(.milliseconds(300)))]
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      try configure(sandbox, origin)
      let all = try (0..<4).map { number in
        try sandbox.begin("tag", "cats@\(origin.url)", "--library", "\(sandbox.folder)/library\(number)")
      }
      for running in all {
        let ended = try await running.end()
        #expect(ended.status == 0, "\(ended.errors)")
      }
      #expect(trades(origin).map { $0.form["refresh_token"] } == ["refresh-1"])
      let tokens = Set(origin.requests(to: "/api/v1/timelines").map(\.token))
      #expect(tokens.count == 1)
      #expect(tokens.first??.hasPrefix("token-") == true)
      let account = try await sandbox.media("accounts", "--json").object()
      #expect((account["expires"] as? String ?? "") > "2027")
      // It is valid for a year: no process renews it again.
      #expect(try await sandbox.media("tag", "cats").status == 0)
      #expect(trades(origin).count == 1)
    }
  }

  @Test func `a refused token asks for a login, a failing server leaves the old one`() async throws {
    try await withOrigin(script([])) { origin in
      let sandbox = try Sandbox()
      try configure(sandbox, origin)
      let refused = try await sandbox.media("tag", "cats@\(origin.url)")
      expect(refused, fails: 77, saying: "refused the token", "media login \(origin.url)")
      origin.change { $0.troubles = [.every("/oauth/token", .status(500))] }
      #expect(try await sandbox.media("tag", "cats@\(origin.url)").status == 0)
      #expect(origin.requests(to: "/api/v1/timelines").map(\.token) == ["scripted-token"])
    }
  }
}
