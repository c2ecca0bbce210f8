import FoundationEssentials
import HTTP
import Harvest
import Machine
import MediaLibrary
import Posts
import Services
import Storage

/// What a refresh of a feed brought, and when the next one is due.
public struct FeedUpdate: Sendable {
  /// The feed.
  public let feed: Feed
  /// The counts, and what stopped the refresh early. A failure does not end the updates.
  public let report: PullReport
  /// When the refresh ended, by the session's clock.
  public let endedAt: Date
  /// When the next refresh is due; nil if the server removed the feed for good.
  public let nextRefresh: Date?
}

/// Keeps a feed up to date: says when it is due, and pulls it then.
///
/// An updater starts no task of its own. Whoever reads its `updates()`, or runs it for a delegate, does its work, and ends
/// it by cancelling the task. Refreshes read upwards from what is known, so that they leave no gap.
public actor FeedUpdater {
  /// The feed.
  public nonisolated let feed: Feed

  private let plan: PullPlan
  private let pulls: PullComposer
  private let queue = BlockingExecutor("updater")
  /// The schedule, unless the library follows the feed and has one.
  private var own: Follow

  /// The longest sleep before the schedule is read again: another process may have pulled the feed or logged in
  /// meanwhile, and the clock may have been set.
  private static let longestSleep: TimeInterval = 60

  init(of feed: Feed, every interval: Duration?, plan: PullPlan, pulls: PullComposer) {
    (self.feed, self.plan, self.pulls) = (feed, plan, pulls)
    own = FollowPlan(now: pulls.time.now()).follow(feed, every: interval, before: nil)
  }

  /// When the next refresh is due, by the session's clock. A past time means now. It is nil if the server removed the
  /// feed for good.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public var nextRefresh: Date? {
    get async throws { try await schedule().nextPull(of: follow()) }
  }

  /// Refreshes the feed now, due or not. If the feed's server asked for a pause that has not ended, no request is sent.
  ///
  /// - Returns: What it brought. Failures are part of it.
  public func refresh() async -> FeedUpdate {
    var report: PullReport
    do {
      let (plan, follow) = (schedule(), try await follow())
      if plan.isHeldBack(follow) {
        throw SourceError.rateLimited(feed.server, until: follow.schedule.dueAt, asked: pulls.time.now())
      }
      report = try await pulls.pull(of: feed).run(feed, self.plan) { _ in }
    } catch {
      report = PullReport(failing: error, of: feed)
    }
    do { try await record(report) } catch { report.failure = report.failure ?? error }
    return FeedUpdate(
      feed: feed, report: report, endedAt: pulls.time.now(), nextRefresh: (try? await nextRefresh) ?? nil)
  }

  /// The refreshes from now on, each when it is due. The first is due at once, unless the feed was pulled before.
  ///
  /// The reading task performs the refreshes. Several readers share one schedule: a refresh is an element of the reader
  /// that performed it.
  public nonisolated func updates() -> FeedUpdates { FeedUpdates(self) }

  /// Sleeps until the next refresh is due.
  ///
  /// - Returns: false if the task is cancelled, or if the server removed the feed for good.
  /// - Throws: `StorageError` if the library cannot be read.
  func waitUntilDue() async throws -> Bool {
    while !Task.isCancelled, let due = try await nextRefresh {
      let wait = due.timeIntervalSince(pulls.time.now())
      if wait <= 0 { return true }
      let sleep = min(wait, Self.longestSleep)
      do { try await pulls.time.sleep(.milliseconds(Int64((sleep * 1000).rounded(.up)))) } catch { return false }
    }
    return false
  }

  private func schedule() -> FollowPlan {
    FollowPlan(now: pulls.time.now(), accountsChangedAt: pulls.logins.changedAt)
  }

  /// How the library follows the feed; the updater's own schedule if it does not.
  private func follow() async throws -> Follow {
    let stored = try await queue.run { [store = pulls.library.store, feed] in try store.follow(of: feed) }
    return stored ?? own
  }

  /// Records when the feed is due after a pull. A harvest may have written the schedule meanwhile; the later pull counts.
  private func record(_ report: PullReport) async throws {
    let (plan, outcome) = (schedule(), FeedOutcome(report))
    if let schedule = plan.schedule(of: own, after: outcome) { own.schedule = schedule }
    try await queue.run { [store = pulls.library.store, feed, now = pulls.time.now()] in
      guard var follow = try store.follow(of: feed), let schedule = plan.schedule(of: follow, after: outcome) else {
        return
      }
      follow.schedule = schedule
      try store.follow(follow, now: now)
    }
  }
}
