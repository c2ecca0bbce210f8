import Foundation
import PropertyTesting
import ScriptedOrigin
import Synchronization
import Testing

/// Many concurrent commands on one library: for some seconds in every run, for two minutes with `Scripts/faults`.
@Suite(.timeLimit(.minutes(10)), .enabled(if: FaultTable.wants("crowd"))) struct CrowdTests {
  private static let seconds = PropertyTest.seeds(sample: 8, whole: 120).count

  @Test func `eight processes at once get in nobody's way, lose nothing, and store nothing twice`() async throws {
    var (script, others) = (Script(posts: 120), PostWriter(tag: "dogs", seed: 2))
    script.posts = (0..<40).map { others.post(1000 + $0) }.reversed() + script.posts
    let posts = script.posts
    try await withOrigin(script) { origin in
      let crowd = Crowd(sandbox: try Sandbox(), end: .now + .seconds(Self.seconds))
      let server = ["--server", origin.url]
      try await crowd.run(["tag", "cats", "--page-size", "20"] + server)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for command in [
          ["tag", "cats", "--pages", "4", "--page-size", "20"] + server, ["tag", "cats", "--new"] + server,
          ["tag", "dogs", "--all", "--page-size", "10"] + server, ["check"], ["list", "--json", "--limit", "1000"],
        ] { group.addTask { try await crowd.repeat { try await $0.run(command) } } }
        // It does not wait, and says so.
        group.addTask { try await crowd.repeat { try await $0.run(["gc"], or: 75) } }
        group.addTask { try await crowd.repeat { try await $0.write() } }
        group.addTask { try await crowd.repeat { try await $0.delete() } }
        try await group.waitForAll()
      }
      for tag in ["cats", "dogs"] { try await crowd.run(["tag", tag, "--all"] + server) }
      try await crowd.expectAll(posts)
    }
  }
}

/// The concurrent users of a library, and their actions.
private final class Crowd: Sendable {
  private struct UndoStack {
    var written: Set<String> = []
    var deleted: Set<String> = []
    var dice = Dice(state: 1)
  }

  private let sandbox: Sandbox
  private let end: ContinuousClock.Instant
  private let edits = Mutex(UndoStack())

  init(sandbox: Sandbox, end: ContinuousClock.Instant) { (self.sandbox, self.end) = (sandbox, end) }

  func `repeat`(_ action: (Crowd) async throws -> Void) async throws {
    repeat { try await action(self) } while ContinuousClock.now < end
  }

  @discardableResult
  func run(_ command: [String], or status: Int32 = 0) async throws -> Ended {
    let ended = try await sandbox.run(command)
    #expect([0, status].contains(ended.status), "\(command): \(ended.output)\(ended.errors)")
    #expect(!ended.errors.contains("lock"), "\(command): \(ended.errors)")
    try FaultTable.note("crowd", command[0], ended.status, lost: 0)
    return ended
  }

  func write() async throws {
    let text = edits.withLock { "note number \($0.written.count + 1)" }
    try await run(["add", text])
    edits.withLock { _ = $0.written.insert(text) }
  }

  /// A random existing post.
  func delete() async throws {
    let posts = try await run(["list", "--json", "--limit", "1000"]).objects()
    guard let post = edits.withLock({ posts.randomElement(using: &$0.dice) }), let id = post["id"] as? Int else {
      return
    }
    try await run(["delete", "\(id)"])
    edits.withLock { _ = $0.deleted.insert(Self.name(post)) }
  }

  /// Everything pulled or added is there once, except what was deleted, and the check passes.
  func expectAll(_ posts: [ScriptedPost]) async throws {
    let held = try await run(["list", "--json", "--limit", "10000"]).objects().map(Self.name)
    let wanted = edits.withLock { $0.written.union(posts.map(\.url)).subtracting($0.deleted) }
    #expect(held.count == Set(held).count)
    #expect(Set(held) == wanted, "\(wanted.subtracting(held)) \(Set(held).subtracting(wanted))")
    let attachments = try await run(["list", "--json", "--limit", "10000"]).objects()
      .flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }
    #expect(attachments.allSatisfy { $0["state"] as? String == "stored" })
    let check = try await sandbox.media("check", "--json")
    #expect(check.status == 0, "\(check.output)")
    try FaultTable.note("crowd", "after", check.status, lost: wanted.subtracting(held).count)
  }

  private static func name(_ post: [String: any Sendable]) -> String {
    post["url"] as? String ?? post["caption"] as? String ?? ""
  }
}
