import Foundation

extension Response {
  /// By how many seconds the server's clock is ahead of ours, below zero where it is behind; nil where it does not tell.
  ///
  /// The answer's `Date` (RFC 9110, 6.6.1) and, where a cache kept it, its `Age` (RFC 9111, 5.1) on top. Whole seconds and
  /// the way of the answer are in it: a few seconds say nothing.
  public func clockDifference(from now: Date) -> TimeInterval? {
    guard let sent = headers["Date"].flatMap(HTTPDate.read) else { return nil }
    let age = headers["Age"].flatMap { Int($0) }.map { min(max($0, 0), 31_536_000) } ?? 0
    return sent.timeIntervalSince(now) + TimeInterval(age)
  }
}
