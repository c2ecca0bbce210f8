import Foundation
import HTTP
import Posts
import Testing

/// A server of Tumblr's API: a key, a person, tags, blogs with their reblogs.
@Suite(.timeLimit(.minutes(10))) struct TumblrJourneyTests {
  @Test func `a key lets in, and a tag and a blog are pulled whole`() async throws {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "90", "--dialect", "tumblr", "--quiet")
    let url = try await demo.line("http://127.0.0.1:")
    let tag = ["tag", "demo", "--source", "tumblr", "--server", url, "--all", "--no-avatars", "--json"]
    expect(
      try await sandbox.run(tag), fails: 77,
      saying: "run \"media login \(url) --source tumblr --client-id KEY\"", output: true)
    expect(
      try await sandbox.media("login", url, "--source", "tumblr", "--api", "key", "--client-id", "wrong-consumer-key"),
      fails: 77, saying: "knows no app")
    let login = try await sandbox.media("login", url, "--source", "tumblr", "--client-id", "demo-consumer-key")
    #expect(login.status == 0 && login.errors.contains("Logged in as app@"), "\(login.errors)")
    let pulled = try await sandbox.run(tag).object()
    let shown = try #require(pulled["posts", "new"])
    #expect(pulled["media", "failed"] == 0, "\(pulled)")
    let again = try await sandbox.media("tag", "demo", "--new", "--no-avatars", "--json").object()
    #expect((again["posts", "new"], again["requests"] as? Int) == (0, 1), "\(again)")
    let words = try await sandbox.media("tag", "night sky", "--all", "--no-avatars", "--json")
    #expect(words.status == 0, "\(words.errors)")
    let blog = try await sandbox.media("user", "mira", "--all", "--no-avatars", "--json")
    #expect(blog.status == 0, "\(blog.errors)")
    #expect(try blog.object()["complete"] as? Bool == true)
    let posts = try await sandbox.media("list", "--json", "--limit", "1000").objects()
    let files = posts.flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }
    #expect(!files.isEmpty && files.allSatisfy { $0["state"] as? String == "stored" })
    #expect(!files.contains { ($0["url"] as? String)?.contains("/small/") == true })
    #expect(posts.contains { ($0["tags"] as? [String])?.contains("night sky") == true })
    let looked = try await sandbox.media("recheck", "--json").objects()
    #expect(looked.allSatisfy { ($0["gone"] as? Int, $0["edited"] as? Int) == (0, 0) }, "\(looked)")
    #expect(try Secrets(in: sandbox).leaks().isEmpty)
    // What the key does not show, a person sees.
    try #require(try await logIn(sandbox, url, as: "mira").status == 0)
    let host = try #require(Server(url)?.host)
    let whole = try await pull(sandbox, "tag", "demo", "--account", "mira@\(host)", "--api", "oauth2")
    #expect(shown + (whole["posts", "new"] ?? 0) == 90, "\(shown) \(whole)")
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  // MARK: A person

  private static let app = ["--source", "tumblr", "--client-id", "demo-consumer-key", "--client-secret-stdin"]

  /// Logs in on the page: `name` acts there.
  private func logIn(
    _ sandbox: Sandbox, _ url: String, as name: String, decision: String = "allow", _ more: String...
  ) async throws -> Ended {
    let login = try sandbox.begin(["login", url, "--no-browser"] + Self.app + more)
    login.type("demo-consumer-secret\n")
    let page = try await login.line("\(url)/oauth2/authorize?")
    let browser = Session(agent: "visitor", environment: [:])
    let body = String(decoding: try await browser.transport.send(Request(.get, page)).body, as: UTF8.self)
    #expect(body.contains("<code>basic offline_access</code>"))
    let hidden = body.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)">/).map {
      (String($0.1), String($0.2))
    }
    var allow = Request.form(
      "\(url)/oauth2/authorize", hidden + [("username", name), ("password", "demo"), ("decision", decision)])
    allow.redirects = .nowhere(isUserChosen: false)
    let end = try #require(try await browser.transport.send(allow).headers["Location"])
    #expect(end.hasPrefix("http://127.0.0.1/?") && end.hasSuffix("#_=_"))
    login.type("\(end)\n")
    return try await login.end()
  }

  private func file(_ sandbox: Sandbox) throws -> String {
    try String(contentsOfFile: "\(sandbox.configuration)/accounts.json", encoding: .utf8)
  }

  private func pull(_ sandbox: Sandbox, _ words: String...) async throws -> [String: any Sendable] {
    let ended = try await sandbox.run(words + ["--all", "--no-pictures", "--no-avatars", "--json"])
    try #require(ended.status == 0, "\(words): \(ended.errors)")
    return try ended.object()
  }

  private func visibilities(_ sandbox: Sandbox) async throws -> [String: Int] {
    let posts = try await sandbox.media("list", "--json", "--limit", "1000").objects()
    return posts.reduce(into: [:]) { $0[$1["visibility"] as? String ?? "", default: 0] += 1 }
  }

  @Test func `a person logs in on a page and sees a hidden blog, of which nothing is published`() async throws {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "90", "--dialect", "tumblr", "--quiet")
    let url = try await demo.line("http://127.0.0.1:")
    let host = try #require(Server(url)?.host)
    try #require(
      try await sandbox.media("login", url, "--source", "tumblr", "--client-id", "demo-consumer-key").status == 0)
    let shown = try await pull(sandbox, "tag", "demo", "--source", "tumblr", "--server", url)["posts", "new"] ?? 0
    #expect(shown > 0)
    expect(
      try await sandbox.media("user", "fern", "--no-avatars"), fails: 77,
      saying: "run \"media login \(url) --source tumblr --api oauth2 --client-id KEY --client-secret-stdin\" with",
      output: true)
    let login = try await logIn(sandbox, url, as: "mira", "--api", "oauth2")
    try #require(login.status == 0 && login.errors.contains("Logged in as mira@\(host) at \(url)."), "\(login.errors)")
    let secrets = try Secrets(in: sandbox)
    secrets.add("demo-consumer-secret")
    expect(
      try await sandbox.media("user", "fern", "--account", "app@\(host)", "--no-avatars"), fails: 77,
      saying: "pull it with --account mira@\(host)", output: true)

    let blog = try await pull(sandbox, "user", "fern", "--account", "mira@\(host)")
    let hidden = blog["posts", "new"] ?? 0
    #expect(hidden > 0 && blog["complete"] as? Bool == true, "\(blog)")
    #expect(try await visibilities(sandbox) == ["public": shown, "followers": hidden])
    // Seen as a person, no post says whether others may see it. That takes back nothing that the key has shown.
    let whole = try await pull(sandbox, "tag", "demo", "--account", "mira@\(host)", "--api", "oauth2")
    #expect(whole["posts", "new"] == 0 && whole["posts", "unchanged"] == shown + hidden, "\(whole)")
    #expect(try await visibilities(sandbox) == ["public": shown, "followers": hidden])
    // The feed remembers that API; the key is sent as one all the same.
    let again = try await pull(sandbox, "tag", "demo", "--account", "app@\(host)")
    #expect((again["posts", "new"], again["posts", "updated"]) == (0, 0), "\(again)")
    #expect(try await visibilities(sandbox) == ["public": shown, "followers": hidden])
    let feed = try await sandbox.media("export", "--format", "json-feed")
    #expect(feed.status == 0 && feed.errors.contains("left out \(hidden) posts"), "\(feed.errors)")
    #expect(!feed.output.contains("/@fern/"))
    #expect(try await sandbox.sql("SELECT count(*) FROM feed") == "2\n")
    // A harvest asks with the login that was made first, which is not shown this blog.
    try #require(try await sandbox.media("follow", "user:fern@tumblr+\(url)", "--unchecked").status == 0)
    let harvest = try await sandbox.media("harvest", "--no-pictures")
    #expect(harvest.errors.contains("pull it with --account mira@\(host)"), "\(harvest.errors)")
    // The address of the page names the app.
    #expect(try secrets.leaks().filter { !$0.hasSuffix(": demo-consumer-key") }.isEmpty)
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  @Test func `a person's token is renewed once it has ended, and a login that the server ended is made anew`()
    async throws
  {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "30", "--dialect", "tumblr", "--quiet")
    let url = try await demo.line("http://127.0.0.1:")
    try #require(try await logIn(sandbox, url, as: "mira").status == 0)
    #expect(try await pull(sandbox, "user", "fern")["complete"] as? Bool == true)
    let before = try file(sandbox)
    let tokens = before.matches(of: /"(?:refresh_)?token"\s*:\s*"([^"]+)"/).map { String($0.1) }
    #expect(tokens.count == 2)
    let past = ISO8601DateFormatter().string(from: Date().addingTimeInterval(-60))
    try sandbox.configure(
      "accounts.json", before.replacing(/"(expires|created)"\s*:\s*"[^"]*"/) { "\"\($0.1)\" : \"\(past)\"" })
    for _ in 0..<2 { _ = try await pull(sandbox, "tag", "demo") }
    let after = try file(sandbox)
    #expect(after.contains("\"renewed\"") && tokens.allSatisfy { !after.contains($0) })
    // A token for renewal is good once.
    try sandbox.configure("accounts.json", before)
    let command = "\"media login \(url) --source tumblr --api oauth2 --client-id KEY --client-secret-stdin\""
    expect(
      try await sandbox.media("tag", "demo"), fails: 77, saying: "refused the token", "run \(command)", output: true)
    try sandbox.configure(
      "accounts.json", before.replacing(/"(expires|created)"\s*:\s*"[^"]*"/) { "\"\($0.1)\" : \"\(past)\"" })
    expect(
      try await sandbox.media("tag", "demo"), fails: 77, saying: "refused the token (The demo refuses it)",
      "media login \(url)", output: true)
    // The app is known from the first time.
    let login = try sandbox.begin("login", url, "--no-browser")
    _ = try await login.line("\(url)/oauth2/authorize?response_type=code&client_id=demo-consumer-key&scope=basic")
    login.signal(SIGTERM)
    _ = try await login.end()
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  @Test func `a refusal on the page, a wrong secret and another redirect end the login`() async throws {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "5", "--dialect", "tumblr", "--quiet")
    let url = try await demo.line("http://127.0.0.1:")
    expect(
      try await sandbox.media("login", url, "--source", "tumblr", "--api", "oauth2"), fails: 77,
      saying: "--client-id ID --client-secret-stdin")
    expect(
      try await logIn(sandbox, url, as: "mira", decision: "deny"), fails: 77, saying: "access was denied", output: true)
    let login = ["login", url, "--no-browser"] + Self.app
    expect(
      try await sandbox.run(login, input: "another-secret\nhttp://127.0.0.1/?code=x\n"), fails: 77,
      saying: "does not accept the keys of this app, or its redirect", "the redirect URL in the app's settings",
      output: true)
    expect(
      try await sandbox.run(login, input: "demo-consumer-secret\nhttp://127.0.0.1/?code=x\n"), fails: 77,
      saying: "refused the code", output: true)
    let elsewhere = try sandbox.begin(login + ["--redirect-uri", "http://127.0.0.1/other"])
    elsewhere.type("demo-consumer-secret\n")
    let page = try await elsewhere.line("\(url)/oauth2/authorize?")
    #expect(page.contains("redirect_uri=http%3A%2F%2F127.0.0.1%2Fother"))
    let answer = try await Session(agent: "visitor", environment: [:]).transport.send(Request(.get, page))
    #expect(answer.status == 400)
    elsewhere.signal(SIGTERM)
    _ = try await elsewhere.end()
    #expect(try await sandbox.media("accounts", "--json").output.isEmpty)
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }
}
