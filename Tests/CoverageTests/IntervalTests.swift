import Coverage
import Foundation
import Testing

/// Joined intervals, and what is missing between others.
struct IntervalTests {
  private func joining(
    _ upper: ClosedRange<Int64>, _ lower: ClosedRange<Int64>, counts: (Int, Int),
    areMoving: (Bool, Bool) = (false, false)
  ) -> Joining { Joining(upper, lower, counts: counts, areMoving: areMoving, most: 10) }

  @Test func `the rows of the shorter interval move, directly beyond the end of the longer one`() {
    let down = joining(5...8, -3...2, counts: (9, 6))
    #expect((down.keepsUpper, down.isLong, down.shift, down.border) == (true, false, 2, 5))
    let up = joining(5...8, -3...2, counts: (4, 6))
    #expect((up.keepsUpper, up.isLong, up.shift, up.border) == (false, false, -2, 3))
    #expect(!joining(5...8, -3...2, counts: (6, 6)).keepsUpper)
  }

  @Test func `if both are long, nothing moves yet, and their positions tell which is longer`() {
    let long = joining(5...90, -3...2, counts: (11, 11))
    #expect((long.keepsUpper, long.isLong, long.border) == (true, true, 5))
    #expect(joining(5...8, -30...2, counts: (11, 11)).border == 5)
  }

  @Test func `an interval that is to become part of another one stays until its rows have moved`() {
    #expect(joining(5...8, -3...2, counts: (1, 6), areMoving: (true, false)).keepsUpper)
    #expect(!joining(5...8, -3...2, counts: (9, 6), areMoving: (false, true)).keepsUpper)
    #expect(joining(5...8, -3...2, counts: (1, 6), areMoving: (true, true)).keepsUpper)
  }

  @Test func `linked intervals are one`() {
    let chain = [interval(9, 90, 80), interval(7, 70, 60, successor: 9), interval(5, 50, 40), interval(3, 30, 20)]
    #expect(chain.linked.map { $0.map(\.id) } == [[9, 7], [5], [3]])
    #expect([interval(9, 90, 80, successor: 7), interval(7, 70, 60)].linked.count == 1)
  }

  // MARK: What is missing

  /// The missing parts as text: `!` for one that a pull was to read, then its ends.
  private func missing(_ intervals: [CoverageInterval], _ pulls: [UnfinishedPull] = []) -> [String] {
    MissingPart.all(between: intervals, and: pulls).map { part in
      "\(part.isUnfinished ? "!" : "")\(part.upper?.oldest ?? "-")…\(part.lower?.newest ?? "-")"
    }
  }

  private func pull(
    _ id: Int64, in parts: [CoverageInterval] = [], at position: Int64? = nil, bottom: Int64 = 0
  ) -> UnfinishedPull {
    var pull = UnfinishedPull(
      id: id, goal: PullGoal(pages: 9, since: noon - Double(id)), pages: 1, items: 20, next: nil, position: position)
    (pull.parts, pull.bottom) = (parts, parts.isEmpty ? nil : bottom)
    return pull
  }

  @Test func `a gap lies between two intervals that are not linked, and none below the lowest`() {
    #expect(missing([interval(3, 30, 20), interval(2, 19, 15, successor: 3), interval(1, 9, 1)]) == ["15…9"])
    #expect(missing([interval(1, 9, 1)]) == [])
    #expect(missing([]) == [])
  }

  @Test func `a pull that stored nothing misses what is above the newest interval`() {
    #expect(missing([interval(2, 20, 15), interval(1, 9, 1)], [pull(1), pull(2)]) == ["!-…20", "15…9"])
    #expect(missing([], [pull(1)]) == ["!-…-"])
  }

  @Test func `an unfinished pull at the end of its interval takes the place of the gap, and several count once`() {
    let (upper, lower) = (interval(2, 20, 15), interval(1, 9, 1))
    #expect(missing([upper, lower], [pull(2, in: [upper]), pull(1, in: [upper])]) == ["!15…9"])
    #expect(missing([upper, lower], [pull(1, in: [lower])]) == ["15…9", "!1…-"])
  }

  @Test func `a pull that stands higher in its interval leaves the gap below`() {
    let (upper, lower) = (interval(2, 20, 15), interval(1, 9, 1))
    #expect(missing([upper, lower], [pull(1, in: [upper], at: 5)]) == ["!15…-", "15…9"])
  }

  @Test func `the rest of a pull in linked intervals is below the lowest of them`() {
    let (upper, linked, lower) = (interval(3, 30, 20), interval(2, 19, 15, successor: 3), interval(1, 9, 1))
    #expect(missing([upper, linked, lower], [pull(1, in: [upper, linked])]) == ["!15…-", "15…9"])
  }
}
