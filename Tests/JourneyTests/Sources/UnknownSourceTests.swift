import Foundation
import ScriptedOrigin
import Testing

/// A library that a newer version wrote, with a source that this one does not have.
@Suite(.timeLimit(.minutes(10))) struct UnknownSourceTests {
  private static let sentence = "this version of media has no source \"vimeo\": install the newer version"

  @Test func `a library with a source that this version lacks opens, lists and shows, and only pulling says so`()
    async throws
  {
    try await withOrigin(Script(posts: 2)) { origin in
      let sandbox = try Sandbox()
      let feed = "cats@\(origin.url)"
      #expect(try await sandbox.media("tag", feed).status == 0)
      #expect(try await sandbox.media("follow", feed).status == 0)
      let sql = """
        UPDATE post SET source = 'vimeo'; UPDATE post_alias SET source = 'vimeo'; UPDATE author SET source = 'vimeo';
        UPDATE feed SET source = 'vimeo', name = 'tag:cats@vimeo+\(origin.url)'
        """
      try await sandbox.sql(sql)

      let listed = try await sandbox.media("list", "--json").objects()
      #expect(listed.count == 2)
      let number = try #require(listed.first?["id"] as? Int)
      #expect(try await sandbox.media("show", "\(number)", "--json").object()["source"] as? String == "vimeo")
      let name = "tag:cats@vimeo+\(origin.url)"
      #expect(try await sandbox.media("list", "--feed", name, "--json").objects().count == 2)
      #expect(try await sandbox.media("follows", "--json").object()["feed"] as? String == name)
      #expect(try await sandbox.media("stats").status == 0)
      #expect(try await sandbox.media("check").status == 0)
      let before = origin.requests.count
      let pulled = try await sandbox.media("harvest", name)
      #expect(pulled.status == 78, "\(pulled.errors)")
      #expect(pulled.errors.components(separatedBy: Self.sentence).count == 2, "\(pulled.errors)")
      #expect(origin.requests.count == before)
      #expect(try await sandbox.media("delete", "\(number)").status == 0)
      #expect(try await sandbox.media("list", "--json").objects().count == 1)
      #expect(try await sandbox.media("unfollow", name).status == 0)
    }
  }
}
