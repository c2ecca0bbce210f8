import Foundation
import ScriptedOrigin
import Storage
import Testing

@testable import media

/// Which feeds a list refreshes.
@Suite(.timeLimit(.minutes(5))) struct ListFeedsTests {
  @Test(.inFolders) func `a feed that never brought a post is asked by no list`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("tag", "cats", "--server", origin.url, "--no-pictures", "--no-avatars")
      try await sandbox.media("follow", "tag:catz@http://127.0.0.1:9", "--unchecked")
      let store = try Store.open(library: sandbox.library, for: .reading, now: Date())
      defer { store.close() }
      #expect(try store.feeds().count == 2)
      #expect(try store.feedsOfLists().map(\.name) == ["tag:cats@\(origin.url)"])
    }
  }
}
