import Blobs
import FoundationEssentials
import Posts
import Services
import Storage

/// The outcome of a feed in a harvest.
public enum FeedOutcome: Sendable {
  /// Its newest end was read.
  case read(FeedHead)
  /// It was not.
  case failed(any Error)
  /// It was not requested, because its server had not answered for other feeds.
  case leftAlone(any Error)
  /// Its server accepts no more requests until a time, if it names one; with what was read before.
  case limited(until: Date?, any Error, FeedHead?)
  /// The harvest was stopped.
  case stopped

  /// The outcome of a pull. A failure after the newest end was read still counts as read, unless the server limited
  /// requests, the pull was stopped, or the library itself failed.
  public init(_ report: PullReport) {
    guard let failure = report.failure else {
      self = .read(report.head ?? FeedHead(arrived: 0, items: 0, capacity: 0))
      return
    }
    switch failure {
    case SourceError.rateLimited(_, let until, _): self = .limited(until: until, failure, report.head)
    case SourceError.cancelled, is CancellationError: self = .stopped
    default:
      if let head = report.head, !failure.isOurs { self = .read(head) } else { self = .failed(failure) }
    }
  }
}

extension Error {
  /// The message for what is kept and for logs, without what a server wrote, on one line.
  var recorded: String {
    FollowPlan.oneLine((self as? any ExplainedError)?.recorded ?? String(describing: self)).withoutQueries
  }

  /// Whether the library or its disk failed, which affects every other feed as well.
  var isOurs: Bool { (self as? any ExplainedError)?.exitCode == .storage }

  /// Whether it comes from the library: its store, the place of its pictures, or another pull into it.
  var isOfLibrary: Bool { self is StorageError || self is BlobError || isOurs }
}

/// Decides from values alone when a followed feed is pulled next.
public struct FollowPlan: Sendable {
  /// The wait if a server names no time, or one that has already passed without success.
  private static let usualLimit = Duration.seconds(900)
  /// The shortest wait. Shorter ones were already tried, four times, in the harvest that the server limited.
  private static let shortestLimit = Duration.seconds(10)

  private let now: Date
  private let accountsChangedAt: Date?

  /// Creates a plan at `now`; `accountsChangedAt` is the last change of logins, nil if there are none.
  public init(now: Date, accountsChangedAt: Date? = nil) {
    self.now = now
    self.accountsChangedAt = accountsChangedAt
  }

  /// The new follow of a feed; `before` is the former one, if any, whose limits it keeps.
  public func follow(_ feed: Feed, every: Duration?, before: Follow?) -> Follow {
    let polling = PollingSchedule(every: every, of: feed.source)
    guard let before, before.schedule.state != .gone else {
      let schedule = Follow.Schedule(interval: polling.first, dueAt: now)
      return Follow(feed: feed, every: every, limits: before?.limits ?? FileLimits(), schedule: schedule)
    }
    var schedule = before.schedule
    if before.every != every {
      schedule.interval = polling.first
      if schedule.failures == 0, schedule.state != .limited {
        let wait = max(polling.first, before.schedule.requestedDelay ?? .zero)
        schedule.dueAt = schedule.pulledAt.map { $0 + wait } ?? now
      } else if schedule.state == .failing {
        let next = (schedule.failedAt ?? now) + polling.first
        schedule.dueAt = schedule.dueAt.map { min($0, next) } ?? next
      }
    }
    return Follow(feed: feed, every: every, limits: before.limits, schedule: schedule)
  }

  /// Whether a feed is due. True a little early, or a harvest at fixed times would come a whole interval late.
  public func isDue(_ follow: Follow) -> Bool {
    let schedule = follow.schedule
    if isFreed(schedule) { return true }
    guard let dueAt = schedule.dueAt else { return false }
    if wasPutBack(schedule) { return true }
    let isAsked = schedule.state == .limited || schedule.requestedDelay != nil
    let early = isAsked ? .zero : min(schedule.interval / 10, .seconds(1800))
    return dueAt <= now + early
  }

  /// When a feed is due: now, if logins have changed since its server refused one, or if the clock was set back.
  ///
  /// - Returns: The time, which may have passed; nil if the feed is not requested any more.
  public func nextPull(of follow: Follow) -> Date? {
    let schedule = follow.schedule
    guard let dueAt = schedule.dueAt else { return nil }
    return isFreed(schedule) || wasPutBack(schedule) ? min(now, dueAt) : dueAt
  }

  /// Whether the feed must not be requested by anyone, because its server asked for a pause that is longer than the
  /// feed's own interval.
  public func isHeldBack(_ follow: Follow) -> Bool {
    let schedule = follow.schedule
    guard schedule.state == .limited, !isFreed(schedule), !wasPutBack(schedule), let dueAt = schedule.dueAt else {
      return false
    }
    // A feed that waits for its own interval may be pulled by a person.
    let rest = schedule.pulledAt.map { dueAt.timeIntervalSince($0 + schedule.interval) }
    return dueAt > now && rest.map { abs($0) > 1 } ?? true
  }

  /// Whether the clock was set back: a feed must not wait until the clock catches up.
  private func wasPutBack(_ schedule: Follow.Schedule) -> Bool {
    let last = [schedule.pulledAt, schedule.failedAt].compactMap(\.self).max()
    return last.map { $0 > now + .seconds(60) } ?? false
  }

