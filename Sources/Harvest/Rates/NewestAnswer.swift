/// The answer that counts the most requests, of those that name a limit.
///
/// Answers to concurrent requests arrive in any order. One that leaves more was counted before one that leaves less.
struct NewestAnswer: Sendable {
  /// The limit that it names.
  let news: RateObservation
  /// The number of the last sent request that it counts for certain.
  private(set) var number: Int
  /// Number of answers that had arrived with it.
  private let answered: Int

  init(_ news: RateObservation, number: Int, answered: Int) {
    (self.news, self.number, self.answered) = (news, number, answered)
  }

  /// Adds an answer that arrived later. Returns whether it was counted before this one.
  ///
  /// - Parameter sentAfter: Number of answers that had arrived when its request was sent.
  mutating func absorb(_ other: RateObservation, number: Int, sentAfter answers: Int) -> Bool {
    guard answers < answered, other.isCounted(before: news) else { return false }
    self.number = max(self.number, number)
    return true
  }
}

extension RateObservation {
  /// Whether the server counted this answer's request before another's that was in flight with it.
  fileprivate func isCounted(before other: RateObservation) -> Bool {
    guard closedUntil == nil, !isShare, !other.isShare else { return false }
    // The server's times are whole seconds.
    if let endsAt, let end = other.endsAt, abs(endsAt.timeIntervalSince(end)) > 2 { return endsAt < end }
    return remaining > other.remaining
  }
}
