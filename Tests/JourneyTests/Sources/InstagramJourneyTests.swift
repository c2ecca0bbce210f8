import Foundation
import ScriptedOrigin
import Testing

/// Instagram's first API at the user's own server, as users use it.
@Suite(.timeLimit(.minutes(10))) struct InstagramJourneyTests {
  private func script(_ count: Int = 80) -> Script {
    var script = Script(posts: count)
    script.keys = ["my-app": "app-secret-1"]
    return script
  }

  @Test func `log in with keys, pull a tag and a user with pictures, again, delete; no secret is left`() async throws {
    try await withOrigin(script()) { origin in
      let sandbox = try Sandbox()
      try await logIn(sandbox, origin)
      let flags = ["--server", origin.url, "--json", "--verbose", "--all"]
      let first = try await sandbox.run(["tag", "cats", "--source", "instagram", "--page-size", "20"] + flags)
      try #require(first.status == 0, "\(first.errors)")
      let summary = try first.object()
      let posts = origin.script.posts
      #expect(summary["feed"] as? String == "tag:cats@instagram+\(origin.url)")
      #expect((summary["posts", "new"], summary["posts", "unreadable"]) == (80, 0))
      #expect((summary["pages"] as? Int, summary["complete"] as? Bool) == (4, true))
      #expect(summary["media", "downloaded"] == origin.script.pictureHashes.count)
      #expect(summary["media", "failed"] == 0)
      try await listsAll(sandbox, posts)
      // As the summary writes it; then the login determines the source.
      let named = try await sandbox.run(["tag", "cats@instagram+\(origin.url)", "--json"]).object()
      #expect(named["feed"] as? String == "tag:cats@instagram+\(origin.url)")
      let again = try await sandbox.run(["tag", "cats@\(origin.url)", "--json"])
      #expect(try again.object()["posts", "unchanged"] == 33)
      let newest = try await sandbox.media("list", "--json", "--limit", "1").object()
      #expect(try await sandbox.media("delete", "\(newest["id"] as? Int ?? 0)").status == 0)
      let user = try await sandbox.run(["user", "user1", "--all", "--json", "--server", origin.url])
      let theirs = posts.filter { $0.author == 1 }
      let counts = try user.object()
      #expect((counts["posts", "new"], counts["posts", "unreadable"]) == (0, 0))
      #expect((counts["posts", "unchanged"] ?? 0) + (counts["posts", "deleted"] ?? 0) == theirs.count)
      #expect(origin.requests(to: "/v1/users/search").count == 1)
      try leavesNoSecret(sandbox, origin)
    }
  }

  private func logIn(_ sandbox: Sandbox, _ origin: Origin) async throws {
    let early = try await sandbox.media("tag", "cats", "--server", origin.url, "--source", "instagram")
    let command = "media login \(origin.url) --source instagram --client-id ID --client-secret-stdin"
    expect(early, fails: 77, saying: command, output: true)
    let login = try sandbox.begin(
      "login", origin.url, "--source", "instagram", "--client-id", "my-app", "--client-secret-stdin", "--no-browser")
    login.type("app-secret-1\n")
    let page = try await login.line("\(origin.url)/oauth/authorize/?")
    login.type("\(try origin.approve(page))\n")
    let ended = try await login.end()
    try #require(ended.status == 0, "\(ended.errors)")
    let account = try await sandbox.media("accounts", "--json").object()
    #expect(account["source"] as? String == "instagram")
    #expect((account["account"] as? String)?.hasPrefix("ada@") == true)
  }

  private func listsAll(_ sandbox: Sandbox, _ posts: [ScriptedPost]) async throws {
    let listed = try await sandbox.media("list", "--json", "--limit", "1000").objects()
    #expect(listed.map { $0["caption"] as? String } == posts.map(\.caption))
    #expect(listed.allSatisfy { $0["source"] as? String == "instagram" })
    let shown = try await sandbox.media("list", "--tag", "cats", "--json", "--limit", "1000").lines
    #expect(shown.count == posts.count)
  }

  private func leavesNoSecret(_ sandbox: Sandbox, _ origin: Origin) throws {
    let secrets = try Secrets(in: sandbox)
    secrets.add(from: origin)
    secrets.add("app-secret-1")
    #expect(secrets.count >= 3)
    #expect(try secrets.leaks().isEmpty)
    #expect(origin.requests(to: "/v1").dropFirst().allSatisfy { $0.parameter("access_token") != nil })
    #expect((origin.requests(to: "/media") + origin.requests(to: "/avatars")).allSatisfy { $0.token == nil })
    #expect(origin.critique.isEmpty)
  }

  @Test func `a ready token logs in, a refused one says what to do, and a logout forgets`() async throws {
    try await withOrigin(script(5)) { origin in
      let sandbox = try Sandbox()
      let flags = ["login", origin.url, "--source", "instagram", "--token-stdin"]
      let wrong = try await sandbox.run(flags, input: "no-such-token\n")
      expect(wrong, fails: 77, saying: "refused the token (The access_token provided is invalid.)")
      #expect(try await sandbox.run(flags, input: "scripted-token\n").status == 0)
      #expect(try await sandbox.media("tag", "cats").status == 0)
      origin.refuse(token: "scripted-token")
      let late = try await sandbox.media("tag", "cats")
      expect(late, fails: 77, saying: "refused the token", "--source instagram", output: true)
      let out = try await sandbox.media("logout")
      #expect(out.status == 0)
      #expect(out.errors.contains("it takes no tokens back"))
      #expect(try await sandbox.media("accounts", "--json").lines.isEmpty)
    }
  }

  @Test func `wrong keys and codes are reported, and keys are required`() async throws {
    try await withOrigin(script(1)) { origin in
      let sandbox = try Sandbox()
      let none = try await sandbox.media("login", origin.url, "--source", "instagram")
      expect(none, fails: 77, saying: "keys of their own", "--source instagram --client-id ID")
      let keys = ["login", origin.url, "--source", "instagram", "--client-id", "my-app", "--client-secret-stdin"]
      let code = try await sandbox.run(keys + ["--no-browser"], input: "app-secret-1\nno-such-code\n")
      expect(code, fails: 77, saying: "refused the code", output: true)
      let secret = try await sandbox.run(keys + ["--no-browser"], input: "other-secret\nsome-code\n")
      expect(secret, fails: 77, saying: "does not accept the keys of this app", output: true)
    }
  }

  @Test func `Instagram itself is asked by its other API alone, and searches are not to be had`() async throws {
    let sandbox = try Sandbox()
    for flags in [[], ["--server", "instagram.com"], ["--server", "https://api.instagram.com"]] {
      let ended = try await sandbox.run(["tag", "cats", "--source", "instagram"] + flags)
      expect(ended, fails: 77, saying: "media login instagram.com", "--api graph", output: true)
    }
    let search = try await sandbox.media("search", "red panda", "--source", "instagram", "--server", "birds.example")
    expect(search, fails: 64, saying: "instagram has no search to pull", "a tag or a user")
  }
}
