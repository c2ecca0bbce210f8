import FoundationEssentials
import HTTP
import Storage

/// One process's state for one key: its lease, and what it has not yet reported to others.
struct HeldRateLease: Sendable {
  /// A request that may be sent.
  struct Ticket: Sendable {
    fileprivate let number: Int
    /// Number of other requests in flight when it was sent.
    fileprivate let others: Int
    /// Number of answers that had arrived when it was sent.
    fileprivate let answered: Int
    /// The total of leased requests when its lease was granted.
    fileprivate let taken: Int?
  }

  /// The decision about a request.
  enum Decision: Sendable {
    case go(Ticket)
    /// Not before this time.
    case hold(until: Date)
  }

  /// The fields by which the server states limits.
  private let dialect: RateDialect
  private var report = RateReport()
  private var sent = 0
  private var inFlight = 0
  private var answered = 0
  private var newest: NewestAnswer?
  /// The number of the first request since which no other process has leased any.
  private var aloneSince = 0
  private var settling = RateSettling()
  /// Whether the ledger has a limit.
  private var isKnown = false
  /// Until when the ledger is not checked for a limit.
  private var freeUntil: Date?
  private var spreadUntil: Date?
  /// Until when the server accepts no requests.
  private var closedUntil: Date?

  /// How long, in seconds, the ledger is not checked for a limit that another process found.
  private static let freeTime: TimeInterval = 1
  /// The pause between requests if little is left, and between checks of another process's probe, in seconds.
  private static let spread: TimeInterval = 4
  private static let probeCheck: TimeInterval = 0.25

  init(dialect: RateDialect = .common) { self.dialect = dialect }

  /// Decides about a request without the ledger; nil if the ledger must be asked.
  mutating func acquireHeld(now: Date) -> Decision? {
    if let spreadUntil, spreadUntil > now, spreadUntil.timeIntervalSince(now) <= Self.spread {
      return .hold(until: spreadUntil)
    }
    if let lease = report.lease, report.unsent > 0, lease.endsAt > now { return sendLeased(now) }
    if settling.isWaiting(now: now) { return .hold(until: now.addingTimeInterval(Self.probeCheck)) }
    return isFree(now) ? sendUnleased(now) : nil
  }

  /// Grants one request, or returns when to try again.
  mutating func acquire(_ key: RateKey, _ rank: RateRank, from ledger: inout RateLedger, now: Date) -> Decision {
    if let decision = acquireHeld(now: now) { return decision }
    if !isKnown, checkFree(key, &ledger, now) { return sendUnleased(now) }
    switch renew(key, rank, &ledger, now) {
    case .lease(let lease):
      (report.lease, report.unsent) = (lease, lease.count)
      return sendLeased(now)
    case .wait(let until): return .hold(until: until)
    case .soon: return .hold(until: now.addingTimeInterval(Self.probeCheck))
    case nil:
      // Other processes found that there is no limit any more.
      isKnown = false
      return acquire(key, rank, from: &ledger, now: now)
    }
  }

  private mutating func sendLeased(_ now: Date) -> Decision {
    report.unsent -= 1
    return send(now)
  }

  private mutating func send(_ now: Date) -> Decision {
    if report.lease?.isSlow == true { spreadUntil = now.addingTimeInterval(Self.spread) }
    defer { inFlight += 1 }
    sent += 1
    report.uncounted += 1
    return .go(Ticket(number: sent, others: inFlight, answered: answered, taken: report.lease?.taken))
  }

  private mutating func sendUnleased(_ now: Date) -> Decision {
    report.unleased += 1
    return send(now)
  }

  /// Whether the ledger had no limit a moment ago.
  private func isFree(_ now: Date) -> Bool {
    guard !isKnown, let freeUntil else { return false }
    return freeUntil > now && freeUntil.timeIntervalSince(now) <= Self.freeTime
  }

  private mutating func checkFree(_ key: RateKey, _ ledger: inout RateLedger, _ now: Date) -> Bool {
    isKnown = ledger.rateBudget(of: key) != nil
    freeUntil = isKnown ? nil : now.addingTimeInterval(Self.freeTime)
    return !isKnown
  }

  /// Reports the last lease and requests the next one; nil if no limit is known.
  private mutating func renew(
    _ key: RateKey, _ rank: RateRank, _ ledger: inout RateLedger, _ now: Date
  ) -> RateGrant? {
    if let lease = report.lease {
      if lease.endsAt <= now { report.news = nil } else if lease.isProbe, inFlight > 0 { return .soon }
    }
    let report = report
    let inFlight = report.lease == nil ? 0 : inFlight
    let (isAlone, grant) = ledger.change(key, now: now) { allowance -> (Bool, RateGrant?) in
      let isAlone = allowance.map(report.isOnlyLease) ?? false
      allowance = RateBudget.after(report, on: allowance, now: now)
      if let lease = report.lease { allowance?.end(lease, unsent: report.unsent, inFlight: inFlight, now: now) }
      return (isAlone, allowance?.lease(for: rank, own: inFlight, now: now))
    }
    clearReport()
    self.report.unsent = 0
    // Others must count requests in flight until their answers arrive.
    if inFlight > 0 { self.report.lease?.held = inFlight } else { self.report.lease = nil }
    if !isAlone { aloneSince = sent + 1 }
    let mayRise = isAlone && inFlight > 0 && newest.map { !$0.news.isShare && $0.news.remaining > 0 } ?? true
    if mayRise, case .wait = grant { return settling.wait(now: now) ? .soon : grant }
    settling.end()
    return grant
  }

