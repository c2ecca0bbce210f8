import Foundation
import HTTP

/// What one answer tells of a server's limit.
struct RateNews: Sendable, Equatable {
  /// Requests of a window, where it is told.
  var limit: Int?
  /// Requests, or per cents, that are left.
  var remaining: Int
  var isShare = false
  /// When the window ends, where it is told.
  var endsAt: Date?
  /// Until when nothing at all is to be asked.
  var closedUntil: Date?

  /// A window that ends sooner is not worth sharing while something is left in it: it is a limit on haste.
  static let shortest: TimeInterval = 5
}

extension RateNews {
  /// Nil where the answer tells nothing to go by: no limit, one of zero under which it answers all the same, or one on
  /// haste; and where it is an error, which may come from a server that counts something else. A 429 with something left
  /// is such a one (X has a second's limit beside the window's): trying again a little later helps, and the window stays
  /// as it was.
  init?(_ answer: Response, now: Date) {
    let rate = RateLimit(headers: answer.headers, now: now)
    if [420, 429].contains(answer.status) {
      let isHaste = rate.retryAt == nil && (rate.remaining ?? 0) > 0
      guard !isHaste, let until = rate.resetsAt, until > now else { return nil }
      self.init(limit: rate.limit, remaining: 0, isShare: rate.isShare, endsAt: until, closedUntil: until)
      return
    }
    guard let remaining = rate.remaining, rate.limit != 0 else { return nil }
    // Meta refuses with 400 or 403 and says by its shares that all is used.
    guard answer.isGood || (rate.isShare && remaining == 0) else { return nil }
    let end = rate.retryAt == nil ? rate.resetsAt : nil
    if remaining > 0, let end, end.timeIntervalSince(now) < Self.shortest { return nil }
    self.init(limit: rate.limit, remaining: remaining, isShare: rate.isShare, endsAt: end)
  }
}

extension Response {
  /// Whether it is what was asked for, or says where that lies or that it has not changed.
  var isGood: Bool { (200..<400).contains(status) }
}
