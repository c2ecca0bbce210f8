import Foundation
import HTTP
import Posts
import Services
import Storage

/// Pulls a feed page by page into the store, and its pictures beside it.
///
/// Each page is stored whole before it counts. The next page is asked for while this one is being stored, and pictures
/// begin with the first page stored. Whatever stops a pull, what was stored stays, and the pull's row says how far it
/// came.
public struct FeedPull: Sendable {
  private let source: any Source
  private let store: Store
  private let pictures: PictureFetcher
  private let time: Timekeeper
  private let requests: @Sendable () -> Int
  private let locks: FeedLocks?
  private let mostWaiting: Int
  private let queue = BlockingQueue("pages")

  /// This many pages in a row that bring nothing this walk has not seen mean that the server goes in circles.
  static let fruitlessPages = 3

  /// A pull from its parts; `requests` tells how many requests for pages were sent so far. `locks` keeps other pulls of
  /// the same feed waiting; without it nobody else may pull into the library. While more than `mostWaiting` pictures are
  /// still to come, no further page is asked for.
  public init(
    source: any Source, store: Store, pictures: PictureFetcher, time: Timekeeper, locks: FeedLocks? = nil,
    mostWaiting: Int = 1000,
    requests: @escaping @Sendable () -> Int
  ) {
    self.source = source
    self.store = store
    self.pictures = pictures
    self.time = time
    self.locks = locks
    self.mostWaiting = mostWaiting
    self.requests = requests
  }

  /// Pulls the newest pages of a feed by a plan. Never throws: the report says what came and what went wrong.
  public func run(
    _ feed: Feed, _ plan: PullPlan, onEvent: @escaping @Sendable (PullEvent) -> Void
  ) async -> PullReport {
    do {
      // Until the last picture: a pull that follows finds them here and does not fetch them again.
      let lock = try await locks?.hold(feed, time: time) { onEvent(.waitsForPull) }
      defer { withExtendedLifetime(lock) {} }
      return await runAlone(feed, plan, onEvent: onEvent)
    } catch {
      return PullReport(summary: PullSummary(feed: feed.name), failure: error, pictureFailures: [])
    }
  }

  private func runAlone(
    _ feed: Feed, _ plan: PullPlan, onEvent: @escaping @Sendable (PullEvent) -> Void
  ) async -> PullReport {
    var summary = PullSummary(feed: feed.name)
    let before = requests()
    let (tasks, found) = AsyncStream.makeStream(of: PictureTask.self)
    async let fetching = pictures.run(tasks, onEvent: onEvent)
    let failure = await walk(feed, plan, into: &summary, found: found, onEvent: onEvent)
    found.finish()
    let tally = await fetching
    let waiting = summary.media.waiting
    summary.media = tally.counts
    summary.media.waiting = waiting
    summary.requests = requests() - before
    return PullReport(summary: summary, failure: failure ?? tally.failure, pictureFailures: tally.reasons)
  }

  private func walk(
    _ feed: Feed, _ plan: PullPlan, into summary: inout PullSummary,
    found: AsyncStream<PictureTask>.Continuation, onEvent: @Sendable (PullEvent) -> Void
  ) async -> (any Error)? {
    do {
      let goal = PullGoal(pages: plan.pages, since: plan.since)
      let pull = try await queue.run { [store, time] in try store.beginPull(of: feed, goal: goal, now: time.now()) }
      do {
        try await turnPages(feed, plan, pull, into: &summary, found: found, onEvent: onEvent)
        summary.complete = true
        try await finish(pull, reached: true)
        return nil
      } catch {
        try? await finish(pull, reached: false)
        return error
      }
    } catch {
      return error
    }
  }

  private func finish(_ pull: Pull, reached: Bool) async throws {
    try await queue.run { [store, time] in try store.finishPull(pull, reached: reached, now: time.now()) }
  }

