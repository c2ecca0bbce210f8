import FoundationEssentials

/// Decides when a request is retried. It decides from values alone, so that a test can show every case.
///
/// A request that was held back, because its host accepts no more for now, is sent when its time has come. That does
/// not count as another try. Transient failures are retried: no connection, silence, a truncated answer, an
/// unresolvable host (once), and the statuses 408, 420, 425, 429, 500, 502, 503 and 504. A POST may have taken effect.
/// So it is retried only if no connection came about, or if the server rejected it (429, 503) and said when to come
/// back.
public struct RetryPolicy: Sendable {
  /// The maximum number of tries.
  public var tries: Int
  /// The maximum duration, without the waits that the server asked for.
  public var time: Duration
  /// The maximum total of the waits that the server asks for.
  public var maximumRequestedWait: Duration
  /// The wait before the second try, without jitter. It doubles from try to try.
  public var firstWait: Duration
  /// The fields by which the server states limits.
  public var rates: RateDialect

  /// A policy. The defaults are 4 tries within 60 seconds, plus up to 5 minutes of waits that the server asks for.
  public init(
    tries: Int = 4, time: Duration = .seconds(60), maximumRequestedWait: Duration = .seconds(300),
    firstWait: Duration = .seconds(1), rates: RateDialect = .common
  ) {
    self.tries = tries
    self.time = time
    self.maximumRequestedWait = maximumRequestedWait
    self.firstWait = firstWait
    self.rates = rates
  }

  /// The effort spent on a request so far.
  public struct Effort: Sendable {
    /// The tries so far, including the last one.
    public var tries: Int
    /// The time since the first try began, without the waits that the server asked for.
    public var elapsed: Duration
    /// The total of the waits that the server asked for.
    public var waited: Duration

    /// Creates an effort; by default one try and no time.
    public init(tries: Int = 1, elapsed: Duration = .zero, waited: Duration = .zero) {
      self.tries = tries
      self.elapsed = elapsed
      self.waited = waited
    }
  }

  /// What to do with an outcome.
  public enum Verdict: Sendable, Equatable {
    /// Final: an answer, or a failure that another try would not change.
    case done
    /// Try again after this wait. `asked` says that the server named the time.
    case retry(after: Duration, asked: Bool)
    /// The failure might be transient, but the limits are used up. The outcome is final.
    case giveUp
  }

  /// Returns the verdict on the outcome of one try.
  ///
  /// - Parameter chance: a number in 0..<1 for jitter.
  public func verdict(
    on outcome: Result<Response, TransportError>, of method: Request.Method, after effort: Effort, now: Date,
    chance: Double
  ) -> Verdict {
    if case .failure(.rateLimited(_, let until, _)) = outcome {
      return retryAsRequested(Self.wait(from: now, to: until), effort, chance)
    }
    guard isTransient(outcome, method, effort, now) else { return .done }
    guard effort.tries < tries else { return .giveUp }
    let wait = firstWait * (1 << min(effort.tries - 1, 16))
    let after = wait / 2 + wait / 2 * chance
    // A server that says "at once" and rejects the next try as well is not retried faster than one that says nothing.
    if case .success(let answer) = outcome, let asked = requestedWait(answer, now), asked >= after {
      return retryAsRequested(asked, effort, chance)
    }
    return effort.elapsed + after > time ? .giveUp : .retry(after: after, asked: false)
  }

  /// Waits slightly longer than asked, so that clients that were given the same time do not all return at once.
  private func retryAsRequested(_ wait: Duration, _ effort: Effort, _ chance: Double) -> Verdict {
    let after = wait + .milliseconds(Int(chance * 1000))
    return effort.waited + wait > maximumRequestedWait ? .giveUp : .retry(after: after, asked: true)
  }

  /// Rounds up to the next millisecond, so that no request is sent too early.
  private static func wait(from now: Date, to until: Date) -> Duration {
    .milliseconds(Int(max(1, (until.timeIntervalSince(now) * 1000).rounded(.up))))
  }

  private func isTransient(
    _ outcome: Result<Response, TransportError>, _ method: Request.Method, _ effort: Effort, _ now: Date
  ) -> Bool {
    switch (outcome, method) {
    case (.failure(.unknownHost), _): effort.tries == 1
    case (.failure(.unreachable), _): true
    case (.failure(.timedOut), let method), (.failure(.cut), let method): method != .post
    case (.failure, _): false
    case (.success(let answer), .post):
      [429, 503].contains(answer.status) && RateLimit(headers: answer.headers, now: now).retryAt != nil
    // Another try would be shut out, too, and count against this address.
    case (.success(let answer), _) where answer.protection == .challenge: false
    case (.success(let answer), _): [408, 420, 425, 429, 500, 502, 503, 504].contains(answer.status)
    }
  }

  /// The wait that the server asks for; nil if none.
  ///
  /// The end of a window counts if no requests are left in it. A 429 with requests left is a limit on bursts. Its
  /// window may end minutes later, so it gets the ordinary, short waits.
  private func requestedWait(_ answer: Response, _ now: Date) -> Duration? {
    let rate = RateLimit(headers: answer.headers, now: now, dialect: rates)
    let isSpent = rate.remaining.map { $0 == 0 } ?? [420, 429].contains(answer.status)
    let until = rate.retryAt ?? (isSpent ? rate.resetsAt : nil)
    return until.map { .milliseconds(Int(($0.timeIntervalSince(now) * 1000).rounded())) }
  }
}
