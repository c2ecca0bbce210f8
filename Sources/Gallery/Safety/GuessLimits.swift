import FoundationEssentials

/// Slows guessing of the password: for each address, and for all addresses together.
///
/// An attempt counts as wrong until it was right, so that many at once are slowed like one after the other.
struct GuessLimits: Sendable {
  private struct Failures: Sendable {
    var count = 0
    var last: Date
  }

  private var failures: [String: Failures] = [:]
  private var attempts: [Date] = []

  /// So many attempts of an address are free; each one after doubles the wait.
  static let free = 3
  static let longestWait: TimeInterval = 300
  /// After this time without an attempt an address is forgotten.
  static let memory: TimeInterval = 3600
  /// The maximum number of attempts of all addresses in a minute.
  static let perMinute = 30
  private static let mostAddresses = 1000

  /// Counts an attempt, unless it has to wait.
  ///
  /// - Returns: The time to wait; nil if it may be made now.
  mutating func admit(_ address: String, at now: Date) -> TimeInterval? {
    let key = PeerNetwork.of(address)
    forget(at: now)
    if let known = failures[key], known.count >= Self.free {
      let end = known.last + min(TimeInterval(1 << min(known.count - Self.free, 20)), Self.longestWait)
      if now < end { return end.timeIntervalSince(now) }
    }
    if attempts.count >= Self.perMinute, let first = attempts.first { return (first + 60).timeIntervalSince(now) }
    attempts.append(now)
    failures[key, default: Failures(last: now)].count += 1
    failures[key]?.last = now
    return nil
  }

  /// An attempt of the address was right.
  mutating func succeeded(_ address: String) {
    failures[PeerNetwork.of(address)] = nil
    if !attempts.isEmpty { attempts.removeLast() }
  }

  private mutating func forget(at now: Date) {
    attempts.removeAll { $0 + 60 <= now }
    failures = failures.filter { now < $0.value.last + Self.memory }
    guard failures.count >= Self.mostAddresses else { return }
    if let oldest = failures.min(by: { $0.value.last < $1.value.last }) { failures[oldest.key] = nil }
  }
}
