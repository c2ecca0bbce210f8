import FoundationEssentials
import HTTP
import Machine
import Posts
import Services
import Storage

/// The state of one run of a pull.
struct PullRun {
  let feed: Feed
  let plan: PullPlan
  let source: any Source
  let store: Store
  let pictures: PictureFetcher
  let time: TimeSource
  let mostWaiting: Int
  let found: AsyncStream<PictureTask>.Continuation
  let onEvent: @Sendable (PullEvent) -> Void
  let queue: BlockingExecutor
  let reader: FeedReader
  /// Whether a person wants more bytes of files than a pull takes: the declared and the most bytes.
  let mayExceed: @Sendable (Int64, Int64) async -> Bool
  /// The lengths of files that the feed declares.
  var declared = DeclaredLengths()
  /// How many more files limits left out when pages were stored.
  var leftOut = 0
  var summary: PullSummary
  /// The most pages of this run; nil if only its goals limit it.
  var mostPages: Int?
  /// The time after which this run requests no page; nil for no limit.
  var endsAt: Date?
  /// The pulls that it has restarted. None is restarted twice.
  var begunAnew: Set<Int64> = []
  /// What the feed's newest end has shown so far.
  var observation = FeedObservation()
  /// The newest end, once it was read.
  var head: FeedHead?
  /// How many gaps the feed had when a harvest of it ended; nil if that is not known.
  var gapCount: Int?

  init(
    feed: Feed, plan: PullPlan, source: any Source, store: Store, pictures: PictureFetcher, time: TimeSource,
    mostWaiting: Int, found: AsyncStream<PictureTask>.Continuation,
    mayExceed: @escaping @Sendable (Int64, Int64) async -> Bool, onEvent: @escaping @Sendable (PullEvent) -> Void
  ) {
    self.feed = feed
    self.plan = plan
    self.source = source
    self.store = store
    self.pictures = pictures
    self.time = time
    self.mostWaiting = mostWaiting
    self.found = found
    self.mayExceed = mayExceed
    self.onEvent = onEvent
    queue = BlockingExecutor("pages")
    reader = FeedReader(
      feed: feed, source: source, store: store, time: time, queue: queue, pictures: plan.pictures, limits: plan.limits)
    summary = PullSummary(feed: feed.name)
    mostPages = plan.pages
  }

  /// Reads the planned pages, and queues pictures left by earlier pulls. Throws what stops it early; `summary` holds the
  /// counts until then.
  mutating func run() async throws {
    do {
      try await read()
      try await countAside()
    } catch {
      try? await countAside()
      if !Task.isCancelled, !error.isOurs { try? await takeNewest() }
      // A feed whose pages fail for months may have pictures that do not.
      if !Task.isCancelled, !error.isOurs { try? await fetchLeft() }
      throw error
    }
    try await takeNewest()
    try await fetchLeft()
  }

  private mutating func read() async throws {
    switch plan.scope {
    case .newest: try await walkDown(to: PullGoal(pages: plan.pages, since: plan.since))
    case .new: try await walkDown(to: PullGoal(pages: plan.pages, since: plan.since, known: true))
    case .all:
      try await walkDown(to: PullGoal(since: plan.since, end: true))
      if summary.complete { try await resumeAll() }
    case .rest: try await resume()
    case .gaps: try await fillGaps()
    case .gap(let gap): try await fill(gap)
    case .harvest: try await harvest()
    }
  }

  /// The most documents that a run reads of a chain, which may be endless.
  static let mostDocuments = 500

  /// Number of pages that this run may still read.
  var pagesLeft: Int? {
    if isLate { return 0 }
    let most = [mostPages, feed.kind == .url ? Self.mostDocuments : nil].compactMap(\.self).min()
    return most.map { max(0, $0 - summary.pages) }
  }

  /// Whether the deadline has passed.
  var isLate: Bool { endsAt.map { $0 <= time.now() } ?? false }

  /// Runs blocking work of the store on its own thread.
  func inStore<Value: Sendable>(_ work: @escaping @Sendable (Store, Date) throws -> Value) async throws -> Value {
    try await queue.run { [store, time] in try work(store, time.now()) }
  }

  /// Keeps what the pull showed of the feed itself: that it can be read, so that its follow no longer fails, or that the
  /// server did not answer for it, so that nothing of it is missing. A harvest keeps its own books of follows.
  func settleFollow(after failure: (any Error)?) async {
    switch failure {
    case nil where summary.pages > 0 && plan.scope != .harvest:
      try? await inStore { [feed] store, now in try store.reschedule(feed) { FollowPlan(now: now).recovered($0) } }
    // A feed that brought something before keeps its rows.
    case let failure? where summary.pages == 0 && failure.isNoAnswer:
      _ = try? await inStore { [feed] store, _ in try !store.hasPosts(of: feed) && store.forgetEmpty(feed) }
    default: break
    }
  }

  // MARK: Walks

  mutating func walkDown(to goal: PullGoal, past items: Int? = nil) async throws {
    let pull = try await inStore { [feed] in try $0.beginPull(of: feed, goal: goal, now: $1) }
    try await walk(pull, from: nil, pages: goal.pages, past: items)
  }