  /// The schedule after a harvest; nil if unchanged.
  public func schedule(of follow: Follow, after outcome: FeedOutcome) -> Follow.Schedule? {
    switch outcome {
    case .stopped: nil
    case .read(let head): readPolitely(follow, head)
    case .failed(is FeedInUse): nil
    case .failed(let error): failed(follow, error)
    case .leftAlone(let error): leftAlone(follow, error)
    case .limited(let until, let error, let head): limited(follow, until, error, head)
    }
  }

  /// The schedule after another command than a harvest read of the feed, which ends its failures; nil if unchanged.
  ///
  /// The feed is due as if it had not failed. Its newest end may be unread. A pause that its server asked for holds.
  public func recovered(_ follow: Follow) -> Follow.Schedule? {
    guard [.failing, .login, .gone].contains(follow.schedule.state) else { return nil }
    let before = follow.schedule
    return Follow.Schedule(
      interval: before.interval, pace: before.pace, dueAt: before.pulledAt.map { $0 + before.interval } ?? now,
      pulledAt: before.pulledAt, state: before.pulledAt == nil ? .new : .well)
  }

  private func isFreed(_ schedule: Follow.Schedule) -> Bool {
    guard [.login, .limited].contains(schedule.state), let accountsChangedAt, let failedAt = schedule.failedAt else {
      return false
    }
    return accountsChangedAt > failedAt
  }

  private func read(_ follow: Follow, _ head: FeedHead) -> Follow.Schedule {
    let polling = PollingSchedule(every: follow.every, of: follow.feed.source)
    let before = follow.schedule
    let pace = polling.pace(after: head, pulledAt: before.pulledAt, before: before.pace, now: now)
    let interval = polling.interval(after: before.interval, pace: pace, capacity: head.capacity)
    // An unchanged feed keeps its requested delay.
    let requested = head.requestedDelay.map(\.suggested) ?? before.requestedDelay
    let wait = polling.wait(interval, requested: requested, pace: pace, after: head)
    return Follow.Schedule(interval: interval, pace: pace, dueAt: now + wait, pulledAt: now, state: .well)
  }

  /// Honors a pause that a server requests with a successful answer, up to the source's longest interval, unless the
  /// pause ends before the feed is due anyway.
  private func readPolitely(_ follow: Follow, _ head: FeedHead) -> Follow.Schedule {
    let schedule = read(follow, head)
    guard let pause = head.requestedDelay?.demanded else { return schedule }
    let until = now + min(pause, PollingSchedule.longest(of: follow.feed.source))
    if let dueAt = schedule.dueAt, until <= dueAt { return schedule }
    return limited(follow, until, SourceError.rateLimited(follow.feed.server, until: until, asked: now), head)
  }

  private func failed(_ follow: Follow, _ error: any Error) -> Follow.Schedule {
    var schedule = noting(error, in: follow.schedule)
    let longest = PollingSchedule.longest(of: follow.feed.source)
    schedule.failures += 1
    schedule.failingSince = schedule.failingSince ?? now
    if case SourceError.gone = error {
      (schedule.state, schedule.dueAt) = (.gone, nil)
    } else if (error as? any ExplainedError)?.exitCode == .needsLogin {
      (schedule.state, schedule.dueAt) = (.login, now + longest)
    } else {
      let most = max(schedule.interval, longest)
      let wait = min(schedule.interval, PollingSchedule.beginning) * (1 << min(schedule.failures - 1, 16))
      (schedule.state, schedule.dueAt) = (.failing, now + min(wait, most))
    }
    return schedule
  }

  /// As after a failure, but keeps the time of the last real one, and so the feed's priority.
  private func leftAlone(_ follow: Follow, _ error: any Error) -> Follow.Schedule {
    var schedule = failed(follow, error)
    schedule.failedAt = follow.schedule.failedAt
    return schedule
  }

  private func limited(_ follow: Follow, _ until: Date?, _ error: any Error, _ head: FeedHead?) -> Follow.Schedule {
    let before = head.map { read(follow, $0) } ?? follow.schedule
    var schedule = noting(error, in: before)
    let free = until.flatMap { $0 > now + Self.shortestLimit ? $0 : nil } ?? now + Self.usualLimit
    (schedule.state, schedule.dueAt) = (.limited, head == nil ? free : max(free, before.dueAt ?? free))
    return schedule
  }

  private func noting(_ error: any Error, in schedule: Follow.Schedule) -> Follow.Schedule {
    var schedule = schedule
    schedule.failedAt = now
    schedule.failure = FollowPlan.message(for: error)
    return schedule
  }

  /// The message for people, on one line.
  static func message(for error: any Error) -> String {
    oneLine((error as? any ExplainedError)?.description ?? String(describing: error))
  }

  fileprivate static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension Follow.Schedule {
  /// The part of the feed's requested delay that counts, if longer than its interval. Nil after a failure.
  public var requestedDelay: Duration? {
    guard state == .well, let dueAt, let pulledAt else { return nil }
    let wait = Duration.seconds(dueAt.timeIntervalSince(pulledAt).rounded())
    return wait > interval ? wait : nil
  }
}

extension Date {
  fileprivate static func + (date: Date, wait: Duration) -> Date { date.addingTimeInterval(wait / .seconds(1)) }
}
