import FoundationEssentials
import HTTP
import Machine
import Posts
import Services
import Storage
import Synchronization

/// Pulls many feeds: several hosts at once, one feed of a host at a time. A feed that fails does not stop another; only a
/// failure of the library itself, which affects all, stops the rest.
public struct Harvester: Sendable {
  /// Maximum number of earlier pulls' pictures to retry.
  public static let mostPictures = 500
  /// How long, in seconds, one host may take, including its delays. After that no feed, page or picture of it begins, and
  /// the next harvest continues with those that waited longest. So no slow host holds a harvest for ever.
  static let longestAtHost: TimeInterval = 1800
  /// How long, in seconds, downloads of earlier pulls' pictures may begin.
  static let longestForPictures: TimeInterval = 600
  /// Maximum number of hosts at once.
  static let hostsAtOnce = 8

  private let store: Store
  private let pictures: PicturePull
  private let time: TimeSource
  private let accountsChangedAt: Date?
  private let events: RunEvents
  private let pull: @Sendable (Feed) async throws -> any FeedPulling
  private let queue = BlockingExecutor("harvest")

  /// Creates a harvester; `pull` creates the pull of a feed, with the person's login there. What happens is added to
  /// `events`, which the ledger keeps.
  public init(
    store: Store, pictures: PicturePull, time: TimeSource,
    accountsChangedAt: Date?, events: RunEvents = RunEvents(),
    pull: @escaping @Sendable (Feed) async throws -> any FeedPulling
  ) {
    self.store = store
    self.pictures = pictures
    self.time = time
    self.accountsChangedAt = accountsChangedAt
    self.events = events
    self.pull = pull
  }

  /// Pulls the feeds, then retries due pictures unless that is another process's work. Never throws: the report holds the
  /// results. Each feed's result is written to the ledger under the run's number as soon as the feed ends.
  public func run(
    _ tasks: [HarvestTask], plan: PullPlan, retriesPictures: Bool = true, as run: Int64,
    onEvent: @escaping @Sendable (HarvestEvent) -> Void
  ) async -> HarvestReport {
    let hosts = Dictionary(grouping: tasks) { $0.feed.host }.values
      .sorted { $0.count > $1.count }
    let outcomes = HarvestOutcomes()
    await withTaskGroup(of: Void.self) { group in
      for (index, host) in hosts.enumerated() {
        if index >= Self.hostsAtOnce { await group.next() }
        group.addTask { await harvest(host, plan, into: outcomes, as: run, onEvent) }
      }
    }
    var report = outcomes.report.withLock { $0 }
    if retriesPictures, plan.pictures, report.failure == nil, !Task.isCancelled {
      await runDuePictures(into: &report, as: run, onEvent)
    }
    if report.failure == nil { do { try await countMissing(in: &report) } catch { report.failure = error } }
    return report
  }

  private func runDuePictures(
    into report: inout HarvestReport, as run: Int64, _ onEvent: @escaping @Sendable (HarvestEvent) -> Void
  ) async {
    do {
      let end = time.now().addingTimeInterval(Self.longestForPictures)
      let due = try await pictures.runDue(limit: Self.mostPictures, until: end) { done, known in
        onEvent(.pictures(done: done, known: known))
      }
      (report.pictures, report.pictureFailures, report.picturesPutOff) = (due.counts, due.failures, due.putOff)
      let counts = HarvestRun.Counts(report.pictures)
      noteFailed(report, at: time.now())
      try await queue.run { [store, events] in try store.add(counts, to: run, events: events.take()) }
    } catch is CancellationError {
    } catch { report.failure = error }
  }

  private func noteFailed(_ report: HarvestReport, at now: Date) {
    if report.pictures.failed > 0 {
      let words = "pictures of earlier pulls could not be downloaded"
      events.add(LogLine(.picturesFailed, .notice, at: now, count: report.pictures.failed, words))
    }
    for pictures in report.picturesPutOff { events.add(LogLine(putOff: pictures, of: nil, at: now)) }
  }

  /// Counts missing pictures of all feeds at once: a count per feed would read the whole library each time.
  private func countMissing(in report: inout HarvestReport) async throws {
    let (counts, all) = try await queue.run { [store, time] in
      let now = time.now()
      return (try store.countsOfMissingPictures(.wanted, of: nil, now: now), try store.countOfMissingPictures())
    }
    report.missingPictures = all
    for index in report.entries.indices {
      let (feed, media) = (report.entries[index].feed, report.entries[index].summary.media)
      report.entries[index].summary.media.waiting = max(0, (counts[feed.name] ?? 0) - media.stillMissing)
    }
  }

