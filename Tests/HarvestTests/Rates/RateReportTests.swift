import Foundation
import Storage
import Testing

@testable import Harvest

struct RateReportTests {
  private func later(_ seconds: TimeInterval) -> Date { noon.addingTimeInterval(seconds) }

  private func window(_ remaining: Int, until seconds: TimeInterval = 900, taken: Int = 0) -> RateBudget {
    var made = RateBudget(quota: 300, remaining: remaining, endsAt: later(seconds))
    made.taken = taken
    return made
  }

  private func report(
    _ remaining: Int, until seconds: TimeInterval? = 900, unsent: Int = 0, uncounted: Int = 0, lease: RateLease? = nil
  ) -> RateReport {
    RateReport(
      lease: lease, unsent: unsent, uncounted: uncounted,
      news: RateObservation(limit: 300, remaining: remaining, endsAt: seconds.map(later)))
  }

  private func lease(taken: Int, othersHold: Bool = false) -> RateLease {
    RateLease(count: 10, held: 10, endsAt: later(900), taken: taken, othersHold: othersHold)
  }

  @Test func `the first answer gives the budget`() {
    let after = RateBudget.after(report(299, unsent: 2, uncounted: 1), on: nil, now: noon)
    #expect(after == window(296))
    #expect(RateBudget.after(RateReport(), on: nil, now: noon) == nil)
  }

  @Test func `an answer that states less is believed, one that states more is not`() {
    let known = window(100, taken: 20)
    #expect(RateBudget.after(report(50, unsent: 4), on: known, now: noon)?.remaining == 46)
    let others = [lease(taken: 10), lease(taken: 20, othersHold: true), nil]
    for lease in others {
      #expect(RateBudget.after(report(200, lease: lease), on: known, now: noon)?.remaining == 100)
    }
  }

  @Test func `a process that is alone believes the newest answer`() {
    let known = window(100, taken: 20)
    let received = report(200, until: 1000, unsent: 3, uncounted: 2, lease: lease(taken: 20))
    #expect(RateBudget.after(received, on: known, now: noon) == window(195, until: 1000, taken: 20))
    let other = report(200, until: 300, lease: lease(taken: 20))
    #expect(RateBudget.after(other, on: known, now: noon)?.remaining == 100, "that is another, shorter window")
  }

  @Test func `requests that went out before anything was known are counted`() {
    var received = report(299)
    received.unleased = 3
    #expect(RateBudget.after(received, on: window(100), now: noon)?.remaining == 97)
  }

  @Test func `of two windows the tighter one counts until its end`() {
    let long = RateBudget.after(report(12, until: 900), on: window(280, until: 300), now: noon)
    #expect(long == window(12, until: 900))
    #expect(RateBudget.after(report(290, until: 300), on: long, now: noon) == long)
  }

  @Test func `a new window gives a new budget, less what others may have in flight`() {
    var over = window(0, until: -1, taken: 40)
    (over.held, over.probedAt) = (3, noon)
    let after = RateBudget.after(report(299, until: 900), on: over, now: noon)
    var expected = window(296, taken: 40)
    expected.held = 3
    #expect(after == expected)
  }

  @Test func `an end that nobody states is an hour after the first answer`() {
    let first = RateBudget.after(report(4999, until: nil), on: nil, now: noon)
    #expect(first?.endsAt == later(3600))
    let next = RateBudget.after(report(4000, until: nil), on: first, now: later(1800))
    #expect(next?.endsAt == later(3600))
    #expect(next?.remaining == 4000)
  }

  @Test func `per cents rise and fall as the server says`() {
    func usage(_ left: Int, minutes: Double?) -> RateReport {
      RateReport(
        news: RateObservation(limit: 100, remaining: left, isShare: true, endsAt: minutes.map { later($0 * 60) }))
    }
    let busy = RateBudget.after(usage(3, minutes: 12), on: nil, now: noon)
    #expect((busy?.remaining, busy?.endsAt) == (3, later(720)))
    let calm = RateBudget.after(usage(60, minutes: nil), on: busy, now: noon)
    #expect((calm?.remaining, calm?.endsAt) == (60, later(300)))
  }

  @Test func `429 closes the window for all, and no report opens it again`() {
    var received = report(0, until: 60)
    received.news?.closedUntil = later(60)
    var after = RateBudget.after(received, on: window(200), now: noon)
    #expect(after?.lease(for: .interactive, now: noon) == .wait(until: later(60)))
    after = RateBudget.after(report(199), on: after, now: noon)
    #expect(after?.lease(for: .interactive, now: noon) == .wait(until: later(60)))
  }
}
