import FoundationEssentials
import Storage

/// A short wait while a budget is used up, but answers to own requests in flight may show that more is left.
///
/// The ledger may count a request in flight twice, as the server's and as one that the server has not counted. Its answer
/// shows which it was. So a window ends early for nobody who waits for the answers.
struct RateSettling: Sendable {
  private var isWaiting = false
  /// A slow download must not hold back all others.
  private var endsAt: Date?

  /// Whether to wait on, without another look at the ledger.
  func isWaiting(now: Date) -> Bool { isWaiting && isAhead(now) }

  /// Begins to wait, or continues after an answer. Returns false if it has taken too long.
  mutating func wait(now: Date) -> Bool {
    endsAt = endsAt ?? now.addingTimeInterval(RateBudget.probeTime)
    isWaiting = isAhead(now)
    return isWaiting
  }

  /// Records that a request ended: the ledger may have more now.
  mutating func requestEnded() { isWaiting = false }

  /// Ends the wait: the ledger has decided.
  mutating func end() { (isWaiting, endsAt) = (false, nil) }

  private func isAhead(_ now: Date) -> Bool {
    // A time further ahead was set before the clock was set back.
    endsAt.map { $0 > now && $0.timeIntervalSince(now) <= RateBudget.probeTime } ?? false
  }
}