  private func turnPages(
    _ feed: Feed, _ plan: PullPlan, _ pull: Pull, into summary: inout PullSummary,
    found: AsyncStream<PictureTask>.Continuation, onEvent: @Sendable (PullEvent) -> Void
  ) async throws {
    var walk = Walk(plan: plan)
    var current: Page? = try await source.page(of: feed, after: nil, size: plan.pageSize)
    while let page = current {
      try await waitForPictures()
      let step = try walk.turn(page)
      let cursor: Cursor? = if case .on(let next) = step { next } else { nil }
      async let following = cursor.asyncMap { try await source.page(of: feed, after: $0, size: plan.pageSize) }
      let (saved, waiting) = try await save(page, in: pull, plan, found: found)
      summary.pages += 1
      summary.posts.add(saved)
      summary.media.waiting += waiting
      summary.next = if case .after(let next) = page.next { next } else { nil }
      onEvent(.page(number: summary.pages, posts: page.items.count))
      current = try await following
      if case .barred(let reason) = step { throw SourceError.unreadable(feed.server, reason: reason) }
    }
  }

  /// Pages come faster than their pictures: they wait for them, so that a long pull does not gather a longer and longer
  /// list of what is still to fetch.
  private func waitForPictures() async throws {
    try Task.checkCancellation()
    while pictures.failure == nil, pictures.backlog > mostWaiting { try await time.sleep(.milliseconds(50)) }
    if let failure = pictures.failure { throw failure }
  }

  private func save(
    _ page: Page, in pull: Pull, _ plan: PullPlan, found: AsyncStream<PictureTask>.Continuation
  ) async throws -> (Saved, waiting: Int) {
    let (saved, tasks, waiting) = try await queue.run { [store, time] in
      let now = time.now()
      let saved = try store.save(page, in: pull, pictures: plan.pictures, now: now)
      let tasks = try plan.tasks(for: saved.posts, in: store, now: now)
      let isLeft = plan.pictures && !plan.retryFailed
      return (saved, tasks, isLeft ? try store.waitingPictures(ofPosts: saved.posts, now: now) : 0)
    }
    pictures.expect(tasks)
    for task in tasks { found.yield(task) }
    return (saved, waiting)
  }
}

/// How far a walk has come, and whether it goes on: decided from the page alone, before the page is stored.
struct Walk {
  let plan: PullPlan
  private var pages = 0
  private var seen: Set<Int> = []
  private var fruitless = 0

  init(plan: PullPlan) { self.plan = plan }

  /// What comes after a page.
  enum Step: Equatable {
    /// The page after this cursor is wanted.
    case on(Cursor)
    /// The walk came to where it was to end.
    case done
    /// More is wanted and the way to it is not gone.
    case barred(reason: String)
  }

  /// Decides from a page what comes after it; throws where the server goes in circles.
  mutating func turn(_ page: Page) throws -> Step {
    pages += 1
    let isLast = plan.pages.map { pages >= $0 } ?? false || isOlder(page)
    guard case .after(let cursor) = page.next else {
      if case .refused(let reason) = page.next, !isLast { return .barred(reason: reason) }
      return .done
    }
    let before = seen.count
    for item in page.items { seen.insert((item.id ?? item.post?.uri)?.hashValue ?? item.raw.hashValue) }
    fruitless = seen.count == before ? fruitless + 1 : 0
    if fruitless >= FeedPull.fruitlessPages { throw WalkError.circles(cursor) }
    return isLast ? .done : .on(cursor)
  }

  private func isOlder(_ page: Page) -> Bool {
    guard let since = plan.since else { return false }
    let dates = page.items.filter { !$0.pinned }.compactMap { $0.repetition?.at ?? $0.post?.createdAt }
    return !dates.isEmpty && dates.allSatisfy { $0 < since }
  }
}

/// Why a walk cannot go on although the server says that there is more.
public enum WalkError: ExplainedError, Equatable {
  /// Page after page brings the same posts.
  case circles(Cursor)

  /// What happened.
  public var summary: String { "the server sends the same posts again and again after \(cursor)" }
  /// What to do.
  public var cure: String? { "what came is stored; try again later" }
  /// The answer is not what it claims to be.
  public var exitCode: ExitCode { .unreadable }

  private var cursor: Cursor {
    switch self {
    case .circles(let cursor): cursor
    }
  }
}

extension PullSummary.PostCounts {
  mutating func add(_ saved: Saved) {
    new += saved.new
    updated += saved.updated
    unchanged += saved.unchanged
    deleted += saved.deleted
    unreadable += saved.unreadable
  }
}

extension Optional where Wrapped: Sendable {
  fileprivate func asyncMap<Value>(_ transform: (Wrapped) async throws -> Value) async rethrows -> Value? {
    if let self { try await transform(self) } else { nil }
  }
}
