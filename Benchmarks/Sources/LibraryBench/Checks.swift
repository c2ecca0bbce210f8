import Foundation
import MediaLibrary

/// Measures a check of the whole library, as by `media check`.
struct Checks {
  let library: Library

  private static let rounds = 3

  func measure(into table: inout Table) throws {
    var timings = Timings()
    for _ in 0..<Self.rounds {
      let result = try timings.time {
        try library.store.check(
          library.blobs, CheckPlan(), now: Date(), isPulling: { false }, onStep: { _ in },
          found: { finding, _ in fatalError("\(finding.detail)") })
      }
      guard result.posts >= 1 else { fatalError("nothing was looked through") }
    }
    table.add("check of everything, no pictures", timings)
  }
}
