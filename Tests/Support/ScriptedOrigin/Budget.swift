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
  private var window = 0
  private(set) var windows: [Int: Int] = [:]
  private(set) var refusals: [(at: Date, client: String)] = []

  /// Counts one more request. Returns its answer's header fields, and whether it is rejected.
  mutating func count(_ request: RecordedRequest, _ budget: Budget) -> ([String: String], isOver: Bool) {
    let (token, now) = (request.token ?? "", Date())
    if endsAt.map({ $0 <= now }) ?? true {
      (endsAt, spent, window) = (now.addingTimeInterval(budget.window), [:], Int(now.timeIntervalSince1970))
    }
    let count = spent[token, default: 0] + 1
    spent[token] = count
    windows[window, default: 0] += 1
    if count > budget.limit { refusals.append((now, request.client)) }
    if count == budget.limit, budget.restartsWhenSpent { endsAt = now.addingTimeInterval(budget.window) }
    let fields = [
      "X-RateLimit-Limit": "\(budget.limit)", "X-RateLimit-Remaining": "\(max(0, budget.limit - count))",
      "X-RateLimit-Reset": ScriptedPost.microseconds(endsAt ?? now),
    ]
    return (fields, count > budget.limit)
  }
}
