import Foundation
import ScriptedOrigin
import Series
import Testing

/// Pulls that are killed at moments nobody chose.
@Suite(.timeLimit(.minutes(60))) struct KillTests {
  @Test(.serialized, arguments: Series.seeds(sample: 4, whole: 200))
  func `killed at any moment, the same command again brings what an undisturbed pull brings`(seed: UInt64) async throws
  {
    let script = Script(posts: 120, troubles: [.every("/", .slow(.milliseconds(2)))])
    try await withOrigin(script) { origin in
      let house = try Household()
      let pull = ["tag", "cats", "--pages", "6", "--page-size", "20", "--json", "--server", origin.url]
      var chance = Chance(seed: seed)
      // A death may come before the library is there, amid its pages, or amid its pictures.
      let requests = Int.random(in: 0..<160, using: &chance)
      let running = try house.begin(pull)
      while origin.requests.count < requests, running.isRunning { try await Task.sleep(for: .milliseconds(1)) }
      running.signal(SIGKILL)
      _ = try await running.end()
      let left = try await house.media("check", "--json").objects().compactMap { $0["kind"] as? String }
      #expect(left.allSatisfy { $0 == "orphan" }, "seed \(seed): \(left)")
      let whole = try await house.run(pull)
      #expect(whole.status == 0, "seed \(seed): \(whole.errors)")
      let posts = try await house.media("list", "--json", "--limit", "1000").objects()
      #expect(Set(posts.compactMap { $0["url"] as? String }) == Set(script.posts.map(\.url)), "seed \(seed)")
      let attachments = posts.flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }
      #expect(attachments.allSatisfy { $0["state"] as? String == "stored" }, "seed \(seed)")
      let held = Set(attachments.compactMap { $0["sha256"] as? String })
      #expect(held == script.pictureHashes, "seed \(seed)")
      let check = try await house.media("check")
      #expect(check.status == 0, "seed \(seed): \(check.output)\(check.errors)")
    }
  }
}