  /// What the ledger must learn at once after a request.
  private enum News {
    /// A first limit, a new window, or that nothing is left.
    case limit
    /// That the server names no limit any more.
    case noLimit
  }

  /// Records how a request ended without the ledger; nil if the ledger must learn of it.
  mutating func endHeld(_ ticket: Ticket, with answer: Response?, now: Date) -> Void? {
    record(ticket, answer, now) == nil ? () : nil
  }

  /// Records how a request ended, and reports at once what others must know.
  mutating func end(
    _ ticket: Ticket, of key: RateKey, with answer: Response?, in ledger: inout RateLedger, now: Date
  ) {
    switch record(ticket, answer, now) {
    case .limit: tellLimit(key, &ledger, now)
    case .noLimit: forget(key, &ledger, now)
    case nil: break
    }
  }

  private mutating func record(_ ticket: Ticket, _ answer: Response?, _ now: Date) -> News? {
    inFlight -= 1
    settling.requestEnded()
    guard let answer else { return nil }
    guard let news = RateObservation(answer, now: now, dialect: dialect) else {
      return record(ticket, withoutLimit: answer, now)
    }
    note(news, ticket)
    if !news.isShare { report.unsent = min(report.unsent, news.remaining) }
    if let closed = news.closedUntil { (report.unsent, closedUntil) = (0, closed) }
    return !isKnown || report.lease?.isProbe == true || news.remaining == 0 ? .limit : nil
  }

  /// Reports the answer that counts the most requests.
  private mutating func note(_ news: RateObservation, _ ticket: Ticket) {
    if newest?.absorb(news, number: ticket.number, sentAfter: ticket.answered) == true {
      report.uncounted = max(0, report.uncounted - 1)
    } else {
      // Those in flight with it, and those sent after it, except those whose answers came before its own.
      report.uncounted = ticket.others + sent - ticket.number - (answered - ticket.answered)
      newest = NewestAnswer(news, number: ticket.number, answered: answered + 1)
    }
    answered += 1
    report.news = newest?.news
    report.isNewsAlone = newest.map { $0.number >= aloneSince } ?? false
  }

  /// Records an answer without a limit. If it succeeded, the server did not count the request: so a host that limits only
  /// some addresses has no limit for the others.
  private mutating func record(_ ticket: Ticket, withoutLimit answer: Response, _ now: Date) -> News? {
    guard let lease = report.lease else { return nil }
    let isSilent = RateLimit(headers: answer.headers, now: now, dialect: dialect).remaining == nil
    if lease.isProbe { return answer.isGood || (isSilent && answer.status < 500) ? .noLimit : nil }
    if answer.isGood, isSilent, ticket.taken == lease.taken, closedUntil.map({ $0 <= now }) ?? true {
      report.unsent += 1
    }
    return nil
  }

  private mutating func tellLimit(_ key: RateKey, _ ledger: inout RateLedger, _ now: Date) {
    let report = report
    let inFlight = inFlight
    let (isFirst, own, window) = ledger.change(key, now: now) { allowance -> (Bool, RateLease?, RateBudget?) in
      let isFirst = allowance == nil
      allowance = RateBudget.after(report, on: allowance, now: now)
      let own = report.lease == nil ? allowance?.lease(ofUnleased: inFlight, now: now) : nil
      return (isFirst, own, allowance)
    }
    isKnown = true
    if let own {
      self.report.lease = own
      if !isFirst { aloneSince = sent + 1 }
    }
    if var lease = report.lease, lease.isProbe, let window {
      (lease.isProbe, lease.endsAt) = (false, window.endsAt)
      self.report.lease = lease
    }
    clearReport()
  }

  private mutating func clearReport() { (report.news, report.unleased) = (nil, 0) }

  /// Forgets the limit: the server names none any more.
  private mutating func forget(_ key: RateKey, _ ledger: inout RateLedger, _ now: Date) {
    ledger.change(key, now: now) { $0 = nil }
    (report.lease, report.unsent, isKnown, newest, aloneSince) = (nil, 0, false, nil, sent + 1)
    clearReport()
  }

  /// Whether the ledger must learn of unsent requests or of a limit.
  var hasUnreported: Bool { isKnown && (report.lease != nil || report.news != nil) }

  /// Returns unsent requests.
  mutating func giveBack(_ key: RateKey, to ledger: inout RateLedger, now: Date) {
    guard hasUnreported else { return }
    let report = report
    ledger.change(key, now: now) { allowance in
      allowance = RateBudget.after(report, on: allowance, now: now)
      if let lease = report.lease { allowance?.end(lease, unsent: report.unsent, now: now) }
    }
    (self.report.lease, self.report.unsent) = (nil, 0)
    clearReport()
  }
}
