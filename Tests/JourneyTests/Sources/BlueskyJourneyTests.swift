import Foundation
import HTTP
import Testing

/// Bluesky, as the demo speaks its API: a login by app password, tags, users, harvests, look-ups.
@Suite(.timeLimit(.minutes(10))) struct BlueskyJourneyTests {
  /// A running demo and its user.
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

    func logIn(_ lines: String...) async throws -> Ended {
      try await sandbox.media("login", url, "--source", "bluesky", input: lines.map { "\($0)\n" }.joined())
    }

    /// Pulls without pictures. Returns the summary.
    func pull(_ words: String...) async throws -> [String: any Sendable] {
      let ended = try await sandbox.run(words + ["--server", url, "--no-pictures", "--no-avatars", "--json"])
      try #require(ended.status == 0, "\(ended.errors)")
      return try ended.object()
    }

    /// Changes a post of the person who is logged in.
    func change(_ method: String, _ uri: String, _ record: String = "") async throws {
      let accounts = try JSONSerialization.jsonObject(
        with: try #require(FileManager.default.contents(atPath: "\(sandbox.configuration)/accounts.json")))
      let list = (accounts as? [String: Any])?["accounts"] as? [[String: Any]]
      let token = try #require(list?.first?["token"] as? String)
      let key = try #require(uri.split(separator: "/").last)
      let request = Request(
        .post, "\(url)/xrpc/com.atproto.repo.\(method)", token: Secret(token),
        body: Array(#"{"rkey":"\#(key)"\#(record)}"#.utf8))
      let answer = try await browser.transport.send(request)
      try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    func end() async throws {
      demo.signal(SIGTERM)
      _ = try await demo.end()
    }
  }

  private func posts(_ sandbox: Sandbox, _ words: String...) async throws -> [[String: any Sendable]] {
    try await sandbox.run(["list", "--json", "--limit", "1000"] + words).objects()
  }

  private func handle(_ post: [String: any Sendable]) -> String? {
    (post["author"] as? [String: any Sendable])?["handle"] as? String
  }

  @Test func `a newcomer logs in by app password, and pulls a tag with its pictures`() async throws {
    let served = try await Served(posts: 130)
    let (sandbox, url) = (served.sandbox, served.url)
    for source in [[], ["--source", "bluesky"]] {
      let ended = try await sandbox.run(["tag", "demo", "--server", url] + source)
      // A server that was not named as Bluesky's says so itself.
      let lines = ended.errors.split(separator: "\n")
      #expect(lines.contains { $0.hasSuffix("runs Bluesky") } == source.isEmpty, "\(ended.errors)")
      #expect(ended.status == 77, "\(ended.errors)")
      #expect(ended.errors.contains("logged in: run \"media login \(url) --source bluesky\""), "\(ended.errors)")
    }
    expect(
      try await served.logIn("mira.test", "wrong"), fails: 77, saying: "refused the name or the password",
      "--source bluesky")
    expect(try await served.logIn("mira.test"), fails: 64, saying: "the app password did not come on standard input")
    let login = try await served.logIn("@mira.test", "demo")
    #expect(login.status == 0, "\(login.errors)")
    #expect(login.errors.contains("Logged in as mira.test at \(url)."))

    let pull = try await sandbox.media("tag", "demo", "--pages", "2", "--json")
    #expect(pull.status == 0, "\(pull.errors)")
    #expect(try pull.object()["posts", "new"] == 130)
    #expect(try pull.object()["media", "failed"] == 0)
    let listed = try await posts(sandbox)
    #expect(listed.count == 130)
    #expect(listed.allSatisfy { ($0["remote_id"] as? String)?.hasPrefix("at://did:plc:") == true })
    let files = listed.flatMap { ($0["attachments"] as? [[String: any Sendable]]) ?? [] }
    #expect(files.count >= 130)
    #expect(files.allSatisfy { $0["state"] as? String == "stored" })
    #expect(files.allSatisfy { ($0["url"] as? String)?.contains("/xrpc/com.atproto.sync.getBlob?did=") == true })
    #expect(Set(listed.map { $0["visibility"] as? String }) == ["public", "local"])
    #expect(try await sandbox.media("check").status == 0)

    let secrets = try Secrets(in: sandbox)
    #expect(secrets.count == 2)
    let accounts = try String(contentsOfFile: "\(sandbox.configuration)/accounts.json", encoding: .utf8)
    #expect(!accounts.contains("\"demo\""))
    #expect(try await sandbox.media("logout").status == 0)
    try await served.end()
    #expect(try secrets.leaks().isEmpty)
  }

  @Test func `a login that wants a code from a mail asks for it`() async throws {
    let served = try await Served(posts: 5)
    let asked = try await served.logIn("tomasz.test", "demo")
    expect(asked, fails: 64, saying: "the code did not come on standard input")
    #expect(asked.errors.contains("sent a code by mail"))
    expect(try await served.logIn("tomasz.test", "demo", "WRONG"), fails: 77, saying: "refused the code")
    let login = try await served.logIn("tomasz.test", "demo", "DEMO1-CODE2")
    #expect(login.status == 0, "\(login.errors)")
    try await served.end()
  }

  @Test(.enabled(if: Tmux.isThere, "tmux is not installed"))
  func `a pull in a terminal asks for handle and app password, and goes on`() async throws {
    let served = try await Served(posts: 30)
    try await withTmux(served.sandbox, columns: 200, rows: 30) { tmux in
      try await tmux.enter("$MEDIA tag demo@bluesky+\(served.url) --no-pictures --no-avatars; echo status $?")
      try await tmux.shows("the handle:")
      try await tmux.enter("mira.test")
      try await tmux.shows("the app password (it is not shown):")
      try await tmux.enter("demo")
      let ended = try await tmux.shows("status 0")
      #expect(ended.contains("Logged in as mira.test") && ended.contains("30 new"), "\(ended)")
      #expect(!ended.contains("shown): demo"), "\(ended)")
    }
    try await served.end()
  }

  @Test func `somebody whom another server has is told which`() async throws {
    let served = try await Served(posts: 5)
    expect(
      try await served.logIn("birds.photo.example", "demo"), fails: 69, saying: "photo.example has this account",
      "media login photo.example --source bluesky")
    try await served.end()
  }

  @Test func `a login that is about to end is renewed`() async throws {
    let served = try await Served(posts: 5)
    try #require(try await served.logIn("mira.test", "demo").status == 0)
    let path = "\(served.sandbox.configuration)/accounts.json"
    let before = try String(contentsOfFile: path, encoding: .utf8)
    let time = { (seconds: Double) in ISO8601DateFormatter().string(from: Date().addingTimeInterval(seconds)) }
    let ending = before.replacing(/("expires"\s*:\s*)"[^"]*"/) { "\($0.1)\"\(time(60))\"" }
      .replacing(/("created"\s*:\s*)"[^"]*"/) { "\($0.1)\"\(time(-7000))\"" }
    try #require(ending != before)
    try served.sandbox.configure("accounts.json", ending)
    for _ in 0..<2 { #expect(try await served.pull("tag", "demo")["failure"] == nil) }
    let secrets = try Secrets(in: served.sandbox)
    let after = try String(contentsOfFile: path, encoding: .utf8)
    #expect(secrets.count == 2)
    #expect(after.contains("renewed"))
    for token in before.matches(of: /"(eyJ[^"]+)"/) { #expect(!after.contains(token.1)) }
    try await served.end()
  }

  @Test func `a user is pulled without a login, to the end, with what was repeated`() async throws {
    let served = try await Served(posts: 300)
    let summary = try await served.pull("user", "fern.test", "--source", "bluesky", "--pages", "9")
    #expect(summary["complete"] as? Bool == true)
    #expect(try await served.sandbox.sql("SELECT reached_end FROM coverage") == "1\n")
    let listed = try await posts(served.sandbox)
    #expect(listed.contains { handle($0) != "fern.test" }, "no repeat among \(listed.count)")
    let again = try await served.sandbox.media(
      "user", "\(served.url)/profile/fern.test", "--source", "bluesky", "--new", "--json")
    #expect(try again.object()["posts", "new"] == 0)
    try await served.end()
  }

  @Test func `harvests bring what is new, and a look-up finds what was edited and deleted`() async throws {
    let served = try await Served(posts: 80)
    let sandbox = served.sandbox
    try #require(try await served.logIn("mira.test", "demo").status == 0)
    #expect(try await sandbox.media("follow", "tag:demo@bluesky+\(served.url)").status == 0)
    let harvest = try await sandbox.media("harvest", "--no-pictures", "--json")
    #expect(harvest.status == 0, "\(harvest.errors)")
    #expect(try await posts(sandbox).count == 80)
    let own = try await posts(sandbox).filter { handle($0) == "mira.test" }
    try #require(own.count >= 2)
    let uris = own.compactMap { $0["remote_id"] as? String }
    try await served.change("deleteRecord", uris[0])
    try await served.change("putRecord", uris[1], #","record":{"text":"edited since #demo"}"#)
    let recheck = try await sandbox.media("recheck", "--json").object()
    #expect(recheck["looked_up"] as? Int == 80)
    #expect(recheck["gone"] as? Int == 1)
    #expect(recheck["edited"] as? Int == 1)
    let id = try #require(own[1]["id"] as? Int)
    let shown = try await sandbox.media("show", "\(id)")
    #expect(shown.output.contains("edited since #demo") && shown.output.contains("it read:"), "\(shown.output)")
    try await served.end()
  }

  @Test func `a search finds words, and its end shows nothing of what is below`() async throws {
    let served = try await Served(posts: 60)
    try #require(try await served.logIn("mira.test", "demo").status == 0)
    let summary = try await served.pull("search", "demo", "--pages", "3")
    #expect(summary["posts", "new"] == 60)
    #expect(try await served.sandbox.sql("SELECT reached_end FROM coverage") == "0\n")
    try await served.end()
  }
}
