import Foundation
import HTTP
import Testing

/// Servers of Lemmy and PieFed, which nobody names: each says itself what it runs.
@Suite(.timeLimit(.minutes(10))) struct LemmyJourneyTests {
  private let browser = Session(agent: "visitor", environment: [:])

  private func withDemo(
    _ dialect: String, posts: Int, _ body: (Sandbox, _ url: String) async throws -> Void
  ) async throws {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "\(posts)", "--dialect", dialect)
    let url = try await demo.line("http://127.0.0.1:")
    try await body(sandbox, url)
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  @discardableResult private func pull(_ sandbox: Sandbox, _ words: String...) async throws -> [String: any Sendable] {
    let ended = try await sandbox.run(words + ["--no-avatars", "--json"])
    try #require(ended.status == 0, "\(words): \(ended.errors)")
    return try ended.object()
  }

  private func logIn(_ sandbox: Sandbox, _ url: String, _ lines: String...) async throws -> Ended {
    try await sandbox.media("login", url, "--no-browser", input: lines.map { "\($0)\n" }.joined())
  }

  private func posts(_ sandbox: Sandbox) async throws -> [[String: any Sendable]] {
    try await sandbox.media("list", "--json", "--limit", "1000").objects()
  }

  @Test(arguments: ["lemmy", "lemmy1", "piefed"])
  func `a community is pulled with its pictures, and what is for members once somebody is logged in`(
    dialect: String
  ) async throws {
    try await withDemo(dialect, posts: 45) { sandbox, url in
      let first = try await pull(sandbox, "user", "!demo", "--server", url, "--all")
      #expect(first["feed"] as? String == "user:!demo@lemmy+\(url)")
      let shown = first["posts", "new"] ?? 0
      #expect((shown == 45) == (dialect == "piefed") && shown > 30, "\(first)")
      #expect(first["media", "failed"] == 0 && first["complete"] as? Bool == true, "\(first)")
      expect(try await logIn(sandbox, url, "mira", "wrong"), fails: 77, saying: "refused the name or the password")
      let login = try await logIn(sandbox, url, "mira", "demo")
      #expect(login.status == 0 && login.errors.contains("Logged in as mira@"), "\(login.errors)")
      let secrets = try Secrets(in: sandbox)
      let second = try await pull(sandbox, "user", "!demo", "--server", url, "--all")
      #expect((second["posts", "new"], second["posts", "unchanged"]) == (45 - shown, shown), "\(second)")
      let posts = try await posts(sandbox)
      #expect(posts.count == 45)
      let captions = posts.compactMap { $0["caption"] as? String }
      #expect(!captions.contains { $0.contains("**") || $0.contains("~~") || $0.contains("](") })
      let files = posts.flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }
      #expect(files.count > 45 && files.allSatisfy { $0["state"] as? String == "stored" })
      // The original, and not what the proxy makes of it.
      #expect(!files.contains { ($0["url"] as? String)?.contains("proxy") == true })
      let seen = Set(posts.compactMap { $0["visibility"] as? String })
      #expect(seen == (dialect == "piefed" ? [] : ["public", "local"]))
      #expect(try await sandbox.media("check").status == 0)
      #expect(try secrets.leaks().isEmpty && secrets.count > 0)
      let logout = try await sandbox.media("logout")
      #expect(logout.status == 0, "\(logout.errors)")
    }
  }

  @Test(arguments: ["lemmy", "lemmy1", "piefed"])
  func `users, searches and tags are pulled page by page, and edits and deletes are seen`(dialect: String) async throws
  {
    try await withDemo(dialect, posts: 200) { sandbox, url in
      #expect(try await logIn(sandbox, url, "mira", "demo").status == 0)
      let user = try await pull(
        sandbox, "user", "mira", "--server", url, "--all", "--page-size", "2", "--no-pictures")
      #expect(user["complete"] as? Bool == true, "\(user)")
      let own = try await posts(sandbox)
      let handle = "mira@\(url.dropFirst("http://".count))"
      #expect(own.count > 4)
      #expect(own.allSatisfy { ($0["author"] as? [String: any Sendable])?["handle"] as? String == handle })
      let ids = own.compactMap { $0["remote_id"] as? String }
      let version = ["lemmy": "v3", "lemmy1": "v4", "piefed": "alpha"][dialect] ?? ""
      try await change(sandbox, .put, "\(url)/api/\(version)/post", #"{"post_id":\#(ids[0]),"body":"edited #demo"}"#)
      try await change(sandbox, .post, "\(url)/api/\(version)/post/delete", #"{"post_id":\#(ids[1]),"deleted":true}"#)
      let looked = try await sandbox.media("recheck", "--json").object()
      // PieFed says of a person who is logged in what it says of a post that is not there.
      let gone = dialect == "piefed" ? 0 : 1
      #expect((looked["edited"] as? Int, looked["gone"] as? Int) == (1, gone), "\(looked)")
      let tag = try await pull(sandbox, "tag", "demo", "--server", url, "--all", "--no-pictures")
      #expect(tag["posts", "new"] == 200 - own.count, "\(tag)")
      let found = try await pull(sandbox, "search", "#cats", "--server", url, "--all", "--no-pictures")
      #expect((found["posts", "new"], found["complete"] as? Bool) == (0, true), "\(found)")
    }
  }

  /// Changes a post of the person who is logged in.
  private func change(_ sandbox: Sandbox, _ method: Request.Method, _ address: String, _ body: String) async throws {
    let file = try String(contentsOfFile: sandbox.configuration + "/accounts.json", encoding: .utf8)
    let token = try #require(file.firstMatch(of: /"token" : "([^"]+)"/)).1
    let request = Request(
      method, address, headers: ["Content-Type": "application/json"], token: Secret(String(token)),
      body: Array(body.utf8))
    let answer = try await browser.transport.send(request)
    try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
  }

  @Test func `web addresses and follows lead to a server, and harvests pull it`() async throws {
    try await withDemo("lemmy", posts: 30) { sandbox, url in
      for address in ["\(url)/c/demo", "\(url)/u/mira"] {
        let follow = try await sandbox.media("follow", address)
        #expect(follow.status == 0, "\(follow.errors)")
      }
      #expect(try await sandbox.media("follow", "!cats@lemmy+\(url)").status == 0)
      let harvest = try await sandbox.media("harvest", "--json")
      #expect(harvest.status == 0, "\(harvest.errors)")
      for name in ["!demo", "!cats", "mira"] { #expect(harvest.output.contains("user:\(name)@lemmy+")) }
      let tag = try await sandbox.media("tag", "demo", "--server", url, "--no-pictures", "--no-avatars")
      #expect(tag.status == 0 && tag.errors.contains("\"media user '!NAME'\" pulls a community whole"), "\(tag.errors)")
      let post = try #require(
        try await posts(sandbox).first { ($0["url"] as? String)?.hasPrefix("\(url)/post/") == true })
      #expect(try await sandbox.media("show", try #require(post["url"] as? String)).status == 0)
      #expect(try await pull(sandbox, "user", "\(url)/c/demo", "--new")["posts", "new"] == 0)
      expect(
        try await sandbox.media("user", "!nothere", "--server", url), fails: 69, saying: "has no community !nothere",
        output: true)
    }
  }

  @Test func `who has an authenticator app is asked for its code`() async throws {
    try await withDemo("lemmy", posts: 5) { sandbox, url in
      let asked = try await logIn(sandbox, url, "tomasz", "demo")
      expect(asked, fails: 64, saying: "the code did not come on standard input")
      #expect(asked.errors.contains("asks for the code of your authenticator app"))
      expect(try await logIn(sandbox, url, "tomasz", "demo", "000000"), fails: 77, saying: "refused the code")
      #expect(try await logIn(sandbox, url, "tomasz", "demo", "123456").status == 0)
    }
  }

  @Test func `a server that was pulled before is asked as what it is, also while it does not answer`() async throws {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "20", "--dialect", "piefed")
    let url = try await demo.line("http://127.0.0.1:")
    // Nobody said what it is, and it wants no login for a search.
    let found = try await sandbox.media("search", "nosuchword", "--server", url, "--no-pictures", "--no-avatars")
    #expect(found.status == 0 && found.output.contains("search:nosuchword@lemmy+\(url)"), "\(found.errors)")
    try await pull(sandbox, "user", "!demo", "--server", url, "--no-pictures")
    demo.signal(SIGTERM)
    _ = try await demo.end()
    let silent = try await sandbox.media("tag", "cats", "--server", url)
    #expect(silent.status != 0 && silent.output.contains("tag:cats@lemmy+\(url)"), "\(silent.output)")
  }
}
