import FoundationEssentials
import HTTP
import Posts
import Services
import Storage

/// What brings the new posts of a feed into a library.
public protocol FeedPulling: Sendable {
  /// Pulls a feed by a plan. Never throws: the report holds the results and the failure.
  func pull(_ feed: Feed, _ plan: PullPlan, onEvent: @escaping @Sendable (PullEvent) -> Void) async -> PullReport
}

/// Pulls a feed page by page into the store, and its pictures at the same time.
///
/// Each page is stored whole before the next request, and pictures begin with the first stored page. Whatever stops a pull,
/// stored posts stay, and the pull's row records how far it came.
public struct FeedPull: FeedPulling {
  private let source: any Source
  private let store: Store
  private let pictures: PictureFetcher
  private let time: TimeSource
  private let requests: @Sendable () -> Int
  private let locks: FeedLocks?
  private let rates: RateGate?
  private let mostWaiting: Int
  private let prepare: @Sendable () throws -> Void

  /// How long a harvest waits for another command's pull of a feed. A list's pull ends sooner, and a suspended process must
  /// not block every other feed.
  public static let harvestPatience = Duration.seconds(60)

  /// Creates a pull. `requests` returns the number of page requests so far. `locks` makes other pulls of the same feed
  /// wait; without it no other process may pull into the library. While more than `mostWaiting` pictures are pending, no
  /// further page is requested. Requests pass through `rates`, which returns unused requests at the end. `prepare` runs
  /// first, once no other pull of the feed is running.
  public init(
    source: any Source, store: Store, pictures: PictureFetcher, time: TimeSource, locks: FeedLocks? = nil,
    rates: RateGate? = nil, mostWaiting: Int = 1000, prepare: @escaping @Sendable () throws -> Void = {},
    requests: @escaping @Sendable () -> Int
  ) {
    self.source = source
    self.store = store
    self.pictures = pictures
    self.time = time
    self.locks = locks?.shared(by: store)
    self.rates = rates
    self.mostWaiting = mostWaiting
    self.prepare = prepare
    self.requests = requests
  }

  /// Pulls pages of a feed by a plan. Never throws: the report holds the results and the failure. `mayExceed` is asked once
  /// if the feed declares more bytes of files than a pull takes, with both numbers.
  public func run(
    _ feed: Feed, _ plan: PullPlan, mayExceed: @escaping @Sendable (Int64, Int64) async -> Bool = { _, _ in false },
    onEvent: @escaping @Sendable (PullEvent) -> Void
  ) async -> PullReport {
    do {
      // Hold it until the last picture, so that the next pull does not fetch them again.
      let patience = plan.scope == .harvest ? Self.harvestPatience : nil
      let lock = try await locks?.hold(feed, within: patience, time: time) { onEvent(.waitsForPull) }
      defer { withExtendedLifetime(lock) {} }
      try prepare()
      var plan = plan
      plan.limits = plan.limits.over(try store.limits(of: feed))
      return await runAlone(feed, plan, mayExceed: mayExceed, onEvent: onEvent)
    } catch {
      return PullReport(failing: error, of: feed)
    }
  }

  /// Pulls a feed by a plan, and asks nobody.
  public func pull(
    _ feed: Feed, _ plan: PullPlan, onEvent: @escaping @Sendable (PullEvent) -> Void
  ) async -> PullReport {
    await run(feed, plan, onEvent: onEvent)
  }

  private func runAlone(
    _ feed: Feed, _ plan: PullPlan, mayExceed: @escaping @Sendable (Int64, Int64) async -> Bool,
    onEvent: @escaping @Sendable (PullEvent) -> Void
  ) async -> PullReport {
    let before = requests()
    // A document may declare anything, and names hundreds of files at once.
    pictures.total.bound = plan.limits.maxTotal ?? (feed.kind == .url ? FileLimits.usualTotal : nil)
    let (tasks, found) = AsyncStream.makeStream(of: PictureTask.self)
    async let fetching = pictures.run(tasks, until: plan.endsAt, onEvent: onEvent)
    var run = PullRun(
      feed: feed, plan: plan, source: source, store: store, pictures: pictures, time: time, mostWaiting: mostWaiting,
      found: found, mayExceed: mayExceed, onEvent: onEvent)
    var failure: (any Error)?
    do { try await run.run() } catch { failure = error }
    found.finish()
    let tally = await fetching
    var summary = run.summary
    summary.media = tally.counts
    summary.media.leftOut = max(0, summary.media.leftOut + run.leftOut)
    // A harvest counts missing pictures of all its feeds at once.
    if plan.scope != .harvest { summary.media.waiting = max(0, await run.missing() - tally.counts.stillMissing) }
    summary.requests = requests() - before
    await run.settleFollow(after: failure)
    var gaps = failure == nil ? run.gapCount : nil
    if gaps == nil { gaps = try? await run.gaps().count }
    await rates?.giveBack()
    return PullReport(
      summary: summary, failure: failure ?? tally.failure, pictureFailures: tally.reasons,
      picturesPutOff: tally.putOffs, gaps: gaps ?? 0, head: run.head)
  }
}
