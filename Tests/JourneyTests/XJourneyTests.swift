import Foundation
import ScriptedOrigin
import Testing

/// X's APIs at a server of one's own, as a person uses them.
@Suite(.timeLimit(.minutes(10))) struct XJourneyTests {
  private func script(_ count: Int = 230) -> Script {
    var script = Script(posts: count)
    script.keys = ["my-key": "app-secret-1"]
    return script
  }

  private func logIn(_ house: Household, _ origin: Origin) async throws {
    let flags = ["--source", "x", "--app-only", "--client-id", "my-key", "--client-secret-stdin"]
    let ended = try await house.run(["login", origin.url] + flags, input: "app-secret-1\n")
    try #require(ended.status == 0, "\(ended.errors)")
    let account = try await house.media("accounts", "--json").object()
    #expect((account["source"] as? String, (account["account"] as? String)?.hasPrefix("app@")) == ("x", true))
  }

  private func pull(_ house: Household, _ arguments: String...) async throws -> [String: any Sendable] {
    let ended = try await house.run(arguments + ["--json", "--verbose"])
    try #require(ended.status == 0, "\(ended.errors)")
    return try ended.object()
  }

  @Test func `an app logs in and pulls a tag, a user and a search, by either API; no secret is left`() async throws {
    try await withOrigin(script()) { origin in
      let house = try Household()
      let early = try await house.media("tag", "cats", "--server", origin.url, "--source", "x")
      let command = "media login \(origin.url) --source x --app-only --client-id KEY --client-secret-stdin"
      expect(early, fails: 77, saying: command, output: true)
      try await logIn(house, origin)
      let posts = origin.script.posts
      let tag = try await pull(house, "tag", "cats@\(origin.url)", "--all")
      #expect(tag["feed"] as? String == "tag:cats@x+\(origin.url)")
      #expect((tag["posts", "new"], tag["posts", "unreadable"], tag["pages"] as? Int) == (230, 0, 3))
      #expect(tag["complete"] as? Bool == true)
      #expect(tag["media", "downloaded"] == origin.script.pictureHashes.count)
      let listed = try await house.media("list", "--json", "--limit", "1000").objects()
      #expect(listed.map { $0["caption"] as? String } == posts.map(\.caption))
      #expect(listed.allSatisfy { $0["source"] as? String == "x" })
      let older = try await pull(house, "tag", "cats@\(origin.url)", "--api", "1.1", "--pages", "2")
      #expect((older["posts", "unchanged"], older["posts", "updated"], older["posts", "new"]) == (200, 0, 0))
      let theirs = posts.filter { $0.author == 1 }.count
      for flags in [["user", "User1"], ["user", "user1", "--api", "1.1"]] {
        let user = try await house.run(flags + ["--server", origin.url, "--all", "--json"]).object()
        #expect((user["posts", "unchanged"], user["posts", "new"]) == (theirs, 0), "\(flags)")
      }
      let found = try await pull(house, "search", "river", "--server", origin.url, "--pages", "5")
      #expect(found["posts", "unchanged"] == posts.count { $0.caption.contains("river") })
      try leavesNoSecret(house, origin)
    }
  }

  private func leavesNoSecret(_ house: Household, _ origin: Origin) throws {
    let secrets = try Secrets(in: house)
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
      let house = try Household()
      try await logIn(house, origin)
      origin.change { $0.troubles = [.every("/2/", .status(404))] }
      let place = "cats@\(origin.url)"
      let first = try await pull(house, "tag", place, "--page-size", "40", "--pages", "2")
      #expect((first["posts", "new"], first["pages"] as? Int) == (80, 2))
      let rest = try await pull(house, "tag", place, "--page-size", "40", "--resume", "--pages", "9")
      #expect((rest["posts", "new"], rest["posts", "unchanged"]) == (70, 0))
      #expect(origin.requests(to: "/2/").count == 2)
    }
  }

  @Test func `an API that was asked for is the feed's own until another one is`() async throws {
    try await withOrigin(script(150)) { origin in
      let house = try Household()
      try await logIn(house, origin)
      let place = "cats@\(origin.url)"
      let first = try await pull(house, "tag", place, "--api", "1.1", "--page-size", "40", "--pages", "2")
      #expect(first["posts", "new"] == 80)
      let rest = try await pull(house, "tag", place, "--resume", "--page-size", "40", "--pages", "9")
      #expect(rest["posts", "new"] == 70)
      #expect(try await house.media("tag", place).status == 0)
      #expect(origin.requests(to: "/2/").isEmpty)
      #expect(try await house.media("tag", place, "--api", "2").status == 0)
      #expect(try await house.media("tag", place).status == 0)
      #expect(origin.requests(to: "/2/").count == 2)
    }
  }

  @Test func `a ready token logs in, wrong keys and wrong wishes are told so`() async throws {
    try await withOrigin(script(5)) { origin in
      let house = try Household()
      let keys = ["login", origin.url, "--source", "x", "--client-id", "my-key", "--client-secret-stdin"]
      let wrong = try await house.run(keys + ["--app-only"], input: "other-secret\n")
      expect(wrong, fails: 77, saying: "knows no app with this key and secret")
      #expect(!wrong.errors.contains("other-secret"))
      expect(try await house.run(keys, input: "app-secret-1\n"), fails: 64, saying: "add --app-only")
      expect(try await house.media("login", "x.com"), fails: 77, saying: "--source x --app-only --client-id ID")
      let token = ["login", origin.url, "--source", "x", "--token-stdin"]
      expect(try await house.run(token, input: "no-such-token\n"), fails: 77, saying: "refused the token")
      #expect(try await house.run(token, input: "scripted-token\n").status == 0)
      #expect(try await house.media("tag", "cats").status == 0)
      let api = try await house.media("tag", "cats", "--api", "7")
      expect(api, fails: 64, saying: "x has no API 7")
      let nobody = try await house.media("user", "nobody", "--server", origin.url)
      expect(nobody, fails: 69, saying: "has no user nobody", output: true)
    }
  }
}