  /// Pulls the feeds of one host in the order of their priority.
  private func harvest(
    _ tasks: [HarvestTask], _ plan: PullPlan, into outcomes: HarvestOutcomes, as run: Int64,
    _ onEvent: @escaping @Sendable (HarvestEvent) -> Void
  ) async {
    var hostState = HostState()
    let now = time.now()
    var plan = plan
    let end = now.addingTimeInterval(Self.longestAtHost)
    plan.endsAt = end
    for task in tasks.sorted(by: { HarvestPriority($0, now: now) < HarvestPriority($1, now: now) }) {
      if Task.isCancelled || outcomes.report.withLock({ $0.failure != nil }) { return }
      if time.now() >= end {
        outcomes.report.withLock { $0.putOff.append(task.feed) }
        continue
      }
      let entry = await ask(task, plan, hostState, onEvent)
      hostState.note(entry)
      do {
        try await queue.run { [store, time, events] in
          try Self.note(entry, events.take(), in: store, as: run, now: time.now())
        }
      } catch {
        outcomes.report.withLock { $0.failure = $0.failure ?? error }
      }
      let done = outcomes.report.withLock { report in
        report.entries.append(entry)
        if let failure = entry.failure, failure.isOurs { report.failure = report.failure ?? failure }
        return report.entries.count
      }
      onEvent(.ended(entry, done: done))
    }
  }

  private func ask(
    _ task: HarvestTask, _ plan: PullPlan, _ hostState: HostState, _ onEvent: @escaping @Sendable (HarvestEvent) -> Void
  ) async -> HarvestEntry {
    let feed = task.feed
    if let reason = heldBack(task) ?? hostState.refusal(of: feed) { return HarvestEntry(feed, leftAloneFor: reason) }
    onEvent(.asks(feed))
    let start = time.now()
    let report: PullReport
    do {
      report = try await pull(feed).pull(feed, plan) { onEvent(.pulls(feed, $0)) }
    } catch {
      report = PullReport(failing: error, of: feed)
    }
    for event in report.events(of: feed, from: start, to: time.now()) {
      events.add(event, isKept: event.isWorthKeeping)
    }
    return HarvestEntry(feed, report)
  }

  /// The error for a feed whose server asked for a pause that has not ended.
  private func heldBack(_ task: HarvestTask) -> (any Error)? {
    let now = time.now()
    let plan = FollowPlan(now: now, accountsChangedAt: accountsChangedAt)
    guard let follow = task.follow, plan.isHeldBack(follow) else { return nil }
    return SourceError.rateLimited(task.feed.server, until: follow.schedule.dueAt, asked: now)
  }

  /// Records a feed's result. Reads its follow again: a person may have changed it meanwhile.
  private static func note(
    _ entry: HarvestEntry, _ events: [LogLine], in store: Store, as run: Int64, now: Date
  ) throws {
    // A stopped feed's counts are recorded; that it was stopped is the harvest's own state.
    if entry.isStopped { return try store.add(entry.part.counts, to: run, events: events) }
    // What fails on this machine says nothing about the feed: another machine, or this one later, pulls it when it is due.
    let isItsOwn = if case .failed(let error) = entry.outcome { !error.isOfLibrary } else { true }
    let isFollowed = try store.note(entry.part, in: run, events: events) { follow in
      isItsOwn ? FollowPlan(now: now).schedule(of: follow, after: entry.outcome) : nil
    }
    // Its row came back with the part.
    if !isFollowed, entry.failure?.isNoAnswer == true { _ = try store.forgetEmpty(entry.feed) }
  }
}

/// Collects the results of all hosts.
private final class HarvestOutcomes: Sendable {
  let report = Mutex(HarvestReport())
}

/// What the feeds of a host have shown about it so far.
struct HostState {
  private struct ServerKey: Hashable {
    let source: SourceName
    let server: Server
  }

  private var limits: [ServerKey: any Error] = [:]
  private var failures = 0
  private var trouble: (any Error)?

  /// Records how a feed of the host ended.
  mutating func note(_ entry: HarvestEntry) {
    if entry.isLimited { limits[ServerKey(source: entry.feed.source, server: entry.feed.server)] = entry.failure }
    switch entry.failure {
    case SourceError.unreachable?, SourceError.noTLS?, SourceError.untrusted?, SourceError.blocked?,
      SourceError.serverFailed?:
      failures += 1
      trouble = entry.failure
    default: failures = 0
    }
  }

  /// Why a feed is skipped: its server accepts no more requests, or did not answer for several feeds in a row.
  func refusal(of feed: Feed) -> (any Error)? {
    limits[ServerKey(source: feed.source, server: feed.server)] ?? (failures >= HostCircuitBreaker.most ? trouble : nil)
  }
}
