import Foundation
import ScriptedOrigin
import Testing

@testable import Harvest

/// Long harvests: a sample in every run, the whole with `Scripts/soak`.
@Suite(.timeLimit(.minutes(60))) struct SoakTests {
  /// Number of requests, if more than the sample is wanted.
  private static let wanted = ProcessInfo.processInfo.environment["MEDIA_SOAK"].flatMap { Int($0) }

  private static let seed = ProcessInfo.processInfo.environment["MEDIA_SEED"].flatMap { UInt64($0) }

  @Test func `amid random faults no post goes missing, and coverage is one interval a feed`() async throws {
    let (wanted, seed) = (Self.wanted ?? 500, Self.seed ?? 20_261_121)
    try await withOrigin(Script()) { origin in
      var soak = try Soak(origin, seed: seed)
      var footprints: [Soak.Footprint] = []
      while soak.requests < wanted {
        try await soak.turn()
        guard soak.requests >= (footprints.count + 1) * wanted / 10, footprints.count < 10 else { continue }
        let print = Soak.Footprint(after: soak.requests)
        footprints.append(print)
        if Self.wanted != nil { Self.say(print, posts: soak.arrived) }
      }
      try await soak.recover()
      let differences = try soak.differences
      #expect(differences.isEmpty, "seed \(seed): \(differences.count), such as \(differences.prefix(20))")
      #expect(try soak.library.rows("SELECT count(*) FROM post") == ["\(soak.arrived)"], "seed \(seed)")
      #expect(try soak.library.store.gaps().isEmpty, "seed \(seed)")
      #expect(
        try soak.library.rows("SELECT feed FROM coverage GROUP BY feed HAVING count(*) <> 1").isEmpty, "seed \(seed)")
      #expect(try soak.library.rows("SELECT count(DISTINCT feed) FROM coverage") == ["9"], "seed \(seed)")
      #expect(try soak.library.store.follows().allSatisfy { $0.schedule.state == .well }, "seed \(seed)")
      let states = try soak.library.states
      #expect((states[.stored] ?? 0) > 0 && states[.pending] == nil, "seed \(seed): \(states)")
      #expect(origin.critique.isEmpty)
      // Beside other tests in one process the numbers mean nothing.
      guard Self.wanted != nil, let first = footprints.first, let last = footprints.last else { return }
      #expect(last.memory < first.memory + (16 << 20), "\(footprints)")
      #expect(last.files <= first.files + 32, "\(footprints)")
    }
  }

  private static func say(_ print: Soak.Footprint, posts: Int) {
    let line = "soak: \(print.requests) requests, \(posts) posts, \(print.memory >> 20) MB, \(print.files) files open\n"
    FileHandle.standardError.write(Data(line.utf8))
  }
}
