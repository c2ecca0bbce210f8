import Foundation
import ScriptedOrigin
import Testing

/// X's APIs at the user's own server, as users use them.
@Suite(.timeLimit(.minutes(10))) struct XJourneyTests {
  private func script(_ count: Int = 230) -> Script {
    var script = Script(posts: count)
    script.keys = ["my-key": "app-secret-1"]
    return script
  }

  private func logIn(_ sandbox: Sandbox, _ origin: Origin) async throws {
    let flags = ["--source", "x", "--app-only", "--client-id", "my-key", "--client-secret-stdin"]
    let ended = try await sandbox.run(["login", origin.url] + flags, input: "app-secret-1\n")
    try #require(ended.status == 0, "\(ended.errors)")
    let account = try await sandbox.media("accounts", "--json").object()
    #expect((account["source"] as? String, (account["account"] as? String)?.hasPrefix("app@")) == ("x", true))
  }

  private func pull(_ sandbox: Sandbox, _ arguments: String...) async throws -> [String: any Sendable] {
    let ended = try await sandbox.run(arguments + ["--json", "--verbose"])
    try #require(ended.status == 0, "\(ended.errors)")
    return try ended.object()
  }

  @Test func `an app logs in and pulls a tag, a user and a search, by either API; no secret is left`() async throws {
    try await withOrigin(script()) { origin in
      let sandbox = try Sandbox()
      let early = try await sandbox.media("tag", "cats", "--server", origin.url, "--source", "x")
      let command = "media login \(origin.url) --source x --app-only --client-id KEY --client-secret-stdin"
      expect(early, fails: 77, saying: command, output: true)
      try await logIn(sandbox, origin)
      let posts = origin.script.posts
      let tag = try await pull(sandbox, "tag", "cats@\(origin.url)", "--all")
      #expect(tag["feed"] as? String == "tag:cats@x+\(origin.url)")
      #expect((tag["posts", "new"], tag["posts", "unreadable"], tag["pages"] as? Int) == (230, 0, 3))
      #expect(tag["complete"] as? Bool == true)
      #expect(tag["media", "downloaded"] == origin.script.pictureHashes.count)
      let listed = try await sandbox.media("list", "--json", "--limit", "1000").objects()
      #expect(listed.map { $0["caption"] as? String } == posts.map(\.caption))
      #expect(listed.allSatisfy { $0["source"] as? String == "x" })
      let older = try await pull(sandbox, "tag", "cats@\(origin.url)", "--api", "1.1", "--pages", "2")
      #expect((older["posts", "unchanged"], older["posts", "updated"], older["posts", "new"]) == (200, 0, 0))
      let theirs = posts.filter { $0.author == 1 }.count
      for flags in [["user", "User1"], ["user", "user1", "--api", "1.1"]] {
        let user = try await sandbox.run(flags + ["--server", origin.url, "--all", "--json"]).object()
        #expect((user["posts", "unchanged"], user["posts", "new"]) == (theirs, 0), "\(flags)")
      }
      let found = try await pull(sandbox, "search", "river", "--server", origin.url, "--pages", "5")
      #expect(found["posts", "unchanged"] == posts.count { $0.caption.contains("river") })
      try leavesNoSecret(sandbox, origin)
    }
  }

  @Test(arguments: ["2", "1.1"])
  func `a search stores a repeated post once and whole, with who repeated it`(api: String) async throws {
    var script = Script(posts: 40, boosts: true)
    script.keys = ["my-key": "app-secret-1"]
    let repeats = script.posts.filter { $0.boost != nil }
    try #require(repeats.count == 2)
    // One of them is also found as itself.
    var original = repeats[0]
    (original.id, original.boost) = (original.postID, nil)
    script.posts.append(original)
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      try await logIn(sandbox, origin)
      let flags = ["search", "e", "--server", origin.url, "--source", "x", "--api", api, "--all", "--no-pictures"]
      let found = try await sandbox.run(flags + ["--json"])
      #expect(found.status == 0, "\(found.errors)")
      let listed = try await sandbox.media("list", "--json", "--limit", "100").objects()
      #expect(listed.allSatisfy { ($0["caption"] as? String)?.hasPrefix("RT @") == false })
      for post in repeats {
        let stored = listed.filter { ($0["url"] as? String)?.hasSuffix("/\(post.postID)") == true }
        #expect(stored.count == 1 && stored.first?["caption"] as? String == post.caption)
        let by = "\(stored.first?["repeated_by"] ?? "")"
        #expect(by.contains("user\(post.boost?.by ?? -1)@"), "\(by)")
      }
    }
  }

  private func leavesNoSecret(_ sandbox: Sandbox, _ origin: Origin) throws {
    let secrets = try Secrets(in: sandbox)
    secrets.add(from: origin)
    secrets.add("app-secret-1")
    secrets.add(Data("my-key:app-secret-1".utf8).base64EncodedString())
    #expect(secrets.count >= 3)
    #expect(try secrets.leaks().isEmpty)
    #expect((origin.requests(to: "/media") + origin.requests(to: "/avatars")).allSatisfy { $0.token == nil })
    #expect(origin.critique.isEmpty)
  }

  @Test func `a server that has the older API alone is asked by that, and a pull goes on where it was`() async throws {
    try await withOrigin(script(150)) { origin in
      let sandbox = try Sandbox()
      try await logIn(sandbox, origin)
      origin.change { $0.troubles = [.every("/2/", .status(404))] }
      let tag = "cats@\(origin.url)"
      let first = try await pull(sandbox, "tag", tag, "--page-size", "40", "--pages", "2")
      #expect((first["posts", "new"], first["pages"] as? Int) == (80, 2))
      let rest = try await pull(sandbox, "tag", tag, "--page-size", "40", "--resume", "--pages", "9")
      #expect((rest["posts", "new"], rest["posts", "unchanged"]) == (70, 0))
      #expect(origin.requests(to: "/2/").count == 2)
    }
  }

  @Test func `a person logs in by PIN, pulls by either API with signed requests, and logs out`() async throws {
    try await withOrigin(script(150)) { origin in
      let sandbox = try Sandbox()
      let login = try sandbox.begin(
        "login", origin.url, "--source", "x", "--client-id", "my-key", "--client-secret-stdin", "--no-browser")
      login.type("app-secret-1\n")
      let page = try await login.line("\(origin.url)/oauth/authorize?")
      login.type("\(try origin.approvePIN(page))\n")
      try #require(try await login.end().status == 0, "\(login.errors)")
      #expect((try await sandbox.media("accounts", "--json").object()["account"] as? String)?.hasPrefix("ada@") == true)
      let tag = "cats@\(origin.url)"
      #expect(try await pull(sandbox, "tag", tag, "--all")["posts", "new"] == 150)
      let older = try await pull(sandbox, "tag", tag, "--api", "1.1", "--pages", "2")
      #expect(older["posts", "unchanged"] == 150)
      let requests = origin.requests(to: "/2/") + origin.requests(to: "/1.1/")
      #expect(requests.count == 4)
      #expect(requests.allSatisfy { $0.headers["authorization"]?.hasPrefix("OAuth oauth_consumer_key=") == true })
      let secrets = try Secrets(in: sandbox)
      for secret in ["app-secret-1", "person-secret-2", "page-secret-1"] { secrets.add(secret) }
      #expect(secrets.count >= 4)
      #expect(try secrets.leaks().isEmpty)
      #expect(origin.requests(to: "/media").allSatisfy { $0.token == nil })
      let wrong = try await sandbox.media("login", origin.url, "--source", "x", "--no-browser", input: "1234567\n")
      expect(wrong, fails: 77, saying: "refused the code", output: true)
      let out = try await sandbox.media("logout")
      #expect(out.errors.contains("the token is revoked and forgotten"))
      #expect(origin.tokens == ["scripted-token"])
    }
  }

  @Test func `a pull says what it may cost, and a budget holds it`() async throws {
    try await withOrigin(script(150)) { origin in
      let sandbox = try Sandbox()
      try await logIn(sandbox, origin)
      let flags = ["tag", "cats@\(origin.url)", "--page-size", "50"]
      let report = try await sandbox.run(flags + ["--pages", "2", "--library", "\(sandbox.folder)/other"])
      #expect(report.errors.contains("up to 100 posts, about $1.00 (at most $10.50, with authors, pictures, and the"))
      let requestCount = origin.requests(to: "/2/").count
      let none = try await sandbox.run(flags + ["--budget", "1", "--json"])
      #expect(none.status == 0)
      #expect(none.errors.contains("the next page of \(origin.url) may cost $5.25, and $1.00 of the budget is left: "))
      #expect(origin.requests(to: "/2/").count == requestCount)
      let held = try await sandbox.run(flags + ["--budget", "$5.90", "--pages", "3", "--json"])
      #expect(held.status == 0)
      let counts = try held.object()
      #expect((counts["pages"] as? Int, counts["complete"] as? Bool) == (1, false))
      let gap = try await sandbox.media("gaps", "--json").object()
      #expect(gap["kind"] as? String == "unfinished")
      let feed = try #require(gap["feed"] as? String)
      let filled = try await sandbox.media("gaps", feed, "--fill", "--page-size", "50", "--budget", "1")
      #expect(filled.status == 0)
      #expect(filled.errors.contains("and $1.00 of the budget is left: "))
      #expect(origin.requests(to: "/2/").count == requestCount + 1)
      expect(
        try await sandbox.media("gaps", "--fill", "--budget", "1"), fails: 64, saying: "goes with the name of a feed")
      let rest = try await sandbox.run(flags + ["--resume", "--budget", "9", "--json"]).object()
      #expect((rest["posts", "new"], rest["complete"] as? Bool) == (100, true))
      expect(try await sandbox.run(flags + ["--budget", "much"]), fails: 64, saying: "is not a sum in dollars")
      expect(
        try await sandbox.media("tag", "cats@birds.example", "--source", "mastodon", "--budget", "1"), fails: 64,
        saying: "mastodon charges nothing that is known")
    }
  }

  @Test func `looking posts up says what it may cost, and a budget holds it`() async throws {
    try await withOrigin(script(150)) { origin in
      let sandbox = try Sandbox()
      try await logIn(sandbox, origin)
      let feed = try await pull(sandbox, "tag", "cats@\(origin.url)", "--all", "--no-pictures")["feed"] as? String ?? ""
      let requestCount = origin.requests(to: "/2/").count
      let held = try await sandbox.media("recheck", feed, "--budget", "1", "--json")
      #expect(held.status == 0)
      #expect(
        held.errors.contains("about $0.005 a post that is looked up (at most $0.035, with its author and pictures)"))
      #expect(held.errors.contains("the next post of \(origin.url) may cost $0.035, and $0.0"), "\(held.errors)")
      let counts = try held.object()
      let looked = counts["looked_up"] as? Int ?? 0
      #expect((28..<150).contains(looked) && counts["unchanged"] as? Int == looked, "\(counts)")
      #expect(
        origin.requests(to: "/2/").count > requestCount + 1, "what less was spent than might have been is spent, too")
      let whole = try await sandbox.media("recheck", feed, "--budget", "100", "--json")
      #expect(try whole.object()["looked_up"] as? Int == 150)
      expect(try await sandbox.media("recheck", "--budget", "1"), fails: 64, saying: "goes with the name of a feed")
      expect(try await sandbox.media("recheck", feed, "--budget", "0"), fails: 64, saying: "is not a sum in dollars")
    }
  }

  @Test func `an API that was asked for is the feed's own until another one is`() async throws {
    try await withOrigin(script(150)) { origin in
      let sandbox = try Sandbox()
      try await logIn(sandbox, origin)
      let tag = "cats@\(origin.url)"
      let first = try await pull(sandbox, "tag", tag, "--api", "1.1", "--page-size", "40", "--pages", "2")
      #expect(first["posts", "new"] == 80)
      let rest = try await pull(sandbox, "tag", tag, "--resume", "--page-size", "40", "--pages", "9")
      #expect(rest["posts", "new"] == 70)
      #expect(try await sandbox.media("tag", tag).status == 0)
      #expect(origin.requests(to: "/2/").isEmpty)
      #expect(try await sandbox.media("tag", tag, "--api", "2").status == 0)
      #expect(try await sandbox.media("tag", tag).status == 0)
      #expect(origin.requests(to: "/2/").count == 2)
    }
  }

  @Test func `a pull that one API left unfinished another begins anew, and says so`() async throws {
    try await withOrigin(script(150)) { origin in
      let sandbox = try Sandbox()
      try await logIn(sandbox, origin)
      let tag = "cats@\(origin.url)"
      origin.change { $0.troubles = [.nth(3, "/2/", .status(500)), .nth(4, "/2/", .html)] }
      let first = try await sandbox.media("tag", tag, "--all", "--page-size", "40", "--json")
      #expect(first.status != 0)
      #expect(try first.object()["posts", "new"] ?? 0 > 0, "\(first.errors)")
      #expect(try await sandbox.media("gaps", "--json").objects().map { $0["kind"] as? String } == ["unfinished"])
      origin.change { $0.troubles = [] }
      let words = "what another API left unfinished begins anew at the top, what it has read stays"
      let rest = try await sandbox.media("tag", tag, "--resume", "--page-size", "40", "--api", "1.1", "--json")
      #expect(rest.status == 0 && rest.errors.contains(words), "\(rest.errors)")
      #expect(try rest.object()["complete"] as? Bool == true)
      #expect(try await sandbox.media("list", "--json", "--limit", "1000").objects().count == 150)
      #expect(try await sandbox.media("gaps", "--json").output.isEmpty)
      let again = try await sandbox.media("tag", tag, "--api", "1.1")
      #expect(again.status == 0 && !again.errors.contains(words))
    }
  }

  @Test func `a gap that one API has left is filled by another, however its cursors read`() async throws {
    let all = script(150).posts
    try await withOrigin(script(150)) { origin in
      let sandbox = try Sandbox()
      try await logIn(sandbox, origin)
      let tag = "cats@\(origin.url)"
      origin.change { $0.posts = Array(all.dropFirst(100)) }
      #expect(try await pull(sandbox, "tag", tag, "--api", "1.1", "--all")["posts", "new"] == 50)
      origin.change { $0.posts = all }
      #expect(try await pull(sandbox, "tag", tag, "--page-size", "20")["posts", "new"] == 20)
      #expect(try await pull(sandbox, "tag", tag, "--api", "2", "--page-size", "10")["posts", "unchanged"] == 10)
      #expect(try await sandbox.media("gaps", "--json").objects().map { $0["kind"] as? String } == ["gap"])
      let filled = try await pull(sandbox, "gaps", "--fill", "--page-size", "40", "--pages", "2")
      #expect((filled["posts", "new"], filled["complete"] as? Bool) == (60, false))
      let rest = try await pull(sandbox, "gaps", "--fill", "--page-size", "40")
      #expect((rest["posts", "new"], rest["complete"] as? Bool) == (20, true))
      #expect(try await sandbox.media("gaps", "--json").output.isEmpty)
      #expect(try await sandbox.media("list", "--json", "--limit", "1000").objects().count == 150)
    }
  }

  @Test func `a ready token logs in, wrong keys and wrong options are refused`() async throws {
    try await withOrigin(script(5)) { origin in
      let sandbox = try Sandbox()
      let keys = ["login", origin.url, "--source", "x", "--client-id", "my-key", "--client-secret-stdin"]
      let wrong = try await sandbox.run(keys + ["--app-only"], input: "other-secret\n")
      expect(wrong, fails: 77, saying: "knows no app with this key and secret")
      #expect(!wrong.errors.contains("other-secret"))
      let stranger = try await sandbox.run(keys.map { $0 == "my-key" ? "no-key" : $0 }, input: "app-secret-1\n")
      expect(stranger, fails: 77, saying: "knows no app with this key and secret")
      expect(try await sandbox.media("login", "x.com"), fails: 77, saying: "--source x --app-only --client-id ID")
      let token = ["login", origin.url, "--source", "x", "--token-stdin"]
      expect(try await sandbox.run(token, input: "no-such-token\n"), fails: 77, saying: "refused the token")
      #expect(try await sandbox.run(token, input: "scripted-token\n").status == 0)
      #expect(try await sandbox.media("tag", "cats").status == 0)
      let api = try await sandbox.media("tag", "cats", "--api", "7")
      expect(api, fails: 64, saying: "x has no API 7")
      let nobody = try await sandbox.media("user", "nobody", "--server", origin.url)
      expect(nobody, fails: 69, saying: "has no user nobody", output: true)
    }
  }
}
