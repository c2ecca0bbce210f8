import FoundationEssentials
import Storage

/// A feed's priority among those of its host: working feeds before failing ones, and within each group the one that has
/// waited longest.
///
/// If a server allows fewer requests than its feeds need, each is reached in time. Due times do not order them: all feeds
/// that a limit held back are due at the same moment. Failing feeds come last, because three of them make a host skipped;
/// but one that has waited for a day ranks among the others, or it might never be reached.
struct HarvestPriority: Comparable {
  private static let day: TimeInterval = 86_400

  private let isFailing: Bool
  private let since: Date
  private let name: String

  init(_ task: HarvestTask, now: Date) {
    let schedule = task.follow?.schedule
    let hasFailed = schedule.map { $0.failures > 0 } ?? false
    let last = hasFailed ? schedule?.failedAt : schedule?.pulledAt
    // A future time was written before the clock was set back.
    let past = last.flatMap { $0 > now ? nil : $0 }
    let dueAt = schedule?.dueAt ?? now
    isFailing = hasFailed && now.timeIntervalSince(dueAt) < Self.day
    let wait = isFailing ? 0 : (schedule?.interval ?? .zero) / .seconds(1)
    since = past?.addingTimeInterval(wait) ?? .distantPast
    name = task.feed.name
  }

  static func < (left: HarvestPriority, right: HarvestPriority) -> Bool {
    if left.isFailing != right.isFailing { return right.isFailing }
    return (left.since, left.name) < (right.since, right.name)
  }
}
