import FoundationEssentials
import Harvest
import Machine
import Posts
import Storage
import Wording

/// The state of feeds as tables and sentences.
struct FollowTable {
  private let now: Date
  private let plan: FollowPlan
  private let times = MomentText()

  init(now: Date, accountsChangedAt: Date?) {
    self.now = now
    plan = FollowPlan(now: now, accountsChangedAt: accountsChangedAt)
  }

  /// `every 15 m`, or `as often as it brings something (now every 1 h)`.
  static func pace(of follow: Follow) -> String {
    let interval = NumberText.span(follow.schedule.interval)
    return follow.every == nil ? "as often as it brings something (now every \(interval))" : "every \(interval)"
  }

  /// `takes files up to 50 MB`; nil if it takes all.
  static func limits(of follow: Follow) -> String? { follow.limits.words.map { "takes \($0)" } }

  /// That an interval was shortened, if it was.
  static func shortened(_ every: Duration, of follow: Follow) -> String? {
    guard follow.schedule.interval < every else { return nil }
    return "\(follow.feed.source.rawValue) shows what is newer than a day: it is looked at every "
      + "\(NumberText.span(follow.schedule.interval)) at least"
  }

  /// The interval, the last pull or, of a feed that was never read, the last try, the next pull, and the state.
  func cells(of follow: Follow) -> [String] {
    let schedule = follow.schedule
    let interval = NumberText.span(schedule.interval)
    return [
      follow.every == nil ? "about \(interval)" : interval,
      schedule.pulledAt.map(times.brief) ?? schedule.failedAt.map(times.brief) ?? "never",
      plan.isDue(follow) ? "now" : schedule.dueAt.map(times.brief) ?? "never",
      [FollowText(follow).sentence(times, delay: schedule.requestedDelay), Self.limits(of: follow)]
        .compactMap(\.self).joined(separator: "; "),
    ]
  }

  /// The same cells of a feed that is not followed.
  func cells(of other: FeedCoverage) -> [String] {
    ["never", other.pulledAt.map(times.brief) ?? "", "", state(of: other)]
  }

  private func state(of other: FeedCoverage) -> String {
    guard other.feed.isPulled else { return other.feed.page == nil ? "an import" : "a page of another site" }
    guard let newest = other.intervals.first else { return "nothing complete" }
    let start = newest.reachesEnd ? "from the beginning" : "since \(times.brief(newest.from))"
    return "complete \(start)" + (other.gaps.isEmpty ? "" : ", \(NumberText.count(other.gaps.count, "gap"))")
  }
}

/// A followed feed as JSON; unknown values are null, durations are seconds.
struct FollowLine: Encodable {
  private let follow: Follow

  init(_ follow: Follow) { self.follow = follow }

  private enum Key: String, CodingKey {
    case feed, every, interval, respite, last, next, state, failures, failure, only, newest
    case maxSize = "max_size"
    case failingSince = "failing_since"
    case failedAt = "failed_at"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let schedule = follow.schedule
    try container.encode(follow.feed.name, forKey: .feed)
    try container.encode(follow.every.map { Int($0 / .seconds(1)) }, forKey: .every)
    try container.encode(Int(schedule.interval / .seconds(1)), forKey: .interval)
    try container.encode(schedule.requestedDelay.map { Int($0 / .seconds(1)) }, forKey: .respite)
    try container.encode(schedule.pulledAt.map(UTC.text), forKey: .last)
    try container.encode(schedule.dueAt.map(UTC.text), forKey: .next)
    try container.encode(schedule.state.rawValue, forKey: .state)
    try container.encode(schedule.failingSince.map(UTC.text), forKey: .failingSince)
    try container.encode(schedule.failedAt.map(UTC.text), forKey: .failedAt)
    try container.encode(schedule.failures, forKey: .failures)
    try container.encode(schedule.failure, forKey: .failure)
    try container.encode(follow.limits.only?.map(\.rawValue).sorted(), forKey: .only)
    try container.encode(follow.limits.maxSize.flatMap(Self.bound), forKey: .maxSize)
    try container.encode(follow.limits.newestBound, forKey: .newest)
  }
}

extension FollowLine {
  private static func bound(_ number: Int64) -> Int64? { number == FileLimits.unbounded ? nil : number }
}

/// A feed that is not followed, as JSON.
struct UnfollowedLine: Encodable {
  private let feed: String
  private let followed = false
  private let complete: [Interval]
  private let gaps: Int

  init(_ coverage: FeedCoverage) {
    (feed, gaps) = (coverage.feed.name, coverage.gaps.count)
    complete = coverage.intervals.map { interval in
      Interval(from: interval.reachesEnd ? nil : UTC.text(interval.from), to: UTC.text(interval.to))
    }
  }

  /// Without `from`, it begins where the feed does.
  private struct Interval: Encodable {
    let from: String?
    let to: String
  }
}
