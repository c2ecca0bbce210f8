import Foundation
import Posts
import PropertyTesting
import ScriptedOrigin
import Storage
import Testing

@testable import Harvest

/// Servers that page as Mastodon does and servers that do not: pulls bring the same posts.
@Suite(.timeLimit(.minutes(60))) struct DialectTests {
  enum Dialect: CaseIterable {
    case mastodon, withoutLinks, letters, lettersWithoutLinks, hangingUp, withoutRateFields, boosting, bare

    var script: Script {
      switch self {
      case .mastodon: return Script(posts: 90)
      case .withoutLinks: return changed { $0.links = false }
      case .letters: return Script(posts: 90, ids: .letters)
      case .lettersWithoutLinks: return changed(Script(posts: 90, ids: .letters)) { $0.links = false }
      case .hangingUp: return changed { $0.hangsUp = true }
      case .withoutRateFields: return changed { $0.rateFields = false }
      case .boosting: return Script(posts: 90, boosts: true)
      case .bare: return changed { $0.instance = false }
      }
    }

    private func changed(_ script: Script = Script(posts: 90), _ change: (inout Script) -> Void) -> Script {
      var script = script
      change(&script)
      return script
    }
  }

  @Test(arguments: Dialect.allCases)
  func `every post comes once, in the server's order, and the feed's end is found`(dialect: Dialect) async throws {
    let script = dialect.script
    try await withOrigin(script) { origin in
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(pages: 20, pageSize: 30))
      #expect(report.failure == nil)
      #expect(report.summary.posts == PullSummary.PostCounts(new: 90))
      #expect((report.summary.complete, report.summary.next) == (true, nil))
      let expected = script.posts.sorted { ($0.createdAt, $0.uri) > ($1.createdAt, $1.uri) }.map(\.uri)
      let stored = try library.posts.sorted { ($0.createdAt, $0.uri) > ($1.createdAt, $1.uri) }.map(\.uri)
      #expect(stored == expected)
      #expect(try library.states == [.stored: script.pictures(ofNewest: 90)])
      let again = try await library.pull(origin, PullPlan(pages: 20, pageSize: 30))
      #expect(again.summary.posts == PullSummary.PostCounts(unchanged: 90))
    }
  }

  @Test func `a page shorter than asked for is not the end`() async throws {
    try await withOrigin(Script(posts: 90, troubles: [.nth(2, "/api/v1/timelines", .short(3))])) { origin in
      let library = try TestLibrary()
      let report = try await library.pull(origin, PullPlan(pages: 20, pageSize: 30, pictures: false))
      #expect(report.summary.posts.new == 90)
      #expect(report.summary.complete)
    }
  }

  @Test func `a post that moves to the next page while the walk goes on is counted and stored once`() async throws {
    try await withOrigin(Script(posts: 60)) { origin in
      let library = try TestLibrary()
      _ = try await library.pull(origin, PullPlan(pages: 1, pageSize: 30, pictures: false))
      origin.change { script in
        var writer = PostWriter(tag: "cats", seed: 9)
        script.posts.insert(contentsOf: (700..<710).map { writer.post($0) }.reversed(), at: 0)
      }
      let report = try await library.pull(origin, PullPlan(pages: 2, pageSize: 30, pictures: false))
      #expect(report.summary.posts == PullSummary.PostCounts(new: 30, unchanged: 30))
      #expect(try library.posts.count == 60)
    }
  }

  @Test(.serialized, arguments: PropertyTest.seeds(sample: 12, whole: 200))
  func `repeated pulls through any trouble lead to the library of a calm day`(seed: UInt64) async throws {
    var chance = Chance(seed: seed)
    let kinds: [Trouble.Kind] = [
      .closed, .cut(after: 100), .status(503, headers: ["Retry-After": "0"]), .html,
      .status(429, headers: ["Retry-After": "1"]), .garbage([0x5B, 0x7B]), .status(500), .slow(.milliseconds(20)),
      .short(2),
    ]
    var script = Script(posts: 40, seed: seed)
    script.judgesWaits = false
    for _ in 0..<Int.random(in: 1...8, using: &chance) {
      let path = ["/api/v1/timelines", "/media", "/avatars"].randomElement(using: &chance)!
      let kind = kinds.randomElement(using: &chance)!
      script.troubles.append(.nth(Int.random(in: 1...4, using: &chance), path, kind))
    }
    let stormy = script
    try await withOrigin(stormy) { origin in
      let library = try TestLibrary()
      let plan = PullPlan(pages: 20, pageSize: 10, retryFailed: true)
      var report = try await library.pull(origin, plan)
      for _ in 0..<10 where report.failure != nil || report.summary.media.failed > 0 || !report.summary.complete {
        report = try await library.pull(origin, plan)
      }
      #expect(report.failure == nil, "seed \(seed)")
      #expect(Set(try library.posts.map(\.uri)) == Set(stormy.posts.map(\.uri)), "seed \(seed)")
      #expect(try library.states == [.stored: stormy.pictures(ofNewest: 40)], "seed \(seed)")
      #expect(library.blobNames.isSuperset(of: stormy.pictureHashes), "seed \(seed)")
    }
  }
}
