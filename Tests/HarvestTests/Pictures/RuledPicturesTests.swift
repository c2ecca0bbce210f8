import FoundationEssentials
import Machine
import Posts
import Testing

@testable import Harvest
@testable import ScriptedOrigin
@testable import Storage

/// Pictures that a rule leaves out.
@Suite(.timeLimit(.minutes(10))) struct RuledPicturesTests {
  @Test func `no pull asks for them, until a person names their posts`() async throws {
    try await withOrigin(.album(posts: 2, pictures: 1)) { origin in
      let library = try TestLibrary()
      let rule = Rule(name: "none", filter: "tag:cats", actions: [.skipPictures])
      try library.store.save(rule, by: Marker(machine: "desk", program: .command), now: noon)
      for scope in [PullPlan.Scope.newest, .newest, .rest, .all] {
        let report = try await library.pull(origin, PullPlan(scope, avatars: false))
        #expect(report.failure == nil)
        #expect(origin.requests(to: "/media").isEmpty)
      }
      let posts = try library.posts
      #expect(posts.map { $0.attachments.map(\.state) } == [[.skipped], [.skipped]])
      let reason = "left out by the rule \"none\""
      #expect(posts.map { $0.attachments.map(\.skippedFor) } == [[reason], [reason]])
      var exported: [TransferValue] = []
      try library.store.eachRecord(of: nil, raw: false) { record in
        if case .post(let post) = record { exported += post.attachments.map(\.skippedFor) }
      }
      #expect(exported == [.text(reason), .text(reason)])
      // What was left out before a deletion stays so after it.
      try library.store.delete([posts[0].id], now: noon)
      try library.store.restore([posts[0].id], now: noon)
      #expect(try library.states == [.skipped: 2])
      let fetcher = PictureFetcher(
        transport: library.transport, blobs: library.blobs, store: library.store, time: library.clock.timekeeper)
      let lock = PictureLock(library: library.folder)
      let pull = PicturePull(store: library.store, pictures: fetcher, lock: lock, time: library.clock.timekeeper)
      try await pull.run(asked: [posts[0].id], within: FileLimits()) { _ in }
      #expect(origin.requests(to: "/media").count == 1)
      #expect(try library.states == [.skipped: 1, .stored: 1])
    }
  }
}
