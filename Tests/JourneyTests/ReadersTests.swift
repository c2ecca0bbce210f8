import Foundation
import ScriptedOrigin
import Testing

/// Other programs that read the library.
@Suite(.inFolders, .timeLimit(.minutes(10))) struct ReadersTests {
  private static let script =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/Scripts/check"

  @Test func `Datasette and sqlite-utils show every table and view, follow every key, search and count`() async throws {
    let all = Script(posts: 100).posts
    try await withOrigin(Script(posts: Array(all.dropFirst(70)))) { origin in
      let sandbox = try Sandbox()
      let pull = ["tag", "cats", "--server", origin.url, "--page-size", "10"]
      for wording in [nil, "a heron", "a bittern"] {
        if let wording {
          origin.change { script in
            script.posts = all
            script.posts[0].html = "<p>\(wording) stands in the reeds</p>"
            script.posts[0].editedAt = wording == "a bittern" ? all[0].createdAt + 60 : nil
          }
        }
        #expect(try await sandbox.run(pull + ["--pages", "1"]).status == 0)
      }
      try await sandbox.media("add", "seen at the pond", "--tag", "birds")
      try await sandbox.media("delete", "3")
      // With this machine's pip settings.
      let reading = try Running(
        "/bin/bash", [Self.script, "readers", sandbox.library], ProcessInfo.processInfo.environment,
        said: "\(sandbox.said)/readers")
      reading.endInput()
      let ended = try await reading.end()
      #expect(ended.status == 0, "\(ended.errors)")
      // They leave it unchanged.
      #expect(try await sandbox.media("check").status == 0)
    }
  }

  @Test func `the answer that a post came from is printed byte for byte`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("tag", "cats", "--server", origin.url, "--no-pictures")
      let post = try #require(try await sandbox.media("list", "--json").objects().first)
      let id = try #require(post["id"] as? Int)
      let ended = try await sandbox.media("show", "\(id)", "--raw")
      #expect((ended.status, ended.errors) == (0, ""))
      let answer = try ended.object()
      #expect(answer["url"] as? String == post["url"] as? String)
      #expect(answer["content"] as? String != nil && answer["caption"] == nil)
      let added = try #require(try await sandbox.media("add", "by hand", "--json").object()["id"] as? Int)
      expect(try await sandbox.media("show", "\(added)", "--raw"), fails: 64, saying: "added by hand")
      expect(try await sandbox.media("show", "999", "--raw"), fails: 64, saying: "no post has the id 999")
    }
  }
}
