import ScriptedOrigin
import Testing

/// The order of the syncs decides what remains after a power loss. The tests check that order: they cannot cut the power.
@Suite(.timeLimit(.minutes(10))) struct SyncOrderTests {
  @Test func `a picture has its name only when its bytes are synced, and the name is synced, too`() async throws {
    let preload = try await Preload()
    try await withOrigin(Script(posts: 12)) { origin in
      let sandbox = preload.sandbox(try Sandbox())
      #expect(try await sandbox.media("tag", "cats", "--server", origin.url).status == 0)
      var synced: Set<String> = []
      var unsynced: Set<String> = []
      var named = 0
      for call in preload.calls(in: sandbox) where call.path.contains("/blobs/") {
        // A file without a name is reported by its number.
        let isDraft = call.path.hasSuffix(" (deleted)")
        switch call.name {
        case "write" where isDraft: synced.remove(call.path)
        case "sync" where isDraft: synced.insert(call.path)
        case "sync": unsynced.remove(call.path)
        case "link":
          named += 1
          #expect(named <= synced.count, "\(call)")
          unsynced.insert(call.path.split(separator: "/").dropLast().map { "/\($0)" }.joined())
        default: break
        }
      }
      #expect(named > 5)
      #expect(unsynced.isEmpty)
    }
  }
}
