import Foundation
import HTTP
import Storage

/// What one process has in hand of one key: its lease, and what it has not told the others yet.
struct RateHand: Sendable {
  private var report = RateReport()
  /// Whether the ledger knows a limit.
  private var isKnown = false
  /// Until when it is taken for granted that no limit is known.
  private var freeUntil: Date?
  private var spreadUntil: Date?

  /// So long, in seconds, is not looked again whether another process has learned of a limit.
  private static let freeTime: TimeInterval = 1
  /// The pause between requests where little is left, and between looks at what another process finds out, in seconds.
  private static let spread: TimeInterval = 4
  private static let look: TimeInterval = 0.25

  /// Takes one request to send; nil where that is possible now, else when to ask again.
  mutating func take(_ key: RateKey, _ rank: RateRank, from ledger: inout RateLedger, now: Date) -> Date? {
    if let spreadUntil, spreadUntil > now, spreadUntil.timeIntervalSince(now) <= Self.spread { return spreadUntil }
    if let lease = report.lease, report.unsent > 0, lease.endsAt > now { return send(now) }
    if isFree(key, &ledger, now) {
      report.unleased += 1
      report.inFlight += 1
      return nil
    }
    switch renew(key, rank, &ledger, now) {
    case .lease(let lease):
      (report.lease, report.unsent) = (lease, lease.count)
      return send(now)
    case .wait(let until): return until
    case .soon: return now.addingTimeInterval(Self.look)
    case nil:
      // The others have found that there is no limit any more.
      isKnown = false
      return take(key, rank, from: &ledger, now: now)
    }
  }

  private mutating func send(_ now: Date) -> Date? {
    report.unsent -= 1
    report.inFlight += 1
    if report.lease?.isSlow == true { spreadUntil = now.addingTimeInterval(Self.spread) }
    return nil
  }

  private mutating func isFree(_ key: RateKey, _ ledger: inout RateLedger, _ now: Date) -> Bool {
    if isKnown { return false }
    if let freeUntil, freeUntil > now, freeUntil.timeIntervalSince(now) <= Self.freeTime { return true }
    isKnown = ledger.allowance(of: key) != nil
    freeUntil = isKnown ? nil : now.addingTimeInterval(Self.freeTime)
    return !isKnown
  }

  /// Tells what the last lease has brought and takes the next one; nil where no limit is known.
  private mutating func renew(
    _ key: RateKey, _ rank: RateRank, _ ledger: inout RateLedger, _ now: Date
  ) -> RateGrant? {
    let report = report
    let grant = ledger.change(key, now: now) { allowance -> RateGrant? in
      allowance = Allowance.after(report, on: allowance, now: now)
      if let lease = report.lease { allowance?.end(lease, unsent: report.unsent, now: now) }
      return allowance?.lease(for: rank, now: now)
    }
    tell()
    (self.report.lease, self.report.unsent) = (nil, 0)
    return grant
  }

  /// Takes in how a request ended. What the others must know is told at once: the first word of a limit, of a new window,
  /// and that nothing is left.
  mutating func end(_ key: RateKey, with answer: Response?, in ledger: inout RateLedger, now: Date) {
    report.inFlight -= 1
    guard let answer else { return }
    guard let news = RateNews(answer, now: now) else {
      if report.lease?.isProbe == true, answer.status < 500 { forget(key, &ledger, now) }
      return
    }
    report.news = news
    if !news.isShare { report.unsent = min(report.unsent, news.remaining) }
    if news.closedUntil != nil { report.unsent = 0 }
    guard !isKnown || report.lease?.isProbe == true || news.remaining == 0 else { return }
    let report = report
    let window = ledger.change(key, now: now) { allowance in
      allowance = Allowance.after(report, on: allowance, now: now)
      return allowance
    }
    isKnown = true
    if var lease = report.lease, lease.isProbe, let window {
      (lease.isProbe, lease.endsAt) = (false, window.endsAt)
      self.report.lease = lease
    }
    tell()
  }

  private mutating func tell() { (report.news, report.unleased) = (nil, 0) }

  /// The server tells no limit any more.
  private mutating func forget(_ key: RateKey, _ ledger: inout RateLedger, _ now: Date) {
    ledger.change(key, now: now) { $0 = nil }
    (report.lease, report.unsent, isKnown) = (nil, 0, false)
    tell()
  }

  /// Gives back what was not sent.
  mutating func giveBack(_ key: RateKey, to ledger: inout RateLedger, now: Date) {
    guard isKnown, report.lease != nil || report.news != nil else { return }
    let report = report
    ledger.change(key, now: now) { allowance in
      allowance = Allowance.after(report, on: allowance, now: now)
      if let lease = report.lease { allowance?.end(lease, unsent: report.unsent, now: now) }
    }
    (self.report.lease, self.report.unsent) = (nil, 0)
    tell()
  }
}
