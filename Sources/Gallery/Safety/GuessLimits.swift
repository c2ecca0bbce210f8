import FoundationEssentials

/// Slows guessing of passwords and tokens: for each address, and of passwords for all addresses together.
///
/// An attempt counts as wrong until it was right, so that many at once are slowed like one after the other.
struct GuessLimits: Sendable {
  private struct Failures: Sendable {
    var count = 0
    var last: Date
  }

  private var failures: [String: Failures] = [:]
  private var attempts: [Date] = []
  private let perMinute: Int?

  /// So many attempts of an address are free; each one after doubles the wait.
  static let free = 3
  static let longestWait: TimeInterval = 300
  /// After this time without an attempt an address is forgotten.
  static let memory: TimeInterval = 3600
  /// The maximum number of guesses at passwords of all addresses in a minute.
  static let passwordsPerMinute = 30
  private static let mostAddresses = 1000

  /// Limits without attempts.
  ///
  /// - Parameter perMinute: The maximum number of attempts of all addresses in a minute; nil for what nobody guesses in any
  ///   number of attempts, where it would only let strangers lock others out.
  init(perMinute: Int? = passwordsPerMinute) { self.perMinute = perMinute }

  /// How long an address has to wait by its own attempts; nil if it need not.
  func wait(of address: String, at now: Date) -> TimeInterval? {
    guard let known = failures[PeerNetwork.of(address)], known.count >= Self.free else { return nil }
    let end = known.last + min(TimeInterval(1 << min(known.count - Self.free, 20)), Self.longestWait)
    return now < end ? end.timeIntervalSince(now) : nil
  }

  /// Counts an attempt, unless it has to wait.
  ///
  /// - Returns: The time to wait; nil if it may be made now.
  mutating func admit(_ address: String, at now: Date) -> TimeInterval? {
    let key = PeerNetwork.of(address)
    forget(at: now)
    if let wait = wait(of: address, at: now) { return wait }
    if let perMinute {
      if attempts.count >= perMinute, let first = attempts.first { return (first + 60).timeIntervalSince(now) }
      attempts.append(now)
    }
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
