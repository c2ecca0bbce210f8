import Foundation
import HTTP
import Testing

/// A server of Misskey, which nobody names: it says itself what it runs.
@Suite(.timeLimit(.minutes(10))) struct MisskeyJourneyTests {
  private let browser = Session(agent: "visitor", environment: [:])

  private func withDemo(
    posts: Int = 90, _ body: (Sandbox, _ url: String) async throws -> Void
  ) async throws {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "\(posts)", "--dialect", "misskey")
    let url = try await demo.line("http://127.0.0.1:")
    try await body(sandbox, url)
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  private func allow(_ page: String) async throws {
    let fields = [("username", "mira"), ("password", "demo"), ("permission", "read:account"), ("decision", "allow")]
    let answer = try await browser.transport.send(.form(page, fields))
    #expect(answer.status == 200, "\(answer.status)")
  }

  private func logIn(_ sandbox: Sandbox, _ url: String) async throws -> String {
    let login = try sandbox.begin("login", url, "--no-browser")
    let page = try await login.line("\(url)/miauth/")
    try await allow(page)
    login.type("\n")
    let ended = try await login.end()
    #expect(ended.status == 0 && ended.output == page + "\n", "\(ended.errors)")
    #expect(ended.errors.contains("Logged in as mira@"), "\(ended.errors)")
    return page
  }

  @discardableResult private func pull(_ sandbox: Sandbox, _ words: String...) async throws -> [String: any Sendable] {
    let ended = try await sandbox.run(words + ["--no-avatars", "--json"])
    try #require(ended.status == 0, "\(words): \(ended.errors)")
    return try ended.object()
  }

  @Test func `a tag is pulled by the source that speaks with the server, hidden notes once somebody is logged in`()
    async throws
  {
    try await withDemo { sandbox, url in
      let first = try await pull(sandbox, "tag", "demo", "--server", url, "--all")
      #expect(first["feed"] as? String == "tag:demo@misskey+\(url)")
      let (shown, hidden) = (first["posts", "new"] ?? 0, first["posts", "unreadable"] ?? 0)
      #expect(shown + hidden == 90 && hidden > 0, "\(first)")
      #expect(first["media", "failed"] == 0 && first["complete"] as? Bool == true, "\(first)")
      _ = try await logIn(sandbox, url)
      let second = try await pull(sandbox, "tag", "demo", "--all")
      #expect((second["posts", "new"], second["posts", "unchanged"]) == (hidden, shown), "\(second)")
      let posts = try await sandbox.media("list", "--json", "--limit", "1000").objects()
      #expect(posts.count == 90)
      let captions = posts.compactMap { $0["caption"] as? String }
      #expect(!captions.contains { $0.contains("$[") || $0.contains("**") || $0.contains("](http") })
      let files = posts.flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }
      #expect(!files.isEmpty && files.allSatisfy { $0["state"] as? String == "stored" })
      // The original, and not what the proxy makes of it.
      #expect(!files.contains { ($0["url"] as? String)?.contains("/proxy/") == true })
      #expect(Set(posts.compactMap { $0["visibility"] as? String }) == ["public", "unlisted"])
    }
  }

  @Test func `a user's boosts are the posts that they repeat, and their own edits and deletes are seen`() async throws {
    try await withDemo(posts: 200) { sandbox, url in
      _ = try await logIn(sandbox, url)
      let secrets = try Secrets(in: sandbox)
      try await pull(sandbox, "user", "mira", "--server", url, "--all", "--page-size", "2", "--no-pictures")
      let posts = try await sandbox.media("list", "--json", "--limit", "1000").objects()
      let own = posts.filter { ($0["author"] as? [String: any Sendable])?["handle"] as? String == "mira@\(host(url))" }
      #expect(own.count >= 2 && posts.count > own.count, "\(own.count) of \(posts.count)")
      let ids = own.compactMap { ($0["url"] as? String)?.split(separator: "/").last.map(String.init) }
      let token = try #require(try tokens(sandbox).first)
      #expect(try await change(url, "edit", #"{"editId":"\#(ids[0])","text":"edited #demo"}"#, token) == 200)
      #expect(try await change(url, "delete", #"{"noteId":"\#(ids[1])"}"#, token) == 204)
      let looked = try await sandbox.media("recheck", "--json").object()
      #expect((looked["edited"] as? Int, looked["gone"] as? Int) == (1, 1), "\(looked)")
      #expect(try secrets.leaks().isEmpty)
    }
  }

  @Test func `who is not allowed to search is told so, and a login that nobody confirmed can be continued`()
    async throws
  {
    try await withDemo(posts: 20) { sandbox, url in
      expect(
        try await sandbox.media("search", "cat", "--source", "misskey", "--server", url), fails: 69,
        saying: "lets nobody search its posts", output: true)
      let login = try sandbox.begin("login", url, "--no-browser")
      let page = try await login.line("\(url)/miauth/")
      login.type("\n")
      let early = try await login.end()
      #expect(early.status == 77 && early.errors.contains("access was not allowed yet"), "\(early.errors)")
      try await allow(page)
      let later = try await sandbox.media("login", url, "--code", "allowed")
      #expect(later.status == 0, "\(later.errors)")
      let found = try await pull(sandbox, "search", "#demo", "--all", "--no-pictures")
      #expect(found["posts", "new"] == 20)
    }
  }

  @Test func `web addresses and follows lead to it, and harvests pull it`() async throws {
    try await withDemo(posts: 20) { sandbox, url in
      #expect(try await sandbox.media("follow", "\(url)/tags/demo").status == 0)
      let harvest = try await sandbox.media("harvest", "--json")
      #expect(harvest.status == 0 && harvest.output.contains("tag:demo@misskey+"), "\(harvest.errors)")
      let post = try #require(try await sandbox.media("list", "--json").objects().first { $0["url"] is String })
      let address = try #require(post["url"] as? String)
      #expect(try await sandbox.media("show", address).status == 0)
      #expect(try await pull(sandbox, "user", "\(url)/@mira")["feed"] as? String == "user:mira@misskey+\(url)")
    }
  }

  private func host(_ url: String) -> String { String(url.dropFirst("http://".count)) }

  /// The tokens of the logins.
  private func tokens(_ sandbox: Sandbox) throws -> [String] {
    let file = try String(contentsOfFile: sandbox.configuration + "/accounts.json", encoding: .utf8)
    return file.matches(of: /"token" : "([^"]+)"/).map { String($0.1) }
  }

  /// Changes a note by another app.
  private func change(_ url: String, _ verb: String, _ body: String, _ token: String) async throws -> Int {
    let request = Request(
      .post, "\(url)/api/notes/\(verb)", headers: ["Content-Type": "application/json"], token: Secret(token),
      body: Array(body.utf8))
    return try await browser.transport.send(request).status
  }
}
