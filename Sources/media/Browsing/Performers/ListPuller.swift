import Browse
import FoundationEssentials
import HTTP
import Harvest
import Machine
import MediaLibrary
import Posts
import Services

/// Pulls for the list, one pull after another.
struct ListPuller: Sendable {
  let library: Library
  let logins: AccountChooser
  let pulls: PullFactory
  let discovery: FeedDiscovery
  let pictures: PictureFactory
  let settings: LibrarySettings
  let cache: AvatarCache
  let time: TimeSource
  let state: BrowsingState
  let eventQueue: ScreenEventQueue
  let gaps: GapAnnouncer
  let login: ListLogin
  let memory: ListMemory
  private let habits = PullHistory()
  private let work = BlockingExecutor("pulls")

  /// The maximum pages of a feed in a refresh; the first refresh reads one page. The rest becomes a known gap.
  private static let mostPages = 5

  init(
    library: Library, logins: AccountChooser, pulls: PullFactory, discovery: FeedDiscovery, pictures: PictureFactory,
    settings: LibrarySettings, cache: AvatarCache, time: TimeSource, state: BrowsingState, eventQueue: ScreenEventQueue,
    gaps: GapAnnouncer, login: ListLogin, memory: ListMemory
  ) {
    (self.library, self.logins, self.pulls, self.discovery) = (library, logins, pulls, discovery)
    (self.pictures, self.settings, self.cache, self.time) = (pictures, settings, cache, time)
    (self.state, self.eventQueue) = (state, eventQueue)
    (self.gaps, self.login, self.memory) = (gaps, login, memory)
  }

  /// Pulls until the pull ends, or another list is shown.
  func pull(_ kind: PullKind) async { await state.pulling { await perform(kind) } }

  /// Fetches missing pictures.
  func fetch(_ request: PictureFetch) async {
    defer { eventQueue.post(.fetched) }
    do {
      let pull = pictures.pull(into: library.store) { eventQueue.post(.pull(.waits($0.text))) }
      let avatars = try await work.run { [settings, library] in try settings.read(in: library.store).avatars }
      try await pull.run(
        request.posts, retryFailed: request.retryFailed, gone: request.gone,
        avatars: request.retryFailed && avatars)
    } catch is CancellationError {
      return
    } catch {
      eventQueue.post(.problem(ListMessage.of(error)))
    }
  }

  private func perform(_ kind: PullKind) async {
    eventQueue.post(.pull(.began(kind)))
    var (new, isEnd) = (0, false)
    var (failure, limits): (String?, [Date?]) = (nil, [])
    var elsewhere: Feed?
    let shown = state.shown
    let feeds = shown.feeds
    let selected = kind == .new ? feeds : Array(feeds.prefix(1))
    for feed in selected {
      do {
        guard let report = try await pull(feed, kind) else { continue }
        new += report.summary.posts.new
        isEnd = kind == .older && report.isAtEnd
        if let error = report.failure { throw error }
        if case .gap = kind, !report.summary.complete { failure = "No more of it is to be had" }
        if habits.succeeded(feed) { eventQueue.post(.pull(.recovered)) }
        await login.settle(feed)
      } catch {
        elsewhere = feeds.count == 1 ? await self.elsewhere(feed, after: error) : nil
        failure = elsewhere == nil ? ListMessage.of(error) : nil
        limits.append((error as? SourceError)?.limit)
        if !Task.isCancelled { habits.failed(feed) }
        if (error as? SourceError)?.wantsLogin == true {
          await login.want(feed, by: try? library.store.api(of: feed))
        }
      }
      await memory.settle()
      if Task.isCancelled { break }
    }
    // Its leftovers come first: otherwise a filled gap would briefly look unfilled.
    await gaps.announce()
    // If one of several feeds may be pulled, it is.
    let until = limits.count == selected.count ? limits.map { $0 ?? .distantPast }.min() : nil
    eventQueue.post(
      .pull(
        .ended(
          kind, new: new, isEnd: isEnd, failure: Task.isCancelled ? nil : failure,
          until: until.flatMap { $0 > time.now() ? $0 : nil }, failureUntil: limits.last ?? nil)))
    if let elsewhere, !Task.isCancelled { eventQueue.post(.elsewhere(elsewhere.written, of: shown.scope)) }
  }

  /// The feed at the server that speaks for the accounts of its own; nil if there is none, or nobody knows.
  private func elsewhere(_ feed: Feed, after failure: any Error) async -> Feed? {
    try? await discovery.feed(insteadOf: feed, after: failure, in: library.store, say: { _ in })
  }

  /// Returns nil if there is nothing to pull.
  private func pull(_ feed: Feed, _ kind: PullKind) async throws -> PullReport? {
    let (pulls, settings, cache, library, eventQueue) = (pulls, settings, cache, library, eventQueue)
    let login = try await logins.login(for: feed)
    let (pull, avatars) = try await work.run {
      let pull = try pulls.pull(of: feed, as: login, into: library.store) { eventQueue.post(.pull(.waits($0.text))) }
      return (pull, try settings.read(in: library.store).avatars)
    }
    guard let plan = try await plan(kind, feed, avatars: avatars) else { return nil }
    let isKnown = try await work.run { try library.store.feeds().contains(feed) }
    var report = await run(pull, feed, plan)
    if !isKnown, report.summary.posts.isEmpty { await memory.forget(feed) }
    // Missing pictures come first, and then no page is read.
    if kind == .older, report.failure == nil, report.summary.hasPicturesAlone { report = await run(pull, feed, plan) }
    try await work.run { try cache.trim(library.store) }
    return report
  }

  /// What to read; nil if a gap is already filled.
  private func plan(_ kind: PullKind, _ feed: Feed, avatars: Bool) async throws -> PullPlan? {
    switch kind {
    case .new: return PullPlan(.new, pages: habits.begin(feed) ? 1 : Self.mostPages, avatars: avatars)
    case .older: return PullPlan(.rest, pages: 1, avatars: avatars)
    case .gap(let id):
      let gap = try await work.run { [library] in
        try library.store.innerGaps(of: feed).gaps.first { $0.id == id }?.gap
      }
      return gap.map { PullPlan(.gap($0), pages: nil, avatars: avatars) }
    }
  }

  private func run(_ pull: FeedPull, _ feed: Feed, _ plan: PullPlan) async -> PullReport {
    await pull.run(feed, plan) { [eventQueue] event in
      switch event {
      case .page(_, let posts): eventQueue.post(.pull(.page(posts: posts)))
      case .waitsForPull: eventQueue.post(.pull(.waits("another pull of \(feed.spoken) is under way")))
      case .picture, .misdated, .shortened, .declared: break
      }
    }
  }
}

extension PullReport {
  /// Whether the feed has nothing older.
  fileprivate var isAtEnd: Bool { failure == nil && summary.next == nil && !summary.hasPicturesAlone }
}

extension PullSummary.PostCounts {
  /// Whether no page contained a post.
  fileprivate var isEmpty: Bool { new + updated + unchanged + deleted + unreadable == 0 }
}

extension SourceError {
  /// When the server accepts requests again; nil if it did not say, or the failure is another one.
  fileprivate var limit: Date? {
    switch self {
    case .rateLimited(_, let until, _), .tagsSpent(_, _, let until, _, _): until
    default: nil
    }
  }
}
