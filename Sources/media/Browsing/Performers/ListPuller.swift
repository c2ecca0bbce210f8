import Blocking
import Browse
import FoundationEssentials
import HTTP
import Harvest
import MediaLibrary
import Posts
import Services

/// Pulls for the list, one pull after another.
struct ListPuller: Sendable {
  let library: Library
  let logins: AccountChooser
  let pulls: PullFactory
  let pictures: PictureFactory
  let settings: LibrarySettings
  let cache: AvatarCache
  let time: TimeSource
  let state: BrowsingState
  let mailbox: ScreenEventQueue
  let gaps: GapAnnouncer
  let login: ListLogin
  let memory: ListMemory
  private let habits = PullHistory()
  private let work = BlockingExecutor("pulls")

  /// The maximum pages of a feed in a refresh; the first refresh reads one page. The rest becomes a known gap.
  private static let mostPages = 5

  init(
    library: Library, logins: AccountChooser, pulls: PullFactory, pictures: PictureFactory, settings: LibrarySettings,
    cache: AvatarCache, time: TimeSource, state: BrowsingState, mailbox: ScreenEventQueue, gaps: GapAnnouncer,
    login: ListLogin, memory: ListMemory
  ) {
    (self.library, self.logins, self.pulls, self.pictures) = (library, logins, pulls, pictures)
    (self.settings, self.cache, self.time) = (settings, cache, time)
    (self.state, self.mailbox) = (state, mailbox)
    (self.gaps, self.login, self.memory) = (gaps, login, memory)
  }

  /// Pulls until the pull ends, or another list is shown.
  func pull(_ kind: PullKind) async { await state.pulling { await perform(kind) } }

  /// Fetches missing pictures.
  func fetch(_ request: PictureFetch) async {
    defer { mailbox.post(.fetched) }
    do {
      let pull = pictures.pull(into: library.store) { mailbox.post(.pull(.waits($0.text))) }
      let avatars = try await work.run { [settings, library] in try settings.read(in: library.store).avatars }
      try await pull.run(
        request.posts, retryFailed: request.retryFailed, gone: request.gone,
        avatars: request.retryFailed && avatars)
    } catch is CancellationError {
      return
    } catch {
      mailbox.post(.problem(ListMessage.of(error)))
    }
  }

  private func perform(_ kind: PullKind) async {
    mailbox.post(.pull(.began(kind)))
    var (new, isEnd) = (0, false)
    var (failure, limits): (String?, [Date?]) = (nil, [])
    let feeds = state.shown.feeds
    let selected = kind == .new ? feeds : Array(feeds.prefix(1))
    for feed in selected {
      do {
        guard let report = try await pull(feed, kind) else { continue }
        new += report.summary.posts.new
        isEnd = kind == .older && report.isAtEnd
        if let error = report.failure { throw error }
        if case .gap = kind, !report.summary.complete { failure = "No more of it is to be had" }
        if habits.succeeded(feed) { mailbox.post(.pull(.recovered)) }
        await login.settle(feed)
      } catch {
        failure = ListMessage.of(error)
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
    mailbox.post(
      .pull(
        .ended(
          kind, new: new, isEnd: isEnd, failure: Task.isCancelled ? nil : failure,
          until: until.flatMap { $0 > time.now() ? $0 : nil }, failureUntil: limits.last ?? nil)))
  }

  /// Returns nil if there is nothing to pull.
  private func pull(_ feed: Feed, _ kind: PullKind) async throws -> PullReport? {
    let (pulls, settings, cache, library, mailbox) = (pulls, settings, cache, library, mailbox)
    let login = try await logins.login(for: feed)
    let (pull, avatars) = try await work.run {
      let pull = try pulls.pull(of: feed, as: login, into: library.store) { mailbox.post(.pull(.waits($0.text))) }
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
    await pull.run(feed, plan) { [mailbox] event in
      switch event {
      case .page(_, let posts): mailbox.post(.pull(.page(posts: posts)))
      case .waitsForPull: mailbox.post(.pull(.waits("another pull of \(feed.spoken) is under way")))
      case .picture, .misdated: break
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
