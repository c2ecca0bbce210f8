import Foundation
import Storage

/// Who asks.
public enum RateRank: Sendable {
  /// A person waits for it.
  case interactive
  /// Nobody waits: a reserve is left to those for whom somebody does.
  case background
}

/// Requests that a process may send without asking again.
struct RateLease: Sendable, Equatable {
  /// How many.
  var count: Int
  /// With how many its process stands in the ledger: these, and what was on its way when they were taken.
  var held: Int
  /// When it lapses: its window ends.
  var endsAt: Date
  /// What was ever taken, this lease included.
  var taken: Int
  /// Whether another process held some when it was taken.
  var othersHold: Bool
  /// Whether it is to find out what a new window allows.
  var isProbe = false
  /// Whether so little is left that requests are to be spread.
  var isSlow = false
}

/// What a process that wants to ask is told.
enum RateGrant: Sendable, Equatable {
  case lease(RateLease)
  /// Nothing before this time.
  case wait(until: Date)
  /// Another process finds out what a new window allows; soon it is known.
  case soon
}

extension Allowance {
  /// The most requests of a lease: what a killed process loses until the window ends.
  static let mostLeased = 10
  /// How long the first requests of a window may take to bring an answer, before others try.
  static let probeTime: TimeInterval = 30
  /// Of per cents: below this many left requests are spread, and below the second nothing is left to background work.
  static let slowShare = 20
  static let shareReserve = 5

  /// Whether the window's end is still to come. None is longer than a day: one that seems so was written before the
  /// clock was put back.
  func isOpen(at now: Date) -> Bool { Self.isAhead(endsAt, of: now) }

  private static func isAhead(_ time: Date, of now: Date) -> Bool {
    time > now && time.timeIntervalSince(now) <= 86_401
  }

  /// What background work leaves to those for whom a person waits.
  var reserve: Int {
    if isShare { return Self.shareReserve }
    if quota < 20 { return min(1, max(0, quota - 1)) }
    return max(5, quota / 10)
  }

  /// Takes requests for one process, an eighth of what is left at a time, so that others find some, too. When the window
  /// has ended, a few go out to one process alone, and all others wait for what they bring.
  ///
  /// `own` is what of the process itself is on its way.
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
    // A time that lies ahead was written before the clock was put back.
    if let probedAt, probedAt <= now, now.timeIntervalSince(probedAt) < Self.probeTime { return .soon }
    // What was taken of the old window lapsed with it.
    (remaining, held, closedUntil, probedAt) = (0, 0, nil, now)
    let count = probeCount
    held += count
    taken += count
    let end = now.addingTimeInterval(Self.probeTime)
    return .lease(
      RateLease(count: count, held: count, endsAt: end, taken: taken, othersHold: false, isProbe: true))
  }

  var probeCount: Int { min(3, max(1, quota / 8)) }

  private mutating func take(_ count: Int) {
    // Per cents are no requests: only the server knows what one costs.
    if !isShare { remaining -= count }
    held += count
    taken += count
  }
}
