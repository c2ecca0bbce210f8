import Foundation
import ScriptedOrigin
import Testing

/// Users' posts and searches, pulled as users do.
@Suite(.timeLimit(.minutes(10))) struct UserAndSearchTests {
  private func login(_ sandbox: Sandbox, at origin: Origin) async throws {
    let flags = ["login", origin.url, "--token-stdin", "--no-browser"]
    let ended = try await sandbox.run(flags, input: "scripted-token\n")
    #expect(ended.status == 0, "\(ended.errors)")
  }

  @Test func `a user's posts are pulled to their end, with what they passed on under its author's name`() async throws {
    try await withOrigin(Script(posts: 120, boosts: true)) { origin in
      let sandbox = try Sandbox()
      let server = ["--server", origin.url, "--no-pictures", "--no-avatars", "--page-size", "10", "--json"]
      let ended = try await sandbox.run(["user", "@User1", "--all"] + server)
      #expect(ended.status == 0, "\(ended.errors)")
      let summary = try ended.object()
      let theirs = origin.script.posts.filter { ($0.boost?.by ?? $0.author) == 1 }
      #expect(summary["feed"] as? String == "user:user1@\(origin.url)")
      #expect((summary["posts"] as? [String: Int])?["new"] == theirs.count)
      #expect(summary["complete"] as? Bool == true)
      #expect(origin.requests(to: "/api/v1/accounts/lookup").count == 1)
      let listed = try await sandbox.media("list", "--json", "--limit", "1000").objects()
      #expect(listed.count == theirs.count)
      let handles = listed.compactMap { ($0["author"] as? [String: any Sendable])?["handle"] as? String }
      #expect(handles.contains { !$0.hasPrefix("user1@") })
      #expect(try await sandbox.media("gaps").errors.contains("Nothing is known to be missing"))
      let again = try await sandbox.run(["user", "user1@\(origin.url)", "--new"] + server.dropFirst(2))
      #expect((try again.object()["posts"] as? [String: Int])?["new"] == 0)
      #expect(origin.critique == [])
    }
  }

  @Test func `web addresses stand for a tag, a user and a post`() async throws {
    try await withOrigin(Script(posts: 20)) { origin in
      let sandbox = try Sandbox()
      let plain = ["--no-pictures", "--no-avatars", "--json"]
      #expect(
        try await sandbox.run(["tag", "\(origin.url)/tags/Cats"] + plain).object()["feed"] as? String
          == "tag:cats@\(origin.url)")
      #expect(
        try await sandbox.run(["user", "\(origin.url)/@User1"] + plain).object()["feed"] as? String
          == "user:user1@\(origin.url)")
      let newest = try #require(origin.script.posts.first)
      let shown = try await sandbox.media("show", newest.url, "--json")
      #expect(try shown.object()["url"] as? String == newest.url, "\(shown.errors)")
      for ending in ["/", "?utm_source=a", "#b", "/?a=b#c"] {
        #expect(try await sandbox.media("show", newest.url + ending).status == 0, "\(ending)")
      }
      let hidden = try await sandbox.media("hide", "user:\(origin.url)/@User1", "tag:\(origin.url)/tags/Cats", "--json")
      #expect((try hidden.object()["names"] as? [String])?.contains("tag:cats") == true, "\(hidden.errors)")
      #expect(try await sandbox.media("undo").status == 0)
      #expect(try await sandbox.media("gaps", "\(origin.url)/tags/cats").status == 0)
      expect(
        try await sandbox.media("show", "https://origin.example/@nobody/1"), fails: 64, saying: "no post of the library"
      )
      expect(try await sandbox.media("user", "\(origin.url)/tags/cats"), fails: 64, saying: "is the address of a tag")
      expect(
        try await sandbox.media("tag", "cats", "--server", "\(origin.url)/mastodon"), fails: 64,
        saying: "is no part of it", "write \(origin.url)")
    }
  }

  @Test func `an account's host leads to the server of its API`() async throws {
    try await withOrigin(Script(posts: 20)) { origin in
      try await withOrigin(Script(posts: 0)) { host in
        host.change { script in
          script.accounts = 0
          script.documents["/.well-known/webfinger"] = ScriptedDocument(
            #"{"links":[{"rel":"self","href":"\#(origin.url)/users/user1"}]}"#, type: "application/jrd+json")
        }
        let ended = try await Sandbox().media("user", "user1@\(host.url)", "--no-pictures", "--no-avatars", "--json")
        #expect(try ended.object()["feed"] as? String == "user:user1@\(origin.url)", "\(ended.errors)")
        #expect(ended.errors.contains("\(host.url) leaves its accounts to \(origin.url)"))
        let followed = try await Sandbox().media("follow", "user:user1@\(host.url)", "--json")
        #expect(try followed.object()["feed"] as? String == "user:user1@\(origin.url)", "\(followed.errors)")
      }
    }
  }

  @Test func `an unknown user is reported, and so is an invalid name`() async throws {
    try await withOrigin(Script(posts: 10)) { origin in
      let sandbox = try Sandbox()
      let ended = try await sandbox.media("user", "nobody", "--server", origin.url)
      #expect(ended.status == 69)
      #expect(ended.errors.contains("user nobody"), "\(ended.errors)")
      let gaps = try await sandbox.media("gaps", "--fill")
      #expect((gaps.status, gaps.output) == (0, ""), "\(gaps)")
      #expect(gaps.errors.contains("Nothing is known to be missing."))
      expect(try await sandbox.media("unfollow", "user:nobody@\(origin.url)"), fails: 64, saying: "is not followed")
      #expect(try await sandbox.media("user", "no body", "--server", origin.url).status == 64)
      #expect(try await sandbox.media("user", "@", "--server", origin.url).status == 64)
    }
  }

  @Test(arguments: [30, 60])
  func `a search whose server takes no notice of cursors ends with what is shown, and again`(posts: Int) async throws {
    let trouble = Trouble.every("/api/v2/search", .cursorLoop)
    try await withOrigin(Script(posts: posts, troubles: [trouble])) { origin in
      let sandbox = try Sandbox()
      try await login(sandbox, at: origin)
      let search = ["search", "e", "--server", origin.url, "--json", "--no-pictures", "--no-avatars"]
      let ended = try await sandbox.run(search + ["--all"])
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(try ended.object()["posts", "new"] == min(posts, 40))
      #expect(try ended.object()["complete"] as? Bool == true)
      // Requests of the login, the page, the page again, and the comparison of both.
      #expect(origin.requests(to: "/api/v2/search").count <= 4)
      for more in [["--resume"], ["--pages", "9"]] {
        let again = try await sandbox.run(search + more)
        #expect(again.status == 0, "\(more): \(again.errors)")
      }
      #expect(try await sandbox.media("gaps").errors.contains("Nothing is known to be missing"))
      #expect(try await sandbox.media("gaps", "--fill").status == 0)
    }
  }

  @Test func `a search wants a login, and then brings what the server finds`() async throws {
    try await withOrigin(Script(posts: 60)) { origin in
      let sandbox = try Sandbox()
      let search = ["search", "river", "--server", origin.url, "--all", "--page-size", "5", "--json", "--no-avatars"]
      let refused = try await sandbox.run(search)
      #expect(refused.status == 77)
      #expect(refused.errors.contains("media login \(origin.url)"), "\(refused.errors)")
      try await login(sandbox, at: origin)
      let ended = try await sandbox.run(search)
      #expect(ended.status == 0, "\(ended.errors)")
      let found = origin.script.posts.filter { $0.caption.contains("river") }
      #expect(found.count > 10)
      let summary = try ended.object()
      #expect(summary["feed"] as? String == "search:river@\(origin.url)")
      #expect((summary["posts"] as? [String: Int])?["new"] == found.count)
      #expect(summary["complete"] as? Bool == true)
      // A search that fails finds nothing, too.
      #expect(try await sandbox.sql("SELECT reached_end FROM coverage") == "0\n")
      #expect(try await sandbox.media("list", "--json", "--limit", "1000").lines.count == found.count)
      #expect(try await sandbox.media("search", "  ", "--server", origin.url).status == 64)
      // An @ in the terms is not a server.
      let words = try await sandbox.run(["search", "from @birds", "--server", origin.url, "--json"])
      #expect(try words.object()["feed"] as? String == "search:from @birds@\(origin.url)")
    }
  }

  @Test func `the built-in server has users and searches, too`() async throws {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--posts", "100", "--port", "0")
    let url = try await demo.line("http")
    let ended = try await sandbox.media("user", "catpatrol", "--server", url, "--all", "--json", "--no-pictures")
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(((try ended.object()["posts"] as? [String: Int])?["new"] ?? 0) > 0)
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }
}
