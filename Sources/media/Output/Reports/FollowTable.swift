import FoundationEssentials
import Harvest
import Machine
import Posts
import Storage
import Web
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

extension Follow {
  /// As JSON; unknown values are null, durations are seconds.
  var json: JSONMembers {
    [
      "feed": feed.name, "every": every.map { Int($0 / .seconds(1)) },
      "interval": Int(schedule.interval / .seconds(1)),
      "requested_delay": schedule.requestedDelay.map { Int($0 / .seconds(1)) },
      // Its former name.
      "respite": schedule.requestedDelay.map { Int($0 / .seconds(1)) },
      "last": schedule.pulledAt.map(UTC.text), "next": schedule.dueAt.map(UTC.text),
      "state": schedule.state.rawValue, "failing_since": schedule.failingSince.map(UTC.text),
      "failed_at": schedule.failedAt.map(UTC.text), "failures": schedule.failures, "failure": schedule.failure,
      "only": limits.only?.map(\.rawValue).sorted(),
      "max_size": limits.maxSize.flatMap { $0 == FileLimits.unbounded ? nil : $0 }, "newest": limits.newestBound,
    ]
  }
}

extension FeedCoverage {
  /// A feed that is not followed, as JSON. An interval without `from` begins where the feed does.
  var json: JSONMembers {
    let intervals = intervals.map { interval in
      JSONMembers(present: [
        "from": interval.reachesEnd ? nil : UTC.text(interval.from), "to": UTC.text(interval.to),
      ])
    }
    return ["feed": feed.name, "followed": false, "complete": intervals, "gaps": gaps.count]
  }
}
