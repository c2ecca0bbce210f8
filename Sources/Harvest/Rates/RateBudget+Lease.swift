import FoundationEssentials
import Storage

/// The priority of a request.
public enum RateRank: Sendable {
  /// A person waits for the answer.
  case interactive
  /// No person waits. It leaves a reserve for interactive requests.
  case background
}

/// Requests that a process may send without another lease.
struct RateLease: Sendable, Equatable {
  /// Number of requests.
  var count: Int
  /// Requests that the ledger records for the process: these, and those in flight when the lease was granted.
  var held: Int
  /// When it expires with its window.
  var endsAt: Date
  /// Total of requests ever leased, including this lease.
  var taken: Int
  /// Whether another process held requests when it was granted.
  var othersHold: Bool
  /// Whether it probes what a new window allows.
  var isProbe = false
  /// Whether so little is left that requests must be spread.
  var isSlow = false
}

/// The answer to a request for a lease.
enum RateGrant: Sendable, Equatable {
  case lease(RateLease)
  /// No request before this time.
  case wait(until: Date)
  /// Another process probes a new window; try again soon.
  case soon
}

extension RateBudget {
  /// The most requests of a lease, which a killed process loses until the window ends.
  static let mostLeased = 10
  /// How long, in seconds, other processes wait for the answers to a probe.
  static let probeTime: TimeInterval = 30
  /// In per cent: below the first, requests are spread; below the second, background requests wait.
  static let slowShare = 20
  static let shareReserve = 5

  /// Whether the window is still open. None is longer than a day: a later end was written before the clock was set back.
  func isOpen(at now: Date) -> Bool { Self.isAhead(endsAt, of: now) }

  private static func isAhead(_ time: Date, of now: Date) -> Bool {
    time > now && time.timeIntervalSince(now) <= 86_401
  }

  /// What background requests leave for interactive ones.
  var reserve: Int {
    if isShare { return Self.shareReserve }
    if quota < 20 { return min(1, max(0, quota - 1)) }
    return max(5, quota / 10)
  }

  /// Leases requests to one process, an eighth of what is left at a time, so that some remain for others. After the
  /// window's end one process gets a few requests as a probe, and all others wait for their answers.
  ///
  /// `own` is the number of the process's own requests in flight.
  mutating func lease(for rank: RateRank, own: Int = 0, now: Date) -> RateGrant {
    if let closedUntil, Self.isAhead(closedUntil, of: now) { return .wait(until: closedUntil) }
    guard isOpen(at: now) else { return probe(now) }
    let free = remaining - (rank == .background ? reserve : 0)
    guard free > 0 else { return .wait(until: endsAt) }
    let othersHold = held > own
    let isSlow = isShare && remaining <= Self.slowShare
    let count = isSlow ? 1 : min(Self.mostLeased, max(1, free / 8))
    take(count)
    return .lease(
      RateLease(
        count: count, held: count + own, endsAt: endsAt, taken: taken, othersHold: othersHold, isSlow: isSlow))
  }

  private mutating func probe(_ now: Date) -> RateGrant {
    // A future time was written before the clock was set back.
    if let probedAt, probedAt <= now, now.timeIntervalSince(probedAt) < Self.probeTime { return .soon }
    // Leases of the old window expired with it.
    (remaining, held, closedUntil, probedAt) = (0, 0, nil, now)
    let count = probeCount
    held += count
    taken += count
    let end = now.addingTimeInterval(Self.probeTime)
    return .lease(
      RateLease(count: count, held: count, endsAt: end, taken: taken, othersHold: false, isProbe: true))
  }

  /// An empty lease for a process's requests in flight that it sent before a limit was known. Others must count them until
  /// their answers arrive.
  mutating func lease(ofUnleased count: Int, now: Date) -> RateLease? {
    guard count > 0, !isShare, isOpen(at: now) else { return nil }
    let othersHold = held > 0
    held += count
    taken += count
    return RateLease(count: 0, held: count, endsAt: endsAt, taken: taken, othersHold: othersHold)
  }

  var probeCount: Int { min(3, max(1, quota / 8)) }

  private mutating func take(_ count: Int) {
    // Per cents are not requests: only the server knows what one costs.
    if !isShare { remaining -= count }
    held += count
    taken += count
  }
}
