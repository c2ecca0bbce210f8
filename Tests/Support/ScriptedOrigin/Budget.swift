import Foundation

/// How many requests an API answers in a window; it rejects more with 429.
public struct Budget: Sendable {
  /// Requests of a window, counted per token.
  public var limit: Int
  /// A window in seconds, from its first request on.
  public var window: TimeInterval
  /// Whether the window is counted anew from its last request. However slow the client is, it then waits a whole window.
  public var restartsWhenSpent: Bool

  /// Creates a budget.
  public init(_ limit: Int, in window: TimeInterval, restartsWhenSpent: Bool = false) {
    self.limit = limit
    self.window = window
    self.restartsWhenSpent = restartsWhenSpent
  }
}

/// Counts requests to an API.
struct Till: Sendable {
  private var endsAt: Date?
  private var spent: [String: Int] = [:]
  private(set) var turnedAway = 0

  /// Counts one more request. Returns its answer's header fields, and whether it is rejected.
  mutating func count(_ token: String?, _ budget: Budget, now: Date = Date()) -> ([String: String], isOver: Bool) {
    if endsAt.map({ $0 <= now }) ?? true { (endsAt, spent) = (now.addingTimeInterval(budget.window), [:]) }
    let count = spent[token ?? "", default: 0] + 1
    spent[token ?? ""] = count
    if count > budget.limit { turnedAway += 1 }
    if count == budget.limit, budget.restartsWhenSpent { endsAt = now.addingTimeInterval(budget.window) }
    let fields = [
      "X-RateLimit-Limit": "\(budget.limit)", "X-RateLimit-Remaining": "\(max(0, budget.limit - count))",
      "X-RateLimit-Reset": ScriptedPost.microseconds(endsAt ?? now),
    ]
    return (fields, count > budget.limit)
  }
}
