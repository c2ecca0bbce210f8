import Foundation
import ScriptedOrigin
import Testing

/// Instagram's Graph API at a scripted server, as users use it.
@Suite(.timeLimit(.minutes(10))) struct GraphJourneyTests {
  private func script(_ count: Int = 130, _ troubles: [Trouble] = []) -> Script {
    var script = Script(posts: count, troubles: troubles)
    script.keys = ["my-app": "app-secret-1"]
    return script
  }

  private func logIn(_ sandbox: Sandbox, _ origin: Origin) async throws {
    let login = try sandbox.begin(
      "login", origin.url, "--source", "instagram", "--api", "graph", "--client-id", "my-app",
      "--client-secret-stdin", "--no-browser")
    login.type("app-secret-1\n")
    let page = try await login.line("\(origin.url)/v25.0/dialog/oauth?")
    login.type("\(try origin.approveGraph(page))\n")
    let ended = try await login.end()
    try #require(ended.status == 0, "\(ended.errors)")
    #expect(ended.errors.contains("paste the whole address of the page you end on"))
  }

  private func pull(_ sandbox: Sandbox, _ origin: Origin, _ flags: String...) async throws -> Ended {
    try await sandbox.run(["tag", "cats@instagram+\(origin.url)", "--json", "--verbose"] + flags)
  }

  @Test func `log in, pull three pages with pictures, and again with nothing new; no secret is left`() async throws {
    try await withOrigin(script()) { origin in
      let sandbox = try Sandbox()
      try await logIn(sandbox, origin)
      let account = try await sandbox.media("accounts", "--json").object()
      #expect((account["account"] as? String)?.hasPrefix("ada@") == true)
      #expect((account["expires"] as? String) != nil)
      let first = try await pull(sandbox, origin, "--pages", "3")
      try #require(first.status == 0, "\(first.errors)")
      #expect(first.errors.contains("#cats is number 1 of the 30 tags of 7 days\n"))
      #expect(first.errors.contains("the posts of the last 24 hours alone\n"))
      let summary = try first.object()
      #expect((summary["posts", "new"], summary["posts", "unreadable"]) == (130, 0))
      #expect((summary["pages"] as? Int, summary["complete"] as? Bool) == (3, true))
      #expect(summary["media", "downloaded"] == origin.script.pictureHashes.count)
      #expect(summary["media", "failed"] == 0)
      let again = try await pull(sandbox, origin, "--all")
      let counts = try again.object()
      #expect((counts["posts", "new"], counts["posts", "updated"]) == (0, 0))
      #expect(counts["media", "downloaded"] == 0)
      #expect(!again.errors.contains("number"))
      #expect(origin.requests(to: "/v25.0/ig_hashtag_search").count == 1)
      try await listsAll(sandbox, origin.script.posts)
      try leavesNoSecret(sandbox, origin)
    }
  }

  private func listsAll(_ sandbox: Sandbox, _ posts: [ScriptedPost]) async throws {
    let listed = try await sandbox.media("list", "--tag", "cats", "--json", "--limit", "1000").objects()
    #expect(listed.map { $0["caption"] as? String } == posts.map(\.caption))
    #expect(listed.allSatisfy { $0["source"] as? String == "instagram" && $0["author"] as? String == nil })
    let newest = try #require(posts.first)
    #expect(listed.first?["url"] as? String == "https://www.instagram.com/p/\(newest.id)/")
  }

  private func leavesNoSecret(_ sandbox: Sandbox, _ origin: Origin) throws {
    let secrets = try Secrets(in: sandbox)
    secrets.add(from: origin)
    secrets.add("app-secret-1")
    #expect(secrets.count >= 3)
    #expect(try secrets.leaks().isEmpty)
    #expect(origin.requests(to: "/media").allSatisfy { $0.token == nil })
    #expect(origin.requests.allSatisfy { $0.parameter("client_secret") == nil })
    #expect(origin.critique.isEmpty)
  }

  @Test func `top posts are a search of their own, and search terms are refused`() async throws {
    try await withOrigin(script(20)) { origin in
      let sandbox = try Sandbox()
      try await logIn(sandbox, origin)
      let top = try await sandbox.media("search", "#cats", "--server", origin.url, "--json", "--verbose")
      #expect(try top.object()["feed"] as? String == "search:#cats@instagram+\(origin.url)")
      #expect(try top.object()["posts", "new"] == 20)
      #expect(!top.errors.contains("24 hours"))
      #expect(origin.requests(to: "/v25.0/1784").allSatisfy { $0.path.hasSuffix("/top_media") })
      expect(
        try await sandbox.media("search", "red panda", "--server", origin.url), fails: 69, saying: "but for a hashtag",
        output: true)
      expect(
        try await sandbox.media("user", "birds", "--server", origin.url), fails: 64,
        saying: "instagram has no user to pull", "a tag or a search")
    }
  }

  @Test func `a token that is refused in the middle ends with 77, and what is left is known`() async throws {
    let body = #"{"error":{"message":"Session has expired","type":"OAuthException","code":190,"error_subcode":463}}"#
    let trouble = Trouble.nth(2, "/v25.0/1784", .status(400, body: body))
    try await withOrigin(script(130, [trouble])) { origin in
      let sandbox = try Sandbox()
      try await logIn(sandbox, origin)
      let ended = try await pull(sandbox, origin, "--pages", "3")
      let command = "media login \(origin.url) --source instagram --api graph --client-id ID --client-secret-stdin"
      expect(ended, fails: 77, saying: "refused the token", command, output: true)
      try await isFinished(sandbox, origin)
    }
  }

  @Test func `a limit in the middle ends with 75 and says until when`() async throws {
    let usage = #"{"17841400":[{"type":"instagram","call_count":100,"estimated_time_to_regain_access":19}]}"#
    let kind = Trouble.Kind.status(
      403, headers: ["X-Business-Use-Case-Usage": usage], body: #"{"error":{"message":"(#4) limit","code":4}}"#)
    try await withOrigin(script(130, [.nth(2, "/v25.0/1784", kind)])) { origin in
      let sandbox = try Sandbox()
      try await logIn(sandbox, origin)
      let ended = try await pull(sandbox, origin, "--pages", "3")
      expect(ended, fails: 75, saying: "takes no more requests until", "try again then", output: true)
      let requestCount = origin.requests(to: "/v25.0/1784").count
      let early = try await sandbox.media("gaps", "--fill")
      expect(early, fails: 75, saying: "takes no more requests until", output: true)
      #expect(origin.requests(to: "/v25.0/1784").count == requestCount)
      // Nineteen minutes pass.
      try await sandbox.sql("UPDATE rate SET closed_until = NULL, ends_at = '2020-01-01T00:00:00.000Z'")
      try await isFinished(sandbox, origin)
    }
  }

  private func isFinished(_ sandbox: Sandbox, _ origin: Origin) async throws {
    #expect(try await sandbox.media("list", "--json", "--limit", "500").lines.count == 50)
    let gap = try await sandbox.media("gaps", "--json").object()
    #expect(gap["kind"] as? String == "unfinished")
    origin.change { $0.troubles = [] }
    let rest = try await sandbox.media("gaps", "--fill", "--json")
    try #require(rest.status == 0, "\(rest.errors)")
    #expect(try rest.object()["posts", "new"] == 80)
    #expect(try await sandbox.media("gaps", "--json").lines.isEmpty)
  }

  @Test func `thirty tags in seven days are all, and each is counted when it is asked for`() async throws {
    try await withOrigin(script(3)) { origin in
      let sandbox = try Sandbox()
      try await logIn(sandbox, origin)
      let names = (1...30).map { "none\($0)" }
      let wasted = try await sandbox.run(["tag", "--server", origin.url] + names)
      #expect(wasted.status == 69)
      #expect(wasted.errors.contains("#none30 is number 30 of the 30 tags of 7 days"))
      let ended = try await pull(sandbox, origin)
      expect(
        ended, fails: 75, saying: "30 tags in 7 days are spent", "#cats can be asked for from", "#none30 and 22 more",
        output: true)
      #expect(origin.requests(to: "/v25.0/ig_hashtag_search").count == 30)
    }
  }

  @Test func `an answer that is not a login is reported`() async throws {
    try await withOrigin(script(3)) { origin in
      let sandbox = try Sandbox()
      let early = try await sandbox.media("tag", "cats", "--server", "instagram.com")
      expect(early, fails: 77, saying: "media login instagram.com --source instagram", output: true)
      let flags = ["login", origin.url, "--source", "instagram", "--api", "graph"]
      let keys = flags + ["--client-id", "my-app", "--client-secret-stdin", "--no-browser"]
      let secret = try await sandbox.run(keys, input: "other-secret\nAQ-code\n")
      expect(secret, fails: 77, saying: "the keys of this app, or its redirect", "login_success.html", output: true)
      let code = try await sandbox.run(keys, input: "app-secret-1\nhttps://www.facebook.com/x?code=no-such#_=_\n")
      expect(code, fails: 77, saying: "refused the code", output: true)
      let token = try await sandbox.run(flags + ["--token-stdin"], input: "no-such-token\n")
      expect(token, fails: 77, saying: "refused the token")
      #expect(try await sandbox.run(flags + ["--token-stdin"], input: "scripted-token\n").status == 0)
      #expect(try await sandbox.media("tag", "cats").status == 0)
    }
  }
}
