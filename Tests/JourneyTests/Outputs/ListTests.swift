import Foundation
import ScriptedOrigin
import Testing

/// The filters of `media list`.
@Suite(.timeLimit(.minutes(10))) struct ListTests {
  /// A library filled from an origin with these posts.
  private func filled(_ script: Script, tag: String = "cats", pages: Int = 2) async throws -> Sandbox {
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      let pull = ["tag", tag, "--pages", "\(pages)", "--no-pictures", "--no-avatars", "--server", origin.url]
      let ended = try await sandbox.run(pull)
      #expect(ended.status == 0, "\(ended.errors)")
      return sandbox
    }
  }

  private func urls(_ sandbox: Sandbox, _ arguments: String...) async throws -> [String] {
    let ended = try await sandbox.run(["list", "--json"] + arguments)
    #expect(ended.status == 0, "\(ended.errors)")
    return try ended.objects().map { $0["url"] as? String ?? "" }
  }

  @Test func `a post as JSON has every key of the contract`() async throws {
    let sandbox = try await filled(Script(posts: 3))
    let made = try await sandbox.media("add", "by hand", "--json").object()
    let keys: Set = [
      "id", "origin", "source", "server", "remote_id", "url", "author", "created_at", "title", "caption", "tags",
      "sensitive", "attachments", "warning", "edited_at", "ends_at", "language", "gone", "gone_at", "repeated_by",
      "revisions", "quote", "visibility", "license", "favourite", "rating", "seen", "hidden", "note", "own_tags",
      "albums",
    ]
    for post in try await sandbox.media("list", "--json").objects() { #expect(Set(post.keys) == keys) }
    #expect(Set(made.keys) == keys)
    #expect(made["author"] is NSNull)
    let pulled = try #require(try await sandbox.media("list", "--json").objects().last)
    #expect(pulled["origin"] as? String == "pulled")
    #expect(pulled["source"] as? String == "mastodon")
    #expect((pulled["author"] as? [String: any Sendable])?.keys.sorted() == ["avatar", "handle", "name"])
    let picture = try #require(
      try await sandbox.media("list", "--json").objects()
        .flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }.first)
    #expect(
      picture.keys.sorted() == ["alt", "height", "kind", "path", "sha256", "skipped_for", "state", "url", "width"])
    #expect(picture["state"] as? String == "skipped")
  }

  @Test func `paging by the last post's number shows everything once, newest first`() async throws {
    let script = Script(posts: 75)
    let sandbox = try await filled(script)
    var seen: [String] = []
    var last: [String] = []
    while seen.count <= 75 {
      let page = try await sandbox.run(["list", "--json", "--limit", "8"] + last).objects()
      guard let end = page.last?["id"] as? Int else { break }
      seen += page.compactMap { $0["url"] as? String }
      last = ["--before", "\(end)"]
    }
    #expect(seen == script.posts.map(\.url))
  }

  @Test func `posts of one moment are paged through like any others`() async throws {
    var script = Script(posts: 20)
    for index in script.posts.indices { script.posts[index].createdAt = 1_760_000_000 }
    let sandbox = try await filled(script)
    var seen: [String] = []
    var last: [String] = []
    while seen.count <= 20 {
      let page = try await sandbox.run(["list", "--json", "--limit", "3"] + last).objects()
      guard let end = page.last?["id"] as? Int else { break }
      seen += page.compactMap { $0["url"] as? String }
      last = ["--before", "\(end)"]
    }
    #expect(seen.count == 20)
    #expect(Set(seen) == Set(script.posts.map(\.url)))
  }

  @Test func `a tag's list holds what carries it and what its feed brought`() async throws {
    var script = Script(posts: 6)
    // The server assigns it to the tag; the post itself does not.
    script.posts[1].overrides = ["tags": [["name": "kittens"]]]
    script.posts[2].overrides = ["tags": [["name": "cats"], ["name": "kittens"]]]
    let sandbox = try await filled(script)
    let all = script.posts.map(\.url)
    #expect(try await urls(sandbox, "--tag", "cats") == all)
    #expect(try await urls(sandbox, "--tag", "#CATS") == all)
    #expect(try await urls(sandbox, "--tag", "kittens") == [all[1], all[2]])
    #expect(try await urls(sandbox, "--tag", "dogs").isEmpty)
    #expect(try await urls(sandbox, "--tag", "kittens", "--search", "number").count == 2)
  }

  @Test func `a user's list holds that user's posts, by name or handle`() async throws {
    let script = Script(posts: 30)
    let sandbox = try await filled(script)
    let mine = script.posts.filter { $0.author == 2 }.map(\.url)
    #expect(!mine.isEmpty)
    #expect(try await urls(sandbox, "--user", "user2") == mine)
    #expect(try await urls(sandbox, "--user", "@User2") == mine)
    for unknown in ["user", "user2' OR 1=1 --"] {
      expect(try await sandbox.media("list", "--user", unknown, "--json"), fails: 64, saying: "no post of")
    }
  }

  @Test func `a user of whom nothing is stored is told as a feed that was never pulled is`() async throws {
    try await withOrigin(Script(posts: 5)) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("tag", "cats", "--server", origin.url, "--no-pictures", "--no-avatars")
      let handle = try #require(
        try await sandbox.media("list", "--json").objects().first?["author"] as? [String: any Sendable])
      let known = try #require((handle["handle"] as? String)?.split(separator: "@").first.map(String.init))
      for form in [known, "@\(known)", known.uppercased()] {
        #expect(try await !sandbox.media("list", "--user", form, "--json").output.isEmpty)
      }
      let mistyped = "\(known)x"
      expect(
        try await sandbox.media("list", "--user", mistyped), fails: 64, saying: "no post of \"\(mistyped)\" is stored",
        "did you mean")
      expect(try await sandbox.media("export", "--user", "zzzzzz"), fails: 64, saying: "no post of", "media list")
    }
  }

  @Test func `a list begins and ends at the times that are asked for`() async throws {
    let sandbox = try Sandbox()
    for day in 1...5 { try await sandbox.media("add", "day \(day)", "--at", "2020-11-0\(day) 12:00") }
    func captions(_ flags: String...) async throws -> [String] {
      try await sandbox.run(["list", "--json"] + flags).objects().compactMap { $0["caption"] as? String }
    }
    #expect(try await captions("--since", "2020-11-04") == ["day 5", "day 4"])
    #expect(try await captions("--until", "2020-11-02") == ["day 2", "day 1"], "a day counts whole")
    #expect(try await captions("--since", "2020-11-02 12:00", "--until", "2020-11-03 12:00") == ["day 2"])
    try await sandbox.media("plan", "later", "--start", "2199-01-01")
    #expect(try await captions("--since", "2020-11-05") == ["day 5"], "what is planned heads no open list")
    #expect(
      try await sandbox.media("export", "--since", "2020-11-04", "--format", "csv").output.split(
        whereSeparator: \.isNewline
      ).count == 3)
  }

  @Test func `words, beginnings and phrases are found`() async throws {
    var script = Script(posts: 6)
    script.posts[0].html = "<p>A quiet kingfisher by the river</p>"
    script.posts[1].html = "<p>The river was quiet</p>"
    script.posts[2].html = "<p>Zoë's Äpfel 東京</p>"
    for index in 3..<6 { script.posts[index].html = "<p>nothing to see</p>" }
    let sandbox = try await filled(script)
    let all = script.posts.map(\.url)
    #expect(try await urls(sandbox, "--search", "quiet river") == [all[0], all[1]])
    #expect(try await urls(sandbox, "--search", "\"the river\"") == [all[0], all[1]])
    #expect(try await urls(sandbox, "--search", "\"river was\"") == [all[1]])
    #expect(try await urls(sandbox, "--search", "kingf") == [all[0]])
    #expect(try await urls(sandbox, "--search", "ÄPFEL") == [all[2]])
  }

  @Test(arguments: [
    "\"", "'; DROP TABLE post; --", "a AND", "NEAR(", "*", "^", "caption:", "-", "(((", "\\", "%", "\u{202E}",
    "\"unclosed", "{", "OR", "cats*\"", "🐈‍⬛",
  ])
  func `no search breaks anything`(query: String) async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "a quiet \(query) bird", "--tag", "cats")
    let ended = try await sandbox.media("list", "--json", "--search", query)
    #expect((ended.status, ended.errors) == (0, ""))
    #expect(try await sandbox.media("list", "--json", "--search", "bird").lines.count == 1)
  }

  @Test func `a day is a local day, also when the clocks change`() async throws {
    let moments = [
      "2026-03-28T22:59:59Z", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z",
      "2026-10-24T21:59:59Z", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z", "2026-10-25T23:00:00Z",
    ]
    var script = Script(posts: moments.count)
    for (index, moment) in moments.reversed().enumerated() {
      script.posts[index].overrides = ["created_at": .text(moment)]
    }
    var sandbox = try await filled(script)
    let url = Dictionary(uniqueKeysWithValues: zip(moments.reversed(), script.posts.map(\.url)))
    sandbox.environment["TZ"] = "Europe/Berlin"
    for (day, first, last) in [("2026-03-29", 1, 2), ("2026-10-25", 5, 6)] {
      #expect(try await urls(sandbox, "--day", day) == [url[moments[last]], url[moments[first]]])
    }
    sandbox.environment["TZ"] = "UTC"
    #expect(try await urls(sandbox, "--day", "2026-03-28").count == 2)
    let table = try await sandbox.media("list", "--day", "2026-03-28").output
    #expect(table.contains("2026-03-28 22:59"))
  }

  @Test func `deleting twice and restoring twice change nothing more`() async throws {
    let sandbox = try await filled(Script(posts: 5))
    for (command, changed, left) in [("delete", [2, 3], 3), ("restore", [2, 3], 5)] {
      let first = try await sandbox.media(command, "2", "3", "2", "--json").object()
      #expect(first["\(command)d"] as? [Int] == changed)
      let second = try await sandbox.media(command, "2", "3", "--json").object()
      #expect(second["\(command)d"] as? [Int] == [])
      #expect(try await sandbox.media("list", "--json").lines.count == left)
    }
  }

  @Test func `a pull asks for no avatars where the settings or the file say so`() async throws {
    try await withOrigin(Script(posts: 5)) { origin in
      for isFile in [true, false] {
        let sandbox = try Sandbox()
        if isFile { try sandbox.configure("config.toml", "avatars = false\n") }
        if !isFile { #expect(try await sandbox.media("settings", "avatars", "off").status == 0) }
        #expect(try await sandbox.media("tag", "cats", "--server", origin.url).status == 0)
        #expect(origin.requests(to: "/avatars").isEmpty)
      }
    }
  }

  @Test(.inFolders) func `an empty library is listed without being made`() async throws {
    let sandbox = try Sandbox()
    let ended = try await sandbox.media("list")
    #expect((ended.status, ended.output) == (0, ""))
    #expect(ended.errors.contains("media tag"))
    #expect(try await sandbox.media("list", "--json").errors.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: sandbox.library))
  }
}
