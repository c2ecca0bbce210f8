import Foundation
import Series
import Services
import Testing

@testable import Harvest

/// Sessions of pulls with a known truth.
@Suite(.timeLimit(.minutes(60))) struct PullSessionTests {
  /// Posts come on top and below, some with dates of the day before, and vanish, those among them by which pulls go on;
  /// pulls of every kind and length die anywhere. Nothing is claimed that was not read, and what is known to be missing
  /// can be had.
  @Test(arguments: Series.seeds(sample: 40, whole: 3000))
  func `whatever a feed's dates and cursors do, gaps are filled, and nothing is claimed that was not read`(
    seed: UInt64
  ) async throws {
    var session = try PullSession(seed: seed)
    var dice = Dice(state: seed &+ 1)
    for _ in 0..<(2 + dice.below(8)) {
      await session.turn()
      let claims = try session.falseClaims()
      try #require(claims.isEmpty, "\(session.words)\nclaimed \(claims)")
    }
    // A feed that shows nothing says nothing of where it ends.
    session.arrive(3)
    let filled = await session.pull(.gaps)
    #expect(filled.failure == nil && filled.summary.complete, "\(session.words)")
    #expect(try session.shelf.store.gaps().isEmpty, "\(session.words)")
    #expect(try session.intervals.count <= 1, "\(session.words)")
    #expect(try session.falseClaims().isEmpty, "\(session.words)")
    let all = await session.pull(.all)
    #expect(all.failure == nil && all.summary.complete, "\(session.words)")
    #expect(session.missing(toTheEnd: true).isEmpty, "\(session.words)")
    // Where posts vanish, a request for each way that leads nowhere comes to it.
    let most = session.hasDeletions ? session.least * 5 : session.least * 6 / 5 + 1
    #expect(session.requests <= most, "\(session.requests) for \(session.least), \(session.words)")
  }
}
