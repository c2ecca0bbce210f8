import Foundation

/// When a request is tried again: decided from values alone, so that every case can be shown in a test.
///
/// A request that was held back, because its host takes no more for now, goes out when its time has come, and that is no
/// further try. Tried again is what may pass: no connection, silence, a cut answer, a name without an address (once), and the
/// statuses 408, 420, 425, 429, 500, 502, 503 and 504. A POST may have had its effect, so it is tried again only where
/// no connection came about, or where the server turned it away (429, 503) and said when to come back.
public struct RetryPolicy: Sendable {
  /// How often a request is tried in all.
  public var tries: Int
  /// For how long, waits that the server asked for left out.
  public var time: Duration
  /// How much waiting a server may ask for, taken together.
  public var askedWait: Duration
  /// The wait before the second try, before jitter; it doubles from try to try.
  public var firstWait: Duration

  /// A policy; 4 tries within 60 seconds, and up to 5 minutes where the server asks for them.
  public init(
    tries: Int = 4, time: Duration = .seconds(60), askedWait: Duration = .seconds(300),
    firstWait: Duration = .seconds(1)
  ) {
    self.tries = tries
    self.time = time
    self.askedWait = askedWait
    self.firstWait = firstWait
  }

  /// What has gone into a request so far.
  public struct Effort: Sendable {
    /// Tries that were made, the last one included.
    public var tries: Int
    /// Time since the first one began, waits that the server asked for left out.
    public var elapsed: Duration
    /// How long was waited because the server asked for it.
    public var waited: Duration

    /// An effort from its parts; one try and no time unless said otherwise.
    public init(tries: Int = 1, elapsed: Duration = .zero, waited: Duration = .zero) {
      self.tries = tries
      self.elapsed = elapsed
      self.waited = waited
    }
  }

  /// What to do with an outcome.
  public enum Verdict: Sendable, Equatable {
    /// It stands: an answer, or a failure that another try would not change.
    case done
    /// Another try after this wait; `asked` where the server named the time.
    case retry(after: Duration, asked: Bool)
    /// It might pass, and patience is used up: the outcome stands.
    case giveUp
  }

  /// The verdict on one try's outcome; `chance` in 0..<1 spreads the waits.
  public func verdict(
    on outcome: Result<Response, TransportError>, of method: Request.Method, after effort: Effort, now: Date,
    chance: Double
  ) -> Verdict {
    if case .failure(.rateLimited(_, let until, _)) = outcome {
      return waited(Self.wait(from: now, to: until), effort, chance)
    }
    guard mayPass(outcome, method, effort, now) else { return .done }
    guard effort.tries < tries else { return .giveUp }
    let wait = firstWait * (1 << min(effort.tries - 1, 16))
    let after = wait / 2 + wait / 2 * chance
    // Who says "at once" and turns the next try away, too, is asked no faster than one that says nothing.
    if case .success(let answer) = outcome, let asked = asked(answer, now), asked >= after {
      return waited(asked, effort, chance)
    }
    return effort.elapsed + after > time ? .giveUp : .retry(after: after, asked: false)
  }

  /// A little later than asked for, so that those who were told the same time do not all come at once.
  private func waited(_ wait: Duration, _ effort: Effort, _ chance: Double) -> Verdict {
    let after = wait + .milliseconds(Int(chance * 1000))
    return effort.waited + wait > askedWait ? .giveUp : .retry(after: after, asked: true)
  }

  /// To the next millisecond, so that nobody comes back before the time.
  private static func wait(from now: Date, to until: Date) -> Duration {
    .milliseconds(Int(max(1, (until.timeIntervalSince(now) * 1000).rounded(.up))))
  }

  private func mayPass(
    _ outcome: Result<Response, TransportError>, _ method: Request.Method, _ effort: Effort, _ now: Date
  ) -> Bool {
    switch (outcome, method) {
    case (.failure(.unknownHost), _): effort.tries == 1
    case (.failure(.unreachable), _): true
    case (.failure(.timedOut), .get), (.failure(.cut), .get): true
    case (.failure, _): false
    case (.success(let answer), .get): [408, 420, 425, 429, 500, 502, 503, 504].contains(answer.status)
    case (.success(let answer), .post):
      [429, 503].contains(answer.status) && RateLimit(headers: answer.headers, now: now).retryAt != nil
    }
  }

  /// How long the server asks to wait, nil where it does not.
  ///
  /// The end of a window counts where nothing is left in it. A 429 with something left is a limit on haste, whose
  /// window may be minutes away: that one gets the ordinary, short waits.
  private func asked(_ answer: Response, _ now: Date) -> Duration? {
    let rate = RateLimit(headers: answer.headers, now: now)
    let isSpent = rate.remaining.map { $0 == 0 } ?? [420, 429].contains(answer.status)
    let until = rate.retryAt ?? (isSpent ? rate.resetsAt : nil)
    return until.map { .milliseconds(Int(($0.timeIntervalSince(now) * 1000).rounded())) }
  }
}
