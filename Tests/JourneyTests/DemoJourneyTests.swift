import Foundation
import HTTP
import Testing

/// A new user's first steps: the demo server, a login through its pages, three pages of posts.
@Suite(.timeLimit(.minutes(10))) struct DemoJourneyTests {
  @Test func `a newcomer logs in at the demo by its pages, pulls three pages with pictures, and lists them`()
    async throws
  {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "130")
    let url = try await demo.line("http://127.0.0.1:")

    let login = try sandbox.begin("login", url, "--no-browser")
    let page = try await login.line("\(url)/oauth/authorize?")
    #expect(page.contains("code_challenge_method=S256"))
    let code = try await Visitor().code(from: page)
    login.type("  \(code)  \n")
    let loggedIn = try await login.end()
    #expect(loggedIn.status == 0, "\(loggedIn.errors)")
    #expect(loggedIn.output == page + "\n")
    #expect(loggedIn.errors.contains("Logged in as mira@"))
    let accounts = try await sandbox.media("accounts", "--json").object()
    #expect(accounts["server"] as? String == url)

    let pull = try await sandbox.media("tag", "demo", "--pages", "3", "--json")
    #expect(pull.status == 0, "\(pull.errors)")
    let summary = try pull.object()
    #expect(summary["posts", "new"] == 120)
    #expect(summary["media", "failed"] == 0)
    let listed = try await sandbox.media("list", "--json", "--limit", "1000").objects()
    #expect(listed.count == 120)
    let states = listed.flatMap { ($0["attachments"] as? [[String: any Sendable]]) ?? [] }
      .map { $0["state"] as? String }
    #expect(states.count >= 120)
    #expect(states.allSatisfy { $0 == "stored" })
    let again = try await sandbox.media("tag", "demo", "--pages", "4", "--json").object()
    #expect(again["posts", "new"] == 10)
    #expect(again["posts", "unchanged"] == 120)
    #expect(again["complete"] as? Bool == true)

    let secrets = try Secrets(in: sandbox)
    #expect(secrets.count >= 2)
    secrets.add(code)
    #expect(try await sandbox.media("logout").status == 0)
    #expect(try await sandbox.media("accounts", "--json").output.isEmpty)
    demo.signal(SIGTERM)
    #expect(try await demo.end().status == 143)
    #expect(try secrets.leaks().isEmpty)
  }

  @Test func `the demo says who holds its port`() async throws {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "5")
    let url = try await demo.line("http://127.0.0.1:")
    let port = try #require(url.split(separator: ":").last).description
    expect(try await sandbox.media("demo", "--port", port), fails: 69, saying: "port \(port) is taken", "--port")
    demo.signal(SIGINT)
    #expect(try await demo.end().status == 130)
  }

  /// A demo's first answer, once it is ready, and its announcement.
  private struct Served {
    let demo: Running
    let url: String
    private let browser = Session(agent: "visitor", environment: [:])

    init(_ sandbox: Sandbox, _ words: String...) async throws {
      demo = try sandbox.begin(["demo", "--port", "0"] + words)
      let line = try await demo.line(words.contains("--json") ? "{\"url\":\"http://127.0.0.1:" : "http://127.0.0.1:")
      url = String(try #require(line.firstMatch(of: /http:\/\/[^"]+/)).0)
    }

    /// The texts of its newest posts, without its own address.
    func posts() async throws -> [String] {
      let answer = try await browser.transport.send(Request(.get, "\(url)/api/v1/timelines/tag/demo?limit=40"))
      let posts = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: any Sendable]]
      return try #require(posts).map { ($0["content"] as? String ?? "").replacing(url, with: "") }
    }
  }

  @Test func `the demo serves as many posts as it is asked for, and others by another seed`() async throws {
    let sandbox = try Sandbox()
    let first = try await Served(sandbox, "--posts", "7")
    let same = try await Served(sandbox, "--posts", "7", "--seed", "1")
    let other = try await Served(sandbox, "--posts", "7", "--seed", "2", "--json", "--quiet")
    let posts = try await first.posts()
    #expect(posts.count == 7)
    #expect(try await same.posts() == posts)
    #expect(try await other.posts() != posts)
    for served in [first, same, other] { served.demo.signal(SIGTERM) }
    #expect(try await first.demo.end().errors.contains("Log in: media login \(first.url)\n"))
    #expect(try await same.demo.end().status == 143)
    let quiet = try await other.demo.end()
    #expect((quiet.output, quiet.errors) == ("{\"url\":\"\(other.url)\"}\n", ""))
  }

  @Test(arguments: ["mastodon", "takahe", "snac", "gotosocial"])
  func `the demo answers in every dialect that the command names`(dialect: String) async throws {
    let sandbox = try Sandbox()
    let served = try await Served(sandbox, "--posts", "3", "--dialect", dialect)
    #expect(try await served.posts().count == 3)
    served.demo.signal(SIGTERM)
    #expect(try await served.demo.end().status == 143)
    #expect(try await sandbox.media("demo", "--dialect", "friendica").status == 64)
  }

  @Test func `a live demo changes while it runs`() async throws {
    let sandbox = try Sandbox()
    let (still, live) = (try await Served(sandbox, "--posts", "5"), try await Served(sandbox, "--posts", "5", "--live"))
    let first = try await still.posts()
    while try await live.posts() == first { try await Task.sleep(for: .milliseconds(100)) }
    #expect(try await still.posts() == first)
  }

  @Test func `without the program that serves it, the demo says which is missing`() async throws {
    let sandbox = try Sandbox()
    try FileManager.default.copyItem(atPath: Sandbox.binary, toPath: "\(sandbox.folder)/media")
    let line = "PATH=/nonexistent \(sandbox.folder)/media demo"
    let missing = "media-demo, which serves the demo, is neither beside media nor on PATH: install media whole"
    expect(try await sandbox.bash(line), fails: 69, saying: missing)
    try Data("no program".utf8).write(to: URL(filePath: "\(sandbox.folder)/media-demo"))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(sandbox.folder)/media-demo")
    expect(try await sandbox.bash(line), fails: 69, saying: "cannot be started (Exec format error)")
    // A user who starts it by hand is told which program serves.
    let byHand = try sandbox.start(Sandbox.built("media-demo"), ["7", "0", "1", "mastodon", "lively"])
    byHand.endInput()
    let ended = try await byHand.end()
    #expect(ended.status == 64)
    #expect(
      ended.errors
        == "media-demo: a \"media demo\" of the same version starts this: install media whole with Scripts/install\n")
  }
}
