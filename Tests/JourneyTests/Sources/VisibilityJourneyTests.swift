import Foundation
import ScriptedOrigin
import Testing

/// Who may see a post, from the server's answer to what is published of a library.
@Suite(.timeLimit(.minutes(10))) struct VisibilityJourneyTests {
  /// Six posts, of which a friend wrote one to one person and one to followers.
  private static func script() -> Script {
    var script = Script(posts: 6)
    script.posts[1].overrides["visibility"] = "direct"
    script.posts[2].overrides["visibility"] = "private"
    script.posts[3].overrides["visibility"] = "unlisted"
    script.posts[5].overrides["quote"] = [
      "state": "accepted", "quoted_status": ["id": "77", "visibility": "direct", "content": "<p>caption-77-end</p>"],
    ]
    for index in script.posts.indices {
      script.posts[index].boost = nil
      script.posts[index].caption = "caption-\(index)-end"
      script.posts[index].html = "<p>caption-\(index)-end</p>"
    }
    return script
  }

  private func filled(_ body: @Sendable (Sandbox) async throws -> Void) async throws {
    try await withOrigin(Self.script()) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("tag", "cats", "--server", origin.url, "--no-avatars")
      try await body(sandbox)
    }
  }

  private func has(_ index: Int, in text: String) -> Bool { text.contains("caption-\(index)-end") }

  /// Everything that files in a folder hold.
  private func content(of folder: String, _ sandbox: Sandbox) async throws -> String {
    try await sandbox.bash("find '\(folder)' -type f -exec cat {} +").output
  }

  @Test func `what not everybody may see is left out of what is published, unless it is asked for`() async throws {
    try await filled { sandbox in
      for format in ["csv", "atom", "json-feed", "activitystreams", "warc"] {
        let shown = try await sandbox.media("export", "--format", format)
        #expect(
          shown.status == 0 && (0...4).map { has($0, in: shown.output) } == [true, false, false, true, true])
        // A verbatim answer goes with the post that it quotes.
        #expect(has(5, in: shown.output) == (format != "warc"))
        #expect(shown.errors.contains("left out 1 answer with quoted posts") == (format == "warc"))
        #expect(shown.errors.contains("left out 2 posts that not everybody may see; --private takes them"), "\(format)")
        #expect(!has(77, in: shown.output))
        let whole = try await sandbox.media("export", "--format", format, "--private")
        #expect((0...5).allSatisfy { has($0, in: whole.output) } && !whole.errors.contains("left out"), "\(format)")
      }
      let site = "\(sandbox.folder)/site"
      let made = try await sandbox.media("export", "--format", "html", "--out", site)
      #expect(made.errors.contains("left out 2 posts"))
      let pages = try await content(of: site, sandbox)
      #expect(has(0, in: pages) && !has(1, in: pages) && !has(2, in: pages))
      let files = try await sandbox.media("export", "--files", "\(sandbox.folder)/files", "--sidecars", "json")
      #expect(files.errors.contains("left out 2 posts"))
      let sidecars = try await content(of: "\(sandbox.folder)/files", sandbox)
      #expect(has(0, in: sidecars) && !has(1, in: sidecars) && !has(2, in: sidecars))
      // What has everything keeps everything.
      let all = try await sandbox.media("export").output
      #expect((0...5).allSatisfy { has($0, in: all) } && all.contains(#""visibility":"direct""#))
      expect(
        try await sandbox.media("export", "--private"), fails: 64, saying: "--private goes with", "ndjson has all posts"
      )
    }
  }

  @Test func `a list is chosen by who may see its posts, and marks those that not everybody may see`() async throws {
    try await filled { sandbox in
      let seen = { (arguments: [String]) in
        try await sandbox.run(["list", "--json"] + arguments).objects().compactMap { $0["visibility"] as? String }
      }
      #expect(try await seen([]).sorted() == ["direct", "followers", "public", "public", "public", "unlisted"])
      #expect(try await seen(["--visibility", "direct"]) == ["direct"])
      #expect(
        try await seen(["--visibility", "direct", "--visibility", "followers"]).sorted() == ["direct", "followers"])
      expect(try await sandbox.media("list", "--visibility", "pending"), fails: 64, saying: "public", "local")
      let table = try await sandbox.media("list").output
      #expect(table.contains("[direct] caption-1-end") && table.contains("[followers] "))
      #expect(!table.contains("[public]") && !table.contains("[unlisted]"))
      let id = try #require(try await sandbox.media("list", "--visibility", "direct", "--json").object()["id"] as? Int)
      #expect(
        try await sandbox.media("show", "\(id)").output.contains("Only those to whom it is addressed may see it."))
    }
  }

  @Test func `before it publishes what an earlier version stored, a command looks who may see it`() async throws {
    try await filled { sandbox in
      for format in ["atom", "ndjson"] {
        try await sandbox.sql("UPDATE post SET visibility = 'pending'")
        try await sandbox.sql("INSERT INTO setting (name, value) VALUES ('visibility-read', '0')")
        let shown = try await sandbox.media("export", "--format", format)
        #expect(shown.status == 0 && has(0, in: shown.output))
        #expect(has(1, in: shown.output) == (format == "ndjson") && !shown.output.contains(#""visibility":"pending""#))
        #expect(try await sandbox.sql("SELECT count(*) FROM post WHERE visibility = 'pending'") == "0\n")
        #expect(try await sandbox.sql("SELECT count(*) FROM setting WHERE name = 'visibility-read'") == "0\n")
      }
    }
  }
}