  private mutating func resume() async throws {
    if let left = try await inStore({ [feed] in try $0.resumePull(of: feed, now: $1) }) {
      return try await resume(left)
    }
    // Finish an earlier pull's pictures first; the pages below can wait.
    if plan.pictures, try await inStore({ [feed] in try $0.hasUntriedPictures(of: feed, now: $1) }) {
      summary.complete = true
      return
    }
    let goal = PullGoal(pages: plan.pages ?? (plan.since == nil ? 1 : nil), since: plan.since)
    guard let (pull, edge) = try await inStore({ [feed] in try $0.beginPull(below: feed, goal: goal, now: $1) }) else {
      return try await walkDown(to: goal)
    }
    guard !edge.isEnd else {
      summary.complete = true
      return try await finish(pull, reached: true)
    }
    guard let start = edge.next ?? source.cursor(below: edge.id) else {
      // Nothing leads down from here. An open pull would itself count as missing.
      try await finish(pull, reached: true)
      summary.complete = try await gaps().isEmpty
      return
    }
    do {
      try await walk(pull, from: start, pages: goal.pages)
    } catch PullError.lost {
      try await beginAnew(pull)
    }
  }

  /// Reads down from a cursor to the pull's goal. `pages` is the goal's remaining number of pages, `items` the number of
  /// known posts to read. With `gap`, it ends when that is closed.
  mutating func walk(
    _ pull: Pull, from start: Cursor?, pages: Int?, past items: Int? = nil, closing gap: Gap? = nil
  ) async throws {
    let most = [pages, pagesLeft].compactMap(\.self).min()
    do {
      let end = try await turnPages(
        pull, from: start, PullProgress(goal: pull.goal, most: most, past: items), closing: gap)
      let isReached = ![.time, .nothing].contains(end) && (end != .pages || most == pages)
      try await finish(pull, reached: isReached)
      // A source's horizon leaves no pull unfinished, because asking again would show no more.
      let mayLeaveHole = end == .horizon || ([.pages, .time].contains(end) && pull.goal.known)
      let isShort = end == .horizon && pull.goal.since != nil
      summary.complete = mayLeaveHole ? try await gaps().isEmpty && !isShort : isReached
    } catch {
      try? await finish(pull, reached: false)
      throw error
    }
  }

  func finish(_ pull: Pull, reached: Bool) async throws {
    try await inStore { try $0.finishPull(pull, reached: reached, now: $1) }
  }

  /// The gaps of the feed.
  func gaps() async throws -> [Gap] { try await inStore { [feed] store, _ in try store.gaps(of: feed) { _ in false } } }

  /// Reads and stores page after page. Requests the next page only after this one is stored, so that a killed process has
  /// at most one page to read again.
  private mutating func turnPages(
    _ pull: Pull, from start: Cursor?, _ walk: PullProgress, closing gap: Gap?
  ) async throws -> PullProgress.End {
    var walk = walk
    let earlier = try await visit(isNewest: start == nil, pull.goal)
    guard var page = try await PageReader(self, pull, since: earlier).first(start) else {
      summary.showsNothing = true
      return .nothing
    }
    // Posts that such a page skips would count as gone upstream.
    if gap != nil, try await isStale(page) {
      try await reader.keep(page)
      return .time
    }
    let pages = PageReader(self, pull, since: page.visit ?? earlier)
    while true {
      try await reader.keeping(page) { try await waitForPictures() }
      let step = try await reader.keeping(page) { try walk.turn(page, isLate: isLate) }
      let outline = PageOutline(page)
      let saved = try await save(page.moveItemsOut(), in: pull)
      summary.next = if case .after(let next) = page.next { next } else { nil }
      let turn = walk.pass(saved.known, of: outline, step)
      let isOver = turn.isOver
      switch turn {
      case .done(let end):
        try await count(saved, of: outline)
        return end
      case .barred(let reason):
        try await count(saved, of: outline)
        throw SourceError.unreadable(feed.server, reason: reason)
      case .on(let cursor): summary.next = cursor
      case .over(let cursor): summary.next = try await stepOver(pull, else: cursor)
      }
      if let gap, try await inStore({ store, _ in try !store.isOpen(gap) }) {
        try await count(saved, of: outline)
        return .known
      }
      guard let next = summary.next else {
        try await count(saved, of: outline)
        return .feed
      }
      async let following = pages.page(below: next, isStored: isOver)
      try await count(saved, of: outline)
      guard let read = try await following else {
        summary.showsNothing = true
        return .nothing
      }
      page = read
    }
  }

  /// The validators of the last visit. Used only if the newest page alone is wanted and none of its posts is needed again.
  private func visit(isNewest: Bool, _ goal: PullGoal) async throws -> Visit? {
    guard let visit = try await inStore({ [feed] store, _ in try store.visit(of: feed) }) else { return nil }
    let isEnough = isNewest && !goal.end && goal.since == nil && (goal.known || goal.pages == 1)
    guard isEnough, !plan.retryFailed else { return visit.forgettingContent }
    let isReopened = try await inStore { [feed, plan] store, _ in
      try plan.pictures && !plan.limits.isEmpty && store.hasLeftOut(of: feed, reopenedBy: plan.limits)
    }
    if isReopened { return visit.forgettingContent }
    // A harvest retries pictures without their posts.
    if plan.scope == .harvest { return visit }
    let isUnpictured = try await inStore { [feed, plan] store, now in
      try plan.pictures && store.wantsPicturesAgain(of: feed, now: now)
    }
    return isUnpictured ? visit.forgettingContent : visit
  }

  /// The cursor to what is below the interval that the pull has reached; nil if nothing is.
  private func stepOver(_ pull: Pull, else cursor: Cursor) async throws -> Cursor? {
    let edge = try await inStore { store, _ in try store.stepOver(pull) }
    return edge.isEnd ? nil : edge.next ?? source.cursor(below: edge.id) ?? cursor
  }

  /// Waits for pictures, because pages arrive faster: without this a long pull would build up an ever longer queue.
  func waitForPictures() async throws {
    try Task.checkCancellation()
    while pictures.failure == nil, pictures.backlog > mostWaiting { try await time.sleep(.milliseconds(50)) }
    if let failure = pictures.failure { throw failure }
  }
}
