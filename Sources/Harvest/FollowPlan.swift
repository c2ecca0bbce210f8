import Foundation
import HTTP
import Posts
import Services
import Storage

/// What came of a feed in a harvest.
public enum FeedOutcome: Sendable {
  /// Its newest end was read.
  case read(FeedHead)
  /// It was not.
  case failed(any Error)
  /// It was not asked, for its server had not answered for others.
  case leftAlone(any Error)
  /// Its server takes no more requests before a moment, where it says which; what of it was read until then.
  case limited(until: Date?, any Error, FeedHead?)
  /// The harvest was stopped.
  case stopped

  /// What a pull's report comes to. Whatever went wrong after the newest end was read does not take back that it was.
  init(_ report: PullReport) {
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
  /// Whether the library or its disk is the trouble, which every other feed would meet as well.
  var isOurs: Bool { (self as? any ExplainedError)?.exitCode == .storage }
}

/// When a followed feed is asked next: decided from values alone.
public struct FollowPlan: Sendable {
  /// The wait where a server does not say how long, or names a time that was waited for in vain by now.
  private static let usualLimit = Duration.seconds(900)
  /// A server that is to be asked again sooner than this was: four times, in the harvest that it turned away.
  private static let shortestLimit = Duration.seconds(10)

  private let now: Date
  private let accountsChangedAt: Date?

  /// Plans at a moment, with the logins that were last changed at another; nil where there are none.
  public init(now: Date, accountsChangedAt: Date? = nil) {
    self.now = now
    self.accountsChangedAt = accountsChangedAt
  }

  /// How a feed is followed from now on that was followed so before, or was not.
  public func follow(_ feed: Feed, every: Duration?, before: Follow?) -> Follow {
    let rhythm = Rhythm(every: every, of: feed.source)
    guard let before, before.schedule.state != .gone else {
      return Follow(feed: feed, every: every, schedule: Follow.Schedule(interval: rhythm.first, dueAt: now))
    }
    var schedule = before.schedule
    if before.every != every {
      schedule.interval = rhythm.first
      if schedule.failures == 0, schedule.state != .limited {
        let wait = max(rhythm.first, before.schedule.respite ?? .zero)
        schedule.dueAt = schedule.lookedAt.map { $0 + wait } ?? now
      }
    }
    return Follow(feed: feed, every: every, schedule: schedule)
  }

  /// Whether a feed's time has come. A little before it has: who looks at fixed times would else come a whole turn late.
  public func isDue(_ follow: Follow) -> Bool {
    let schedule = follow.schedule
    if isFreed(schedule) { return true }
    guard let dueAt = schedule.dueAt else { return false }
    if wasPutBack(schedule) { return true }
    let isAsked = schedule.state == .limited || schedule.respite != nil
    let early = isAsked ? .zero : min(schedule.interval / 10, .seconds(1800))
    return dueAt <= now + early
  }

  /// Until when a feed is not asked whoever wants it, since its server said so; nil where it may be.
  public func isHeldBack(_ follow: Follow) -> Bool {
    let schedule = follow.schedule
    guard schedule.state == .limited, !isFreed(schedule), !wasPutBack(schedule), let dueAt = schedule.dueAt else {
      return false
    }
    // Where it is its own interval that it waits for, a person need not.
    let rest = schedule.lookedAt.map { dueAt.timeIntervalSince($0 + schedule.interval) }
    return dueAt > now && rest.map { abs($0) > 1 } ?? true
  }

  /// Whether the clock was: a time that was ahead must not keep a feed waiting until it has come again.
  private func wasPutBack(_ schedule: Follow.Schedule) -> Bool {
    let last = [schedule.lookedAt, schedule.failedAt].compactMap(\.self).max()
    return last.map { $0 > now + .seconds(60) } ?? false
  }

  /// The schedule after a harvest; nil where it stays.
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

  private func isFreed(_ schedule: Follow.Schedule) -> Bool {
    guard [.login, .limited].contains(schedule.state), let accountsChangedAt, let failedAt = schedule.failedAt else {
      return false
    }
    return accountsChangedAt > failedAt
  }

  private func read(_ follow: Follow, _ head: FeedHead) -> Follow.Schedule {
    let rhythm = Rhythm(every: follow.every, of: follow.feed.source)
    let before = follow.schedule
    let pace = rhythm.pace(after: head, lookedAt: before.lookedAt, before: before.pace, now: now)
    let interval = rhythm.interval(after: before.interval, pace: pace, capacity: head.capacity)
    // What has not changed wishes what it wished.
    let wish = head.respite.map(\.suggested) ?? before.respite
    let wait = rhythm.wait(interval, wish: wish, pace: pace, after: head)
    return Follow.Schedule(interval: interval, pace: pace, dueAt: now + wait, lookedAt: now, state: .well)
  }

  /// A server that gives an answer and asks for a pause, too, has it; one that is over before the feed is due anyway
  /// changes nothing.
  private func readPolitely(_ follow: Follow, _ head: FeedHead) -> Follow.Schedule {
    let schedule = read(follow, head)
    guard let pause = head.respite?.demanded else { return schedule }
    let until = now + min(pause, Rhythm.longest(of: follow.feed.source))
    if let dueAt = schedule.dueAt, until <= dueAt { return schedule }
    return limited(follow, until, SourceError.rateLimited(follow.feed.server, until: until, asked: now), head)
  }

  private func failed(_ follow: Follow, _ error: any Error) -> Follow.Schedule {
    var schedule = noting(error, in: follow.schedule)
    let longest = Rhythm.longest(of: follow.feed.source)
    schedule.failures += 1
    schedule.failingSince = schedule.failingSince ?? now
    if case SourceError.gone = error {
      (schedule.state, schedule.dueAt) = (.gone, nil)
    } else if (error as? any ExplainedError)?.exitCode == .needsLogin {
      (schedule.state, schedule.dueAt) = (.login, now + longest)
    } else {
      let most = max(schedule.interval, longest)
      let wait = min(schedule.interval, Rhythm.beginning) * (1 << min(schedule.failures - 1, 16))
      (schedule.state, schedule.dueAt) = (.failing, now + min(wait, most))
    }
    return schedule
  }

  /// As if it had failed, but that its turn to be asked is still to come.
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
    schedule.failure = FollowPlan.words(for: error)
    return schedule
  }

  /// The sentence that people read, on one line.
  static func words(for error: any Error) -> String {
    let words = (error as? any ExplainedError)?.description ?? String(describing: error)
    return words.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension Follow.Schedule {
  /// For how long the feed would be left alone, where that is longer than its interval.
  public var respite: Duration? {
    guard state == .well, let dueAt, let lookedAt else { return nil }
    let wait = Duration.seconds(dueAt.timeIntervalSince(lookedAt).rounded())
    return wait > interval ? wait : nil
  }
}

extension Date {
  fileprivate static func + (date: Date, wait: Duration) -> Date { date.addingTimeInterval(wait / .seconds(1)) }
}
