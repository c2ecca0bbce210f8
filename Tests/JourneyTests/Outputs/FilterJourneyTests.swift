import Foundation
import ScriptedOrigin
import Testing

/// Filters as they are typed: lists, exports, deletions.
@Suite(.timeLimit(.minutes(10))) struct FilterJourneyTests {
  /// Six posts, of which two are for followers and one is sensitive.
  private func filled(_ body: @Sendable (Sandbox) async throws -> Void) async throws {
    var script = Script(posts: 6)
    for index in script.posts.indices {
      script.posts[index].boost = nil
      script.posts[index].caption = "caption-\(index) end"
      script.posts[index].html = "<p>caption-\(index) end</p>"
      script.posts[index].overrides["sensitive"] = .bool(index == 4)
      script.posts[index].overrides["visibility"] = .text([1, 2].contains(index) ? "private" : "public")
    }
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("tag", "cats", "--server", origin.url, "--no-pictures", "--no-avatars")
      try await body(sandbox)
    }
  }

  /// The numbers in the captions of what a command prints.
  private func shown(_ sandbox: Sandbox, _ words: String...) async throws -> [Int] {
    let ended = try await sandbox.run(words)
    #expect(ended.status == 0, "\(words) \(ended.errors)")
    return (0...5).filter { ended.output.contains("caption-\($0)") }
  }

  @Test func `a filter chooses what is listed and exported`() async throws {
    try await filled { sandbox in
      #expect(try await shown(sandbox, "list", "tag:cats", "visibility:followers") == [1, 2])
      #expect(try await shown(sandbox, "list", "--json", "not:(is:private OR is:sensitive)") == [0, 3, 5])
      #expect(try await shown(sandbox, "list", "--", "-is:private -is:sensitive") == [0, 3, 5])
      #expect(try await shown(sandbox, "list", "\"caption-3\" OR is:sensitive") == [3, 4])
      #expect(try await shown(sandbox, "list", "--tag", "cats", "is:sensitive") == [4])
      #expect(try await shown(sandbox, "export", "--format", "csv", "is:sensitive|edited", "tag:cats") == [4])
      #expect(
        try await sandbox.media("export", "--format", "atom", "is:sensitive").output.contains("is:sensitive</title>"))
    }
  }

  @Test func `what is no filter is told, with what was probably meant`() async throws {
    try await filled { sandbox in
      expect(try await sandbox.media("list", "tga:cats"), fails: 64, saying: "\"tga\" is no key of a filter", "tag:?")
      expect(try await sandbox.media("list", "is:edted"), fails: 64, saying: "did you mean is:edited?")
      expect(
        try await sandbox.media("export", "(tag:a"), fails: 64, saying: "a parenthesis of the filter has no partner")
      expect(try await sandbox.media("delete", "--filter", "on:x", "--yes"), fails: 64, saying: "on:x is no date")
      expect(try await sandbox.media("delete", "tag:cats"), fails: 64, saying: "tag:cats")
    }
  }

  @Test func `posts that a filter finds are deleted once it is agreed to, and one command brings them back`()
    async throws
  {
    try await filled { sandbox in
      expect(
        try await sandbox.media("delete", "--filter", "is:private"), fails: 64,
        saying: "2 posts would be changed, and nobody can be asked: --yes")
      #expect(try await shown(sandbox, "list", "--json") == Array(0...5))
      let plain = try #require(try await sandbox.media("list", "--json", "\"caption-5\"").object()["id"] as? Int)
      try await sandbox.media("delete", "\(plain)")
      let deleted = try await sandbox.media("delete", "--filter", "is:private -is:deleted", "--yes")
      #expect(deleted.errors.contains("; \"media restore --last\" undoes it"), "\(deleted.errors)")
      #expect(try await sandbox.media("list", "--deleted", "--json").objects().count == 3)
      let restored = try await sandbox.media("restore", "--last", "--json").object()["restored"] as? [Int]
      #expect(restored?.count == 2)
      #expect(try await sandbox.media("list", "--deleted", "--json").objects().count == 1)
      #expect(try await sandbox.media("restore", "--filter", "tag:cats", "--yes").errors.contains("Restored 1 post."))
      #expect(try await sandbox.media("delete", "--filter", "is:gone", "--yes").errors == "Nothing was changed.\n")
      #expect(try await shown(sandbox, "list", "--json") == Array(0...5))
    }
  }
}
