import Foundation
import ScriptedOrigin
import Testing

/// Harvests by users and by a crontab.
@Suite(.timeLimit(.minutes(10))) struct HarvestJourneyTests {
  private static let path = "/api/v1/timelines/tag/"

  /// Posts of several tags without pictures.
  private static func script(_ tags: String..., each count: Int = 5) -> Script {
    var script = Script()
    for (index, tag) in tags.enumerated() {
      var writer = PostWriter(tag: tag, seed: UInt64(index + 1))
      script.posts = (0..<count).map { writer.post(index * 1000 + $0) }.reversed() + script.posts
    }
    for index in script.posts.indices { script.posts[index].attachments = [] }
    return script
  }

  private func follow(_ tags: String..., at origin: Origin, _ sandbox: Sandbox) async throws {
    for tag in tags { #expect(try await sandbox.media("follow", "\(tag)@\(origin.url)", "--unchecked").status == 0) }
  }

  @Test func `followed feeds are pulled, what came is counted, and what was deleted stays deleted`() async throws {
    let all = Script(posts: 70)
    try await withOrigin(Script(posts: Array(all.posts.dropFirst(10)))) { origin in
      let sandbox = try Sandbox()
      try await follow("cats", at: origin, sandbox)
      let first = try await sandbox.media("harvest")
      #expect(first.status == 0, "\(first.errors)")
      #expect(first.output.hasPrefix("1 feed: 40 new; "), "\(first.output)")
      #expect(first.output.hasSuffix("; 1 request\n"))
      #expect(try await sandbox.media("delete", "1").status == 0)
      origin.change { $0.posts = all.posts }
      let second = try await sandbox.media("harvest", "--json").object()
      #expect((second["posts", "new"], second["posts", "deleted"]) == (10, 1))
      #expect((second["complete"] as? Bool, second["requests"] as? Int) == (true, 1))
      #expect(second["failure"] == nil)
      #expect(try await sandbox.media("list", "--json", "--limit", "500").lines.count == 49)
      #expect(try await sandbox.media("gaps", "--json").output.isEmpty)
      #expect(try await sandbox.media("harvest").output == "1 feed: nothing new; 1 request\n")
      #expect(origin.critique.isEmpty)
    }
  }

  @Test func `a crontab hears nothing of a success, and a feed is asked when its time has come`() async throws {
    try await withOrigin(Self.script("cats")) { origin in
      let sandbox = try Sandbox()
      try await follow("cats", at: origin, sandbox)
      for _ in 0..<3 {
        let ended = try await sandbox.media("harvest", "--due", "--quiet")
        #expect((ended.status, ended.output, ended.errors) == (0, "", ""))
      }
      #expect(origin.requests(to: Self.path).count == 1)
      #expect(try await sandbox.media("harvest", "--due").errors.contains("No feed is due, the next is at"))
      let run = try await sandbox.media("runs", "--json").object()
      #expect((run["state"] as? String, run["code"] as? Int, run["posts", "new"]) == ("done", 0, 5))
      #expect((run["feeds", "planned"], run["feeds", "pulled"], run["requests"] as? Int) == (1, 1, 1))
      #expect(run["bytes"] as? Int ?? 0 > 500)
    }
  }

  @Test(.inFolders) func `a harvest without follows says how to begin`() async throws {
    let sandbox = try Sandbox()
    let ended = try await sandbox.media("harvest")
    #expect((ended.status, ended.output) == (0, ""))
    #expect(ended.errors.contains("media follow cats@mastodon.social"))
    #expect(!FileManager.default.fileExists(atPath: sandbox.library))
    #expect(try await sandbox.media("harvest", "--due", "--quiet").errors.isEmpty)
    #expect(try await sandbox.media("runs").errors == "Nothing was harvested yet.\n")
  }

  @Test func `a library that has moved is not an empty library`() async throws {
    let sandbox = try Sandbox()
    let folder = "\(sandbox.folder)/moved"
    expect(
      try await sandbox.media("harvest", "--due", "--quiet", "--library", folder), fails: 74,
      saying: "there is no library at \(folder)", "--library")
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func `one feed that does not parse, one that is gone, and the rest goes on`() async throws {
    try await withOrigin(Self.script("cats")) { origin in
      let sandbox = try Sandbox()
      origin.change {
        for name in ["/odd", "/gone"] { $0.documents[name] = .rss([ScriptedItem(1, at: origin.url)]) }
      }
      for name in ["odd", "gone"] {
        #expect(try await sandbox.media("follow", "\(origin.url)/\(name)", "--unchecked").status == 0, "\(name)")
      }
      origin.change {
        $0.documents["/odd"] = ScriptedDocument("no feed at all", type: "text/plain")
        $0.troubles = [.every("/gone", .gone)]
      }
      try await follow("cats", at: origin, sandbox)
      let ended = try await sandbox.media("harvest", "--json")
      #expect(ended.status == 1)
      let lines = try ended.objects()
      #expect(lines.count == 3)
      #expect(lines.compactMap { $0["failure"] as? String }.count == 2)
      #expect(lines.map { $0["posts", "new"] ?? 0 }.reduce(0, +) == 5)
      let apiErrors = ended.errors.split(separator: "\n").filter { $0.hasPrefix("media: ") }
      #expect(apiErrors.count == 2, "\(ended.errors)")
      #expect(apiErrors.contains { $0.contains("/gone: ") && $0.contains("taken the feed at /gone away for good") })
      let requestCount = origin.requests(to: "/gone").count
      #expect(try await sandbox.media("harvest").status == 1)
      #expect(origin.requests(to: "/gone").count == requestCount)
      let follows = try await sandbox.bash("COLUMNS=200 $MEDIA follows").output
      #expect(follows.contains("gone for good, \"media follow\" asks again"))
      origin.change { $0.troubles = [] }
      _ = try await sandbox.media("follow", "\(origin.url)/gone", "--unchecked")
      #expect(try await sandbox.media("harvest", "\(origin.url)/gone", "--json").object()["posts", "new"] == 1)
    }
  }

  @Test func `feeds that all fail alike end with their own status, and a limit with 75`() async throws {
    try await withOrigin(Self.script("cats", "birds")) { origin in
      let sandbox = try Sandbox()
      try await follow("cats", "birds", at: origin, sandbox)
      origin.change { $0.troubles = [.every(Self.path, .html)] }
      let ended = try await sandbox.media("harvest", "--quiet")
      #expect((ended.status, ended.output) == (65, ""))
      #expect(ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
      let both = ["cats", "birds"].map { "tag:\($0)@\(origin.url)" }
      #expect([both, both.reversed()].contains { ended.errors.contains("\($0[0]) and \($0[1]): ") }, "\(ended.errors)")
      origin.change { $0.troubles = [.every(Self.path, .status(429, headers: ["Retry-After": "1800"]))] }
      let before = origin.requests(to: Self.path).count
      let limited = try await sandbox.media("harvest")
      #expect(limited.status == 75)
      #expect(limited.output == "2 feeds: 2 wait for their server; 1 request\n")
      #expect(limited.errors.contains("takes no more requests until"))
      #expect(origin.requests(to: Self.path).count == before + 1)
      #expect(try await sandbox.media("harvest").status == 75)
      #expect(origin.requests(to: Self.path).count == before + 1)
      #expect(try await sandbox.media("follows", "--json").objects().allSatisfy { $0["state"] as? String == "limited" })
    }
  }

  @Test func `any feed can be harvested, followed or not`() async throws {
    try await withOrigin(Self.script("cats", "birds")) { origin in
      let sandbox = try Sandbox()
      let ended = try await sandbox.media("harvest", "cats@\(origin.url)", "tag:birds@\(origin.url)", "--json")
      #expect(try ended.objects().map { $0["posts", "new"] } == [5, 5])
      #expect(try await sandbox.media("follows", "--json").output.isEmpty)
      #expect(try await sandbox.media("harvest", "cats", "--json").object()["posts", "new"] == 0)
    }
  }

  @Test func `one harvest at a time: the other is told who it is, or waits`() async throws {
    try await withOrigin(Self.script("cats")) { origin in
      let sandbox = try Sandbox()
      try await follow("cats", at: origin, sandbox)
      origin.change { $0.troubles = [.every(Self.path, .held)] }
      let running = try sandbox.begin("harvest")
      while origin.requests(to: Self.path).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      let second = try await sandbox.media("harvest", "--quiet")
      expect(second, fails: 75, saying: "another harvest is under way: process ", "(media harvest), since ", "--wait")
      let short = try await sandbox.media("harvest", "--wait", "0s")
      #expect(short.status == 75)
      #expect(try await sandbox.media("runs").output.contains("running"))
      let waiting = try sandbox.begin("harvest", "--wait", "--json")
      try await waiting.says("media: waiting: another harvest is under way")
      origin.change { $0.troubles = [] }
      #expect(try await running.end().status == 0)
      let last = try await waiting.end()
      #expect((last.status, try last.object()["posts", "new"]) == (0, 0))
    }
  }

  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
  func `a signal ends a harvest, what came is stored, and the ledger says so`(signal: Int32, status: Int32) async throws
  {
    try await withOrigin(Self.script("birds", "cats")) { origin in
      let sandbox = try Sandbox()
      try await follow("birds", "cats", at: origin, sandbox)
      origin.change { $0.troubles = [.every(Self.path + "cats", .held)] }
      let running = try sandbox.begin("harvest")
      while origin.requests(to: Self.path + "cats").isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      running.signal(signal)
      let ended = try await running.end()
      #expect(ended.status == status)
      #expect(ended.errors.contains("interrupted: what came is stored"))
      let run = try await sandbox.media("runs", "--json").object()
      #expect((run["state"] as? String, run["code"] as? Int) == ("interrupted", Int(status)))
      #expect((run["feeds", "pulled"], run["posts", "new"]) == (1, 5))
      origin.change { $0.troubles = [] }
      let next = try await sandbox.media("harvest", "--due", "--json").object()
      #expect(next["feed"] as? String == "tag:cats@\(origin.url)")
    }
  }

  @Test func `a killed harvest is recorded as cut off, with what came until then`() async throws {
    try await withOrigin(Self.script("birds", "cats")) { origin in
      let sandbox = try Sandbox()
      try await follow("birds", "cats", at: origin, sandbox)
      origin.change { $0.troubles = [.every(Self.path + "cats", .held)] }
      let running = try sandbox.begin("harvest")
      while origin.requests(to: Self.path + "cats").isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      running.signal(SIGKILL)
      _ = try await running.end()
      let cut = try await sandbox.media("runs", "--json").object()
      #expect((cut["state"] as? String, cut["posts", "new"]) == ("cut off", 5))
      #expect(cut["finished"] is NSNull)
      origin.change { $0.troubles = [] }
      #expect(try await sandbox.media("harvest").status == 0)
      let runs = try await sandbox.media("runs", "--json").objects()
      #expect(runs.map { $0["state"] as? String } == ["done", "cut off"])
      #expect(try await sandbox.media("gaps", "--json").output.isEmpty)
      let whole = try await sandbox.media("runs", "--last")
      #expect(whole.lines.first?.hasPrefix("when ") == true)
      #expect(whole.lines.last?.contains("tag:cats@\(origin.url)") == true)
    }
  }

  @Test func `somebody's second login stops no harvest, and a command that can be told whose it is still asks`()
    async throws
  {
    try await withOrigin(Self.script("cats")) { origin in
      let sandbox = try Sandbox()
      try await follow("cats", at: origin, sandbox)
      let logins = ["ada", "bo"].map { name in
        """
        {"source": "mastodon", "server": "\(origin.url)", "handle": "\(name)@127.0.0.1", "name": "\(name)",
          "token": "\(name == "ada" ? "scripted" : "other")-token", "scopes": ["read"], "created": "2026-01-01T00:00:00Z"}
        """
      }
      let accounts = logins.joined(separator: ", ")
      try sandbox.configure(
        "accounts.json", "{\"version\": 1, \"apps\": [], \"pending\": [], \"accounts\": [\(accounts)]}")
      expect(try await sandbox.media("tag", "cats@\(origin.url)"), fails: 64, saying: "several accounts fit")
      let ended = try await sandbox.media("harvest")
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(Set(origin.requests(to: "/api/v1/timelines").map(\.token)) == ["scripted-token"])
    }
  }

  @Test func `a feed that wants a login names the login to type, once, and is asked again after it`() async throws {
    try await withOrigin(Self.script("cats")) { origin in
      let sandbox = try Sandbox()
      origin.change { $0.requiresToken = true }
      try await follow("cats", at: origin, sandbox)
      let ended = try await sandbox.media("harvest", "--due", "--quiet")
      expect(ended, fails: 77, saying: "tag:cats@\(origin.url): ", "run \"media login \(origin.url)\"")
      #expect(try await sandbox.media("harvest", "--due", "--quiet").status == 0)
      let login = try await sandbox.media("login", origin.url, "--token-stdin", input: "scripted-token\n")
      #expect(login.status == 0, "\(login.errors)")
      #expect(try await sandbox.media("harvest", "--due", "--json").object()["posts", "new"] == 5)
    }
  }
}
