import Foundation
import Storage

/// What a process tells when its lease is used up, when an answer changes the picture, and at its end.
struct RateReport: Sendable, Equatable {
  /// The lease that it had, nil where none.
  var lease: RateLease?
  /// Requests of the lease that it has not sent.
  var unsent = 0
  /// Requests that the news may not count: those on their way together with the one that brought it, or sent after.
  var uncounted = 0
  /// Requests that it sent without a lease, since nothing was known.
  var unleased = 0
  /// What the newest answer told, nil where none did.
  var news: RateNews?
  /// Whether that answered a request of this lease, and not of an earlier one.
  var isNewsOfLease = true
}

extension Allowance {
  /// A window whose end nobody tells is this long, counted from its first answer: Instagram's first API counts a sliding
  /// hour. Meta's per cents fall sooner.
  static let untoldWindow: TimeInterval = 3600
  static let untoldShareWindow: TimeInterval = 300

  /// What is known after a report: what the answer says where there was nothing or the window had ended, else the less
  /// of what was known and what it says.
  ///
  /// What other processes hold may be on its way to the server and is in no answer yet, so that an answer which tells more
  /// than is known tells nothing new. Only where no other process has taken any since the lease, it is believed: then
  /// the server counts otherwise than we do.
  static func after(_ report: RateReport, on known: Allowance?, now: Date) -> Allowance? {
    // Words of a window that is over say nothing of the next one.
    guard let news = report.news, news.endsAt.map({ $0 > now }) ?? true else { return known }
    guard let known, known.isOpen(at: now), !news.isShare, !known.isShare else {
      return renewed(by: news, report, known, now)
    }
    var after = known
    after.quota = news.limit ?? known.quota
    after.closedUntil = [known.closedUntil, news.closedUntil].compactMap { $0 }.max()
    let told = news.remaining - report.unsent
    let own = known.remaining - report.unleased
    let end = news.endsAt ?? known.endsAt
    // Seconds of the server's clock are whole ones.
    let isSameOrLater = end.timeIntervalSince(known.endsAt) > -2
    if told < own {
      (after.remaining, after.endsAt) = (told, end)
    } else if isSameOrLater, report.isAlone(in: known) {
      (after.remaining, after.endsAt) = (max(own, told - report.uncounted), end)
    } else {
      after.remaining = own
    }
    after.remaining = max(0, after.remaining)
    return after
  }

  private static func renewed(
    by news: RateNews, _ report: RateReport, _ known: Allowance?, _ now: Date
  ) -> Allowance {
    let untold = news.isShare ? untoldShareWindow : untoldWindow
    let isFollowed = known?.probedAt != nil
    let out = news.isShare ? 0 : max(report.unsent + report.uncounted, isFollowed ? known?.probeCount ?? 0 : 0)
    var after = Allowance(
      quota: news.limit ?? max(known?.quota ?? 0, news.remaining + 1), isShare: news.isShare,
      remaining: max(0, news.remaining - out), endsAt: news.endsAt ?? now.addingTimeInterval(untold))
    after.closedUntil = news.closedUntil
    after.taken = known?.taken ?? 0
    if let known, isFollowed || known.isOpen(at: now) { after.held = known.held }
    return after
  }

  /// Lets go of a lease, but for what is on its way; what was not sent may be taken by others, if its window still runs.
  mutating func end(_ lease: RateLease, unsent: Int, inFlight: Int = 0, now: Date) {
    guard taken >= lease.taken else { return }
    if probedAt != nil, lease.isProbe { probedAt = nil }
    guard lease.endsAt > now else { return }
    held = max(0, held - lease.held + inFlight)
    if isOpen(at: now), !isShare { remaining += unsent }
  }
}

extension RateReport {
  /// Whether nobody else has taken any since this process did.
  fileprivate func isAlone(in known: Allowance) -> Bool {
    isNewsOfLease && lease.map { !$0.othersHold && $0.taken == known.taken } ?? false
  }
}
