import Foundation
import HTTP
import Testing

/// A server that grants fine scopes but then requires `read`, and that answers a bad token with 400 in plain text.
@Suite(.timeLimit(.minutes(10))) struct TakaheTests {
  /// Logs in as a user who is asked twice.
  private func logIn(_ sandbox: Sandbox, at url: String, _ flags: [String] = [], typing keys: String = "") async throws
    -> Ended
  {
    let login = try sandbox.begin(["login", url, "--no-browser"] + flags)
    login.type(keys)
    let first = try await login.line("\(url)/oauth/authorize?")
    #expect(first.contains("scope=read%3Astatuses%20read%3Aaccounts%20read%3Asearch"))
    login.type(try await Visitor().code(from: first) + "\n")
    try await login.says("scope=read&")
    let second = try #require(login.output.split(separator: "\n").map(String.init).first { $0.contains("scope=read&") })
    login.type(try await Visitor().code(from: second) + "\n")
    return try await login.end()
  }

  /// The only login in the accounts file.
  private func account(_ sandbox: Sandbox) throws -> [String: String] {
    let file = try #require(FileManager.default.contents(atPath: "\(sandbox.configuration)/accounts.json"))
    let whole = try JSONSerialization.jsonObject(with: file) as? [String: Any]
    let accounts = try #require(whole?["accounts"] as? [[String: Any]])
    try #require(accounts.count == 1)
    return accounts[0].compactMapValues { $0 as? String }
  }

  @Test func `a login is asked for once more with read, then searches; a revoked token names the login to type`()
    async throws
  {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "30", "--dialect", "takahe")
    let url = try await demo.line("http://127.0.0.1:")
    let loggedIn = try await logIn(sandbox, at: url)
    #expect(loggedIn.status == 0, "\(loggedIn.errors)")
    #expect(loggedIn.errors.contains("This asks for \"read\""))
    #expect(loggedIn.errors.contains("Logged in as mira@"))
    #expect(try await sandbox.media("accounts", "--json").object()["scopes"] as? [String] == ["read"])
    let search = try await sandbox.media("search", "the", "--server", url, "--no-pictures", "--json")
    #expect(search.status == 0, "\(search.errors)")
    #expect(try #require(search.object()["posts", "new"]) > 0)

    let account = try account(sandbox)
    let fields = ["client_id", "client_secret", "token"].map { ($0, account[$0] ?? "") }
    let browser = Session(agent: "visitor", environment: [:])
    #expect(try await browser.transport.send(.form("\(url)/oauth/revoke", fields)).status == 200)
    for command in ["tag", "search"] {
      let refused = try await sandbox.media(command, "demo", "--server", url)
      expect(refused, fails: 77, saying: "refused the token", "run \"media login \(url)\"", output: true)
    }
    #expect(try await sandbox.media("follow", "tag:demo@\(url)", "--unchecked").status == 0)
    let harvest = try await sandbox.media("harvest")
    #expect(harvest.status == 77, "\(harvest.errors)")
    #expect(harvest.errors.contains("media login \(url)"), "\(harvest.errors)")
    let follows = try await sandbox.media("follows", "--json").object()
    #expect(follows["state"] as? String == "login")
    let reason = "\(url) refused the token: run \"media login \(url)\""
    #expect((follows["failure"] as? String)?.hasPrefix(reason) == true, "\(follows)")
    let table = try await sandbox.media("follows").output
    let row = try #require(table.split(separator: "\n").first { $0.hasPrefix("tag:demo@") })
    #expect(row.contains("about 1 h") && row.contains("wants a login since"), "\(table)")
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  @Test func `keys made by hand are kept for the second page`() async throws {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "5", "--dialect", "takahe")
    let url = try await demo.line("http://127.0.0.1:")
    let browser = Session(agent: "visitor", environment: [:])
    let paste = "urn:ietf:wg:oauth:2.0:oob"
    let registration = Request.form(
      "\(url)/api/v1/apps", [("client_name", "by hand"), ("redirect_uris", paste), ("scopes", "read")])
    let answer = try await browser.transport.send(registration)
    let keys = try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    let (id, secret) = (keys["client_id"] as? String ?? "", keys["client_secret"] as? String ?? "")
    let flags = ["--client-id", id, "--client-secret-stdin"]
    let loggedIn = try await logIn(sandbox, at: url, flags, typing: "\(secret)\n")
    #expect(loggedIn.status == 0, "\(loggedIn.errors)")
    #expect(try account(sandbox)["client_id"] == id)
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }
}
