import Foundation
import Storage
import Testing

@testable import Harvest

struct AllowanceTests {
  private func window(_ remaining: Int, of quota: Int = 300, share: Bool = false) -> RateBudget {
    RateBudget(quota: quota, isShare: share, remaining: remaining, endsAt: noon.addingTimeInterval(900))
  }

  /// Number of requests of a lease, nil if none is granted.
  private func count(_ window: RateBudget, _ rank: RateRank) -> Int? {
    var window = window
    guard case .lease(let lease) = window.lease(for: rank, now: noon) else { return nil }
    return lease.count
  }

  @Test(arguments: [(300, 10), (81, 10), (40, 5), (9, 1), (1, 1), (0, nil)] as [(Int, Int?)])
  func `a lease is an eighth of what is left, at most ten`(remaining: Int, expected: Int?) {
    #expect(count(window(remaining), .interactive) == expected)
  }

  @Test(arguments: [(300, 30), (60, 6), (30, 5), (19, 1), (2, 1), (1, 0)])
  func `background work leaves a reserve to those for whom a person waits`(quota: Int, reserve: Int) {
    #expect(window(0, of: quota).reserve == reserve)
    #expect(count(window(reserve, of: quota), .background) == nil)
    #expect(count(window(reserve + 1, of: quota), .background) == 1)
    if reserve > 0 { #expect(count(window(reserve, of: quota), .interactive) != nil) }
  }

  @Test func `a taken request leaves the budget, and one that was not sent returns`() {
    var open = window(100)
    guard case .lease(let lease) = open.lease(for: .interactive, now: noon) else {
      Issue.record("no lease")
      return
    }
    #expect((open.remaining, open.held, open.taken) == (90, 10, 10))
    open.end(lease, unsent: 4, now: noon)
    #expect((open.remaining, open.held, open.taken) == (94, 0, 10))
    open.end(lease, unsent: 4, now: lease.endsAt)
    #expect(open.remaining == 94, "what has lapsed does not come back")
  }

  @Test func `nothing left means to wait for the window's end`() {
    var spent = window(0)
    #expect(spent.lease(for: .interactive, now: noon) == .wait(until: spent.endsAt))
    spent.closedUntil = noon.addingTimeInterval(60)
    #expect(spent.lease(for: .interactive, now: noon) == .wait(until: noon.addingTimeInterval(60)))
  }

  @Test func `after the end one process finds out what the next window allows, and all others wait`() {
    var over = window(0)
    (over.held, over.closedUntil) = (10, over.endsAt)
    let end = over.endsAt
    guard case .lease(let probe) = over.lease(for: .background, now: end) else {
      Issue.record("no lease")
      return
    }
    #expect((probe.count, probe.isProbe, over.held) == (3, true, 3))
    #expect(over.lease(for: .interactive, now: end.addingTimeInterval(29)) == .soon)
    var late = over
    #expect(late.lease(for: .interactive, now: end.addingTimeInterval(30)) != .soon, "the first one was killed, say")
    over.end(probe, unsent: 3, now: end.addingTimeInterval(1))
    #expect(over.lease(for: .interactive, now: end.addingTimeInterval(1)) != .soon, "it has given up")
  }

  @Test func `a clock that is put back closes nothing for longer than a day`() {
    var spent = window(0)
    spent.closedUntil = spent.endsAt
    let before = noon.addingTimeInterval(-86_400 * 3)
    #expect(spent.lease(for: .interactive, now: before) != .wait(until: spent.endsAt))
    spent.probedAt = noon
    #expect(spent.lease(for: .interactive, now: before) != .soon)
  }

  @Test func `per cents are spread from 80 used on, and background work stops at 95`() {
    func lease(_ left: Int, _ rank: RateRank) -> RateLease? {
      var usage = window(left, of: 100, share: true)
      guard case .lease(let lease) = usage.lease(for: rank, now: noon) else { return nil }
      #expect(usage.remaining == left, "only the server knows what a request costs")
      return lease
    }
    #expect(lease(21, .background)?.isSlow == false)
    #expect(lease(20, .background)?.isSlow == true)
    #expect(lease(5, .background) == nil)
    #expect(lease(5, .interactive)?.count == 1)
    #expect(lease(0, .interactive) == nil)
  }
}
