import Foundation
import HTTP
import Testing

/// Bluesky's login on a page, as the demo asks for it: strictly, with nonces, proofs and tokens that are good once.
@Suite(.timeLimit(.minutes(10))) struct BlueskyOAuthJourneyTests {
  private struct Served {
    let sandbox: Sandbox
    let demo: Running
    let url: String
    private let browser = Session(agent: "visitor", environment: [:])

    init(posts: Int) async throws {
      sandbox = try Sandbox()
      demo = try sandbox.begin("demo", "--port", "0", "--posts", "\(posts)", "--dialect", "bluesky")
      url = try await demo.line("http://127.0.0.1:")
    }

    /// Logs in by name; `who` acts on the page.
    func logIn(_ name: String = "mira.test", as who: String = "mira", decision: String = "allow") async throws -> Ended
    {
      let login = try sandbox.begin("login", url, "--source", "bluesky", "--oauth", "--no-browser")
      login.type("\(name)\n")
      let page = try await login.line("\(url)/oauth/authorize?")
      let body = String(decoding: try await browser.transport.send(Request(.get, page)).body, as: UTF8.self)
      #expect(body.contains("app.bsky.feed.searchPosts") && !body.contains("transition:generic"))
      let hidden = body.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)">/).map {
        (String($0.1), String($0.2).replacing("&amp;", with: "&"))
      }
      var allow = Request.form(
        "\(url)/oauth/authorize",
        hidden + [("username", who), ("password", "demo"), ("decision", decision)])
      allow.redirects = .nowhere(isUserChosen: false)
      let answer = try await browser.transport.send(allow)
      let end = try #require(answer.headers["Location"])
      #expect(end.hasPrefix("http://127.0.0.1/?"))
      login.type("\(end)\n")
      return try await login.end()
    }

    /// Writes times into the file of accounts.
    func setTimes(_ times: [String: Double]) throws {
      let path = "\(sandbox.configuration)/accounts.json"
      var text = try String(contentsOfFile: path, encoding: .utf8)
      for (name, seconds) in times {
        let time = ISO8601DateFormatter().string(from: Date().addingTimeInterval(seconds))
        let changed = try text.replacing(Regex("\"\(name)\"\\s*:\\s*\"[^\"]*\""), with: "\"\(name)\" : \"\(time)\"")
        try #require(changed != text)
        text = changed
      }
      try sandbox.configure("accounts.json", text)
    }

    func accounts() throws -> String {
      try String(contentsOfFile: "\(sandbox.configuration)/accounts.json", encoding: .utf8)
    }

    func end() async throws {
      demo.signal(SIGTERM)
      _ = try await demo.end()
    }
  }

  @Test func `a newcomer logs in on a page, pulls a tag, and logs out`() async throws {
    let served = try await Served(posts: 130)
    let sandbox = served.sandbox
    let login = try await served.logIn()
    try #require(login.status == 0, "\(login.errors)")
    #expect(login.errors.contains("paste the whole address of the page you end on"))
    #expect(login.errors.contains("Logged in as mira.test at \(served.url). The login ends at "))
    let secrets = try Secrets(in: sandbox)
    #expect(try served.accounts().contains("\"key\""))

    let pull = try await sandbox.media("tag", "demo", "--pages", "2", "--no-pictures", "--json")
    try #require(pull.status == 0, "\(pull.errors)")
    #expect(try pull.object()["posts", "new"] == 130)
    let doctor = try await sandbox.media("doctor")
    #expect(doctor.output.contains("mira.test: accepted, until "), "\(doctor.output)")

    // Whoever has the token alone has nothing.
    let token = try #require(try served.accounts().firstMatch(of: /"token" ?: "([^"]+)"/)).1
    let plain = try await Session(agent: "thief", environment: [:]).transport.send(
      Request(.get, "\(served.url)/xrpc/app.bsky.feed.searchPosts?q=a", token: Secret(String(token))))
    #expect(plain.status == 400)

    let logout = try await sandbox.media("logout")
    #expect(logout.status == 0 && logout.errors.contains("revoked"), "\(logout.errors)")
    try await served.end()
    #expect(try secrets.leaks().isEmpty)
  }

  @Test func `a token that is about to end is renewed with the same key`() async throws {
    let served = try await Served(posts: 5)
    try #require(try await served.logIn().status == 0)
    let before = try served.accounts()
    try served.setTimes(["expires": 60, "created": -7000])
    for _ in 0..<2 {
      let pull = try await served.sandbox.media("tag", "demo", "--no-pictures")
      #expect(pull.status == 0, "\(pull.errors)")
    }
    let after = try served.accounts()
    #expect(after.contains("renewed"))
    for token in before.matches(of: /"(eyJ[^"]+)"/) { #expect(!after.contains(token.1)) }
    let key = try #require(before.firstMatch(of: /"key" ?: "([^"]+)"/)).1
    #expect(after.contains(key))
    try await served.end()
  }

  @Test func `where a server forgot a login, the cure makes it again in the same way`() async throws {
    let served = try await Served(posts: 5)
    let sandbox = served.sandbox
    try #require(try await served.logIn().status == 0)
    try #require(try await sandbox.media("follow", "tag:demo@bluesky+\(served.url)").status == 0)
    try await served.end()
    let port = try #require(served.url.split(separator: ":").last.map(String.init))
    let demo = try sandbox.begin("demo", "--port", port, "--posts", "5", "--dialect", "bluesky")
    _ = try await demo.line("http://127.0.0.1:")
    let command = "media login \(served.url) --source bluesky --oauth"
    for words in [["tag", "demo"], ["harvest"]] {
      let refused = try await sandbox.run(words)
      #expect(refused.errors.contains("\"\(command)\""), "\(words) \(refused.errors)")
    }
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  @Test func `the end of a login is told three days before`() async throws {
    let served = try await Served(posts: 5)
    try #require(try await served.logIn().status == 0)
    #expect(try await served.sandbox.media("accounts").errors.isEmpty)
    try served.setTimes(["ends": 3 * 86_400 - 60])
    let words = ["the login of mira.test ends at ", "run \"media login \(served.url) --source bluesky --oauth\""]
    let accounts = try await served.sandbox.media("accounts")
    let doctor = try await served.sandbox.media("doctor")
    for word in words { #expect(accounts.errors.contains(word) && doctor.output.contains(word), "\(doctor.output)") }
    try await served.end()
  }

  @Test func `another person on the page, a refusal and an unknown handle end the login`() async throws {
    let served = try await Served(posts: 5)
    expect(
      try await served.logIn(as: "tomasz"), fails: 77, saying: "another account than mira.test", "--oauth",
      output: true)
    expect(try await served.logIn(decision: "deny"), fails: 77, saying: "access was denied", output: true)
    expect(
      try await served.sandbox.media("login", served.url, "--source", "bluesky", "--oauth", input: "nobody.test\n"),
      fails: 64, saying: "no account is named nobody.test")
    expect(
      try await served.sandbox.media("login", served.url, "--oauth", input: "mira\n"), fails: 64,
      saying: "--oauth goes with bluesky")
    // No token is kept. Within a key, the first letters of one may stand by chance.
    #expect(try !served.accounts().contains("\"eyJ"))
    try await served.end()
  }
}
