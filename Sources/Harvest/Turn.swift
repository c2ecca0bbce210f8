import Foundation
import Storage

/// A feed's turn among those of its host: feeds that come well before those that fail, and of each the one that waits
/// longest.
///
/// Where a server takes fewer requests than its feeds need, each comes round. When one is due does not tell: all that a
/// limit has held back are due at the same moment. Those that fail come last, for three of them have a host left alone;
/// but where the others never leave it time, one that has waited for a day has its turn among them.
struct Turn: Comparable {
  private static let day: TimeInterval = 86_400

  private let isFailing: Bool
  private let since: Date
  private let name: String

  init(_ errand: Errand, now: Date) {
    let schedule = errand.follow?.schedule
    let hasFailed = schedule.map { $0.failures > 0 } ?? false
    let last = hasFailed ? schedule?.failedAt : schedule?.lookedAt
    // A time to come was written before the clock was put back.
    let past = last.flatMap { $0 > now ? nil : $0 }
    let dueAt = schedule?.dueAt ?? now
    isFailing = hasFailed && now.timeIntervalSince(dueAt) < Self.day
    let wait = isFailing ? 0 : (schedule?.interval ?? .zero) / .seconds(1)
    since = past?.addingTimeInterval(wait) ?? .distantPast
    name = errand.feed.name
  }

  static func < (left: Turn, right: Turn) -> Bool {
    if left.isFailing != right.isFailing { return right.isFailing }
    return (left.since, left.name) < (right.since, right.name)
  }
}
