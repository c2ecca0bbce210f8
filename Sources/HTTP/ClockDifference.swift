import FoundationEssentials

extension Response {
  /// A date in a field of this answer (RFC 9110, 5.6.7); nil if there is none.
  public func date(_ field: String) -> Date? { headers[field].flatMap(HTTPDate.read) }

  /// How many seconds the server's clock is ahead of `now`. A negative value means that it is behind.
  ///
  /// The server's time is the answer's `Date` (RFC 9110, 6.6.1) plus, if a cache stored the answer, its `Age` (RFC
  /// 9111, 5.1). The difference includes rounding to whole seconds and the network delay, so a few seconds mean
  /// nothing.
  ///
  /// - Returns: nil if the answer has no readable `Date`.
  public func clockDifference(from now: Date) -> TimeInterval? {
    guard let sent = headers["Date"].flatMap(HTTPDate.read) else { return nil }
    let age = headers["Age"].flatMap { Int($0) }.map { min(max($0, 0), 31_536_000) } ?? 0
    return sent.timeIntervalSince(now) + TimeInterval(age)
  }
}
