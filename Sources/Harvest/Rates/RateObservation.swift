import FoundationEssentials
import HTTP

/// The limit that one answer names.
struct RateObservation: Sendable, Equatable {
  /// Requests of a window, if named.
  var limit: Int?
  /// Remaining requests, or per cents.
  var remaining: Int
  var isShare = false
  /// Whether the service documents the limit and its answers do not state it: then `remaining` counts no request.
  var isDocumented = false
  /// When the window ends, if named.
  var endsAt: Date?
  /// Until when no request may be sent.
  var closedUntil: Date?

  /// A shorter window, in seconds, with something left is not worth sharing: it limits only bursts.
  static let shortest: TimeInterval = 5
}

extension RateObservation {
  /// Returns nil if the answer names no usable limit: none, one of zero with a normal answer, or one on bursts; and if it
  /// is an error, which may come from a server that counts something else. So does a 429 with something left (X has a limit
  /// per second beside the window's): a retry a little later helps, and the window stays unchanged.
  init?(_ answer: Response, now: Date, dialect: RateDialect = .common) {
    // What stands before a server counts something else, and may name a day.
    if answer.protection == .challenge { return nil }
    let rate = RateLimit(headers: answer.headers, now: now, dialect: dialect)
    if [420, 429].contains(answer.status) {
      let isHaste = rate.retryAt == nil && (rate.remaining ?? 0) > 0
      guard !isHaste, let until = rate.resetsAt, until > now else { return nil }
      self.init(limit: rate.limit, remaining: 0, isShare: rate.isShare, endsAt: until, closedUntil: until)
      return
    }
    guard let remaining = rate.remaining, rate.limit != 0 else {
      guard let hourly = dialect.hourly, answer.isGood else { return nil }
      self.init(limit: hourly, remaining: hourly - 1, isDocumented: true)
      return
    }
    // Who counts shares may reject with 400 or 403, and shows that all is used.
    guard answer.isGood || (rate.isShare && remaining == 0) else { return nil }
    let end = rate.retryAt == nil ? rate.resetsAt : nil
    if remaining > 0, let end, end.timeIntervalSince(now) < Self.shortest { return nil }
    self.init(limit: rate.limit, remaining: remaining, isShare: rate.isShare, endsAt: end)
  }
}

extension Response {
  /// Whether it is a success, a redirect, or "not modified".
  var isGood: Bool { (200..<400).contains(status) }
}
