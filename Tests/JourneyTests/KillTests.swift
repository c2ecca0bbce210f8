import Foundation
import PropertyTesting
import ScriptedOrigin
import Testing

/// Pulls that are killed at random moments.
@Suite(.inFolders, .timeLimit(.minutes(60))) struct KillTests {
  @Test(.serialized, arguments: PropertyTest.seeds(sample: 3, whole: 200))
  func `killed at any moment, the same command again brings what an undisturbed pull brings`(seed: UInt64) async throws
  {
    let script = Script(posts: 120, troubles: [.every("/", .slow(.milliseconds(2)))])
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      let pull = ["tag", "cats", "--pages", "6", "--page-size", "20", "--json", "--server", origin.url]
      // The kill may come before the library exists, between its pages, or between its pictures.
      try await kill(pull, in: sandbox, at: origin, seed: seed, requests: 0..<160)
      try await run(pull, in: sandbox, seed: seed)
      try await expectWhole(sandbox, script, seed: seed)
    }
  }

  @Test(.serialized, arguments: PropertyTest.seeds(sample: 3, whole: 200))
  func `killed at any moment, --resume brings the rest, and fetches one page twice at most`(seed: UInt64) async throws {
    try await finish(seed: seed) { ["tag", "cats", "--resume", "--json", "--server", $0.url] }
  }

  @Test(.serialized, arguments: PropertyTest.seeds(sample: 3, whole: 200))
  func `killed at any moment, gaps --fill brings the rest, and fetches one page twice at most`(seed: UInt64)
    async throws
  {
    try await finish(seed: seed) { _ in ["gaps", "--fill", "--json"] }
  }

  /// A pull of fifty pages, killed after its goal is recorded, and one run that finishes it.
  private func finish(seed: UInt64, with command: @escaping @Sendable (Origin) -> [String]) async throws {
    let script = Script(posts: 200, troubles: [.every("/", .slow(.milliseconds(1)))])
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      let pull = ["tag", "cats", "--pages", "50", "--page-size", "4", "--json", "--server", origin.url]
      try await kill(pull, in: sandbox, at: origin, seed: seed, requests: 1..<400)
      let left = try await sandbox.media("gaps", "--json").objects()
      let pages = origin.requests(to: "/api/v1/timelines").count
      #expect(pages >= 50 || !left.isEmpty, "seed \(seed): \(pages) pages, and nothing is known to be missing")
      try await run(command(origin) + ["--page-size", "4"], in: sandbox, seed: seed)
      let cursors = origin.requests(to: "/api/v1/timelines").map { $0.parameter("max_id") ?? "newest" }
      #expect(cursors.count - Set(cursors).count <= 1, "seed \(seed): \(cursors)")
      try await expectWhole(sandbox, script, seed: seed)
      #expect(try await sandbox.media("gaps", "--json").output.isEmpty, "seed \(seed)")
    }
  }

  /// Kills a command after this number of requests to the origin.
  private func kill(
    _ command: [String], in sandbox: Sandbox, at origin: Origin, seed: UInt64, requests: Range<Int>
  ) async throws {
    var chance = Chance(seed: seed)
    let count = Int.random(in: requests, using: &chance)
    let running = try sandbox.begin(command)
    while origin.requests.count < count, running.isRunning { try await Task.sleep(for: .milliseconds(1)) }
    running.signal(SIGKILL)
    _ = try await running.end()
    let check = try await sandbox.media("check", "--json")
    #expect(check.status == 0, "seed \(seed): \(check.output)")
    let left = try check.objects().compactMap { $0["kind"] as? String }
    #expect(left.allSatisfy { $0 == "orphan" }, "seed \(seed): \(left)")
  }

  private func run(_ command: [String], in sandbox: Sandbox, seed: UInt64) async throws {
    let ended = try await sandbox.run(command)
    #expect(ended.status == 0, "seed \(seed): \(ended.errors)")
  }

  /// Every post and every picture is there, none twice, and the check passes.
  private func expectWhole(_ sandbox: Sandbox, _ script: Script, seed: UInt64) async throws {
    let posts = try await sandbox.media("list", "--json", "--limit", "1000").objects()
    #expect(posts.compactMap { $0["url"] as? String } == script.posts.map(\.url), "seed \(seed)")
    let attachments = posts.flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }
    #expect(attachments.allSatisfy { $0["state"] as? String == "stored" }, "seed \(seed)")
    let held = Set(attachments.compactMap { $0["sha256"] as? String })
    #expect(held == script.pictureHashes, "seed \(seed)")
    let check = try await sandbox.media("check")
    #expect(check.status == 0, "seed \(seed): \(check.output)\(check.errors)")
  }
}
