import Foundation
import ScriptedOrigin
import Testing

/// Other programs that read the library.
@Suite(.inFolders, .timeLimit(.minutes(10))) struct ReadersTests {
  private static let script =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/Scripts/readers"

  @Test func `Datasette and sqlite-utils show every table and view, follow every key, search and count`() async throws {
    let all = Script(posts: 100).posts
    try await withOrigin(Script(posts: Array(all.dropFirst(70)))) { origin in
      let house = try Household()
      let pull = ["tag", "cats", "--server", origin.url, "--page-size", "10"]
      for wording in [nil, "a heron", "a bittern"] {
        if let wording {
          origin.change { script in
            script.posts = all
            script.posts[0].html = "<p>\(wording) stands in the reeds</p>"
            script.posts[0].editedAt = wording == "a bittern" ? all[0].createdAt + 60 : nil
          }
        }
        #expect(try await house.run(pull + ["--pages", "1"]).status == 0)
      }
      try await house.media("add", "seen at the pond", "--tag", "birds")
      try await house.media("delete", "3")
      // With this machine's pip settings.
      let reading = try Running(
        "/bin/bash", [Self.script, house.library], ProcessInfo.processInfo.environment, said: "\(house.said)/readers")
      reading.endInput()
      let ended = try await reading.end()
      #expect(ended.status == 0, "\(ended.errors)")
      // They leave it unchanged.
      #expect(try await house.media("check").status == 0)
    }
  }

  @Test func `the answer that a post came from is printed byte for byte`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      let house = try Household()
      try await house.media("tag", "cats", "--server", origin.url, "--no-pictures")
      let post = try #require(try await house.media("list", "--json").objects().first)
      let id = try #require(post["id"] as? Int)
      let ended = try await house.media("show", "\(id)", "--raw")
      #expect((ended.status, ended.errors) == (0, ""))
      let answer = try ended.object()
      #expect(answer["url"] as? String == post["url"] as? String)
      #expect(answer["content"] as? String != nil && answer["caption"] == nil)
      let added = try #require(try await house.media("add", "by hand", "--json").object()["id"] as? Int)
      expect(try await house.media("show", "\(added)", "--raw"), fails: 64, saying: "added by hand")
      expect(try await house.media("show", "999", "--raw"), fails: 64, saying: "no post has the id 999")
    }
  }
}
