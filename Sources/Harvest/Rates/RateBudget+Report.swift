import FoundationEssentials
import Storage

/// What a process reports when its lease is used up, when an answer shows a new limit, and at its end.
struct RateReport: Sendable, Equatable {
  /// The lease that it had, nil if none.
  var lease: RateLease?
  /// Unsent requests of the lease.
  var unsent = 0
  /// Requests that `news` may not count: those in flight with the answered one, or sent after it, without an answer yet.
  var uncounted = 0
  /// Requests sent without a lease, before a limit was known.
  var unleased = 0
  /// The limit in the newest answer by the server's count, nil if none named one.
  var news: RateObservation?
  /// Whether no other process had leased requests between the answered request and this lease.
  var isNewsAlone = true
}

extension RateBudget {
  /// The assumed length, in seconds, of a window without a known end, from its first answer: Instagram's first API counts a
  /// sliding hour. Meta's per cents fall sooner.
  static let assumedWindow: TimeInterval = 3600
  static let assumedShareWindow: TimeInterval = 300

  /// The budget after a report: the answer's if there was none or the window had ended, else the smaller of both.
  ///
  /// Requests of other processes may be in flight and not counted in the answer, so an answer with a larger rest is
  /// ignored. It is trusted only if no other process has leased any since: then the server counts differently.
  static func after(_ report: RateReport, on known: RateBudget?, now: Date) -> RateBudget? {
    // An answer about a past window says nothing about the next one.
    guard let news = report.news, news.endsAt.map({ $0 > now }) ?? true else { return known }
    guard let known, known.isOpen(at: now), !news.isShare, !known.isShare else {
      return renewed(by: news, report, known, now)
    }
    var after = known
    after.quota = news.limit ?? known.quota
    after.closedUntil = [known.closedUntil, news.closedUntil].compactMap { $0 }.max()
    let reported = news.remaining - report.unsent
    let own = known.remaining - report.unleased
    if news.isDocumented {
      after.remaining = max(0, own)
      return after
    }
    let end = news.endsAt ?? known.endsAt
    // The server's times are whole seconds.
    let isSameOrLater = end.timeIntervalSince(known.endsAt) > -2
    if reported < own {
      (after.remaining, after.endsAt) = (reported, end)
    } else if isSameOrLater, report.isAlone(in: known) {
      (after.remaining, after.endsAt) = (max(own, reported - report.uncounted), end)
    } else {
      after.remaining = own
    }
    after.remaining = max(0, after.remaining)
    return after
  }

  private static func renewed(
    by news: RateObservation, _ report: RateReport, _ known: RateBudget?, _ now: Date
  ) -> RateBudget {
    let assumed = news.isShare ? assumedShareWindow : assumedWindow
    let isFollowed = known?.probedAt != nil
    let out = news.isShare ? 0 : max(report.unsent + report.uncounted, isFollowed ? known?.probeCount ?? 0 : 0)
    var after = RateBudget(
      quota: news.limit ?? max(known?.quota ?? 0, news.remaining + 1), isShare: news.isShare,
      remaining: max(0, news.remaining - out), endsAt: news.endsAt ?? now.addingTimeInterval(assumed))
    after.closedUntil = news.closedUntil
    after.taken = known?.taken ?? 0
    if let known, isFollowed || known.isOpen(at: now) { after.held = known.held }
    return after
  }

  /// Releases a lease, except requests in flight; unsent ones become available to others if the window is still open.
  mutating func end(_ lease: RateLease, unsent: Int, inFlight: Int = 0, now: Date) {
    guard taken >= lease.taken else { return }
    if probedAt != nil, lease.isProbe { probedAt = nil }
    guard lease.endsAt > now else { return }
    held = max(0, held - lease.held + inFlight)
    if isOpen(at: now), !isShare { remaining += unsent }
  }
}

extension RateReport {
  /// Whether no other process has leased requests since the answered one was sent.
  fileprivate func isAlone(in known: RateBudget) -> Bool { isNewsAlone && isOnlyLease(in: known) }

  /// Whether no other process has leased requests since this one did.
  func isOnlyLease(in known: RateBudget) -> Bool {
    lease.map { !$0.othersHold && $0.taken == known.taken } ?? false
  }
}
