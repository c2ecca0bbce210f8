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

  /// A command prints the posts with these numbers in their captions, and no others.
  private func expect(_ numbers: [Int], in sandbox: Sandbox, _ words: String...) async throws {
    let ended = try await sandbox.run(words)
    #expect(ended.status == 0, "\(words) \(ended.errors)")
    #expect((0...5).filter { ended.output.contains("caption-\($0)") } == numbers, "\(words)")
  }

  @Test func `a filter chooses what is listed and exported`() async throws {
    try await filled { sandbox in
      try await expect([1, 2], in: sandbox, "list", "--json", "tag:cats", "visibility:followers")
      try await expect([0, 3, 5], in: sandbox, "list", "--json", "not:(is:private OR is:sensitive)")
      try await expect([0, 3, 5], in: sandbox, "list", "--", "-is:private -is:sensitive")
      try await expect([0, 3, 5], in: sandbox, "list", "--json", "tag:cats", "-is:private", "-is:sensitive")
      try await expect([0, 3, 5], in: sandbox, "export", "-(is:private OR is:sensitive)", "--format", "csv")
      try await expect([3, 4], in: sandbox, "list", "\"caption-3\" OR is:sensitive")
      try await expect([4], in: sandbox, "list", "--tag", "cats", "is:sensitive")
      try await expect([4], in: sandbox, "export", "--format", "csv", "is:sensitive|edited", "tag:cats")
      #expect(
        try await sandbox.media("export", "--format", "atom", "is:sensitive").output.contains("is:sensitive</title>"))
    }
  }

  @Test func `what is no filter is told, with what was probably meant`() async throws {
    try await filled { sandbox in
      JourneyTests.expect(
        try await sandbox.media("list", "tga:cats"), fails: 64, saying: "\"tga\" is no key of a filter", "tag:?")
      JourneyTests.expect(try await sandbox.media("list", "is:edted"), fails: 64, saying: "did you mean is:edited?")
      JourneyTests.expect(
        try await sandbox.media("export", "(tag:a"), fails: 64, saying: "a parenthesis of the filter has no partner")
      JourneyTests.expect(
        try await sandbox.media("delete", "--filter", "on:x", "--yes"), fails: 64, saying: "on:x is no date")
      JourneyTests.expect(try await sandbox.media("delete", "tag:cats"), fails: 64, saying: "tag:cats")
      JourneyTests.expect(
        try await sandbox.media("restore", "--deleted-at", "now"), fails: 64, saying: "--deleted-at is")
      JourneyTests.expect(try await sandbox.media("list", "--tag", "-by:x"), fails: 64, saying: "-by:x")
    }
  }

  @Test(.enabled(if: Tmux.isThere), arguments: [("y", 4), ("n", 6)])
  func `a terminal is asked before posts that a filter finds are deleted`(answer: String, rest: Int) async throws {
    try await filled { sandbox in
      let tmux = try await Tmux(sandbox)
      try await tmux.enter("\(Sandbox.binary) delete --filter is:private; echo \"ended $?\"")
      try await tmux.shows("Delete 2 posts? [y/N]")
      try await tmux.enter(answer)
      try await tmux.shows("ended 0")
      #expect(try await sandbox.media("list", "--json").objects().count == rest)
    }
  }

  @Test func `posts that a filter finds are deleted once it is agreed to, and one command brings them back`()
    async throws
  {
    try await filled { sandbox in
      JourneyTests.expect(
        try await sandbox.media("delete", "--filter", "is:private"), fails: 64,
        saying: "the filter finds 2 posts, and nobody can be asked: --yes")
      try await expect(Array(0...5), in: sandbox, "list", "--json")
      let plain = try #require(try await sandbox.media("list", "--json", "\"caption-5\"").object()["id"] as? Int)
      try await sandbox.media("delete", "\(plain)")
      let deleted = try await sandbox.media("delete", "--filter", "is:private -is:deleted", "--yes")
      #expect(deleted.errors.contains("; \"media restore --deleted-at 20"), "\(deleted.errors)")
      #expect(try await sandbox.media("list", "--deleted", "--json").objects().count == 3)
      let moment = try #require(deleted.errors.firstMatch(of: /--deleted-at ([^"]+)"/)).output.1
      let restored =
        try await sandbox.media("restore", "--deleted-at", "\(moment)", "--json").object()["restored"] as? [Int]
      #expect(restored?.count == 2)
      #expect(try await sandbox.media("list", "--deleted", "--json").objects().count == 1)
      let rest = try await sandbox.media("restore", "--filter", "tag:cats", "--yes")
      #expect(rest.errors.contains("Restored 1 post."))
      let none = try await sandbox.media("delete", "--filter", "is:gone", "--yes")
      #expect(none.errors == "Nothing was changed.\n")
      try await expect(Array(0...5), in: sandbox, "list", "--json")
    }
  }
}
