import Foundation
import HTTP
import Posts
import Services
import Storage

/// One run of a pull: what it works with, and what has come so far.
struct PullRun {
  let feed: Feed
  let plan: PullPlan
  let source: any Source
  let store: Store
  let pictures: PictureFetcher
  let time: Timekeeper
  let mostWaiting: Int
  let found: AsyncStream<PictureTask>.Continuation
  let onEvent: @Sendable (PullEvent) -> Void
  let queue = BlockingQueue("pages")
  var summary: PullSummary
  /// The most pages that this run reads in all; nil where nothing but its goals ends it.
  var mostPages: Int?
  /// When this run asks for no further page; nil where it takes the time that it takes.
  var endsAt: Date?
  /// The pulls that it has begun anew. Where such a one leads nowhere either, it is not tried a second time.
  var begunAnew: Set<Int64> = []
  /// What the feed's newest end has shown so far.
  var sight = FeedSight()
  /// That end, once it was read.
  var head: FeedHead?

  init(
    feed: Feed, plan: PullPlan, source: any Source, store: Store, pictures: PictureFetcher, time: Timekeeper,
    mostWaiting: Int, found: AsyncStream<PictureTask>.Continuation, onEvent: @escaping @Sendable (PullEvent) -> Void
  ) {
    self.feed = feed
    self.plan = plan
    self.source = source
    self.store = store
    self.pictures = pictures
    self.time = time
    self.mostWaiting = mostWaiting
    self.found = found
    self.onEvent = onEvent
    summary = PullSummary(feed: feed.name)
    mostPages = plan.pages
  }

  /// Reads the pages that the plan asks for, and sends for the pictures that earlier pulls have left; throws what stops
  /// it early. `summary` holds what came until then.
  mutating func run() async throws {
    do { try await read() } catch {
      // A feed whose pages fail for months has pictures that do not.
      if !Task.isCancelled, !error.isOurs { try? await fetchLeft() }
      throw error
    }
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

  /// The most documents that a run reads of a chain of them: each may name another without end.
  static let mostDocuments = 500

  /// How many pages this run may still read.
  var pagesLeft: Int? {
    if isLate { return 0 }
    let most = [mostPages, feed.kind == .url ? Self.mostDocuments : nil].compactMap(\.self).min()
    return most.map { max(0, $0 - summary.pages) }
  }

  /// Whether its time is over.
  private var isLate: Bool { endsAt.map { $0 <= time.now() } ?? false }

  /// Runs work of the store, which blocks, on its own thread.
  func inStore<Value: Sendable>(_ work: @escaping @Sendable (Store, Date) throws -> Value) async throws -> Value {
    try await queue.run { [store, time] in try work(store, time.now()) }
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
    // Pictures that a pull has left are what is to be finished; the pages below can wait.
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
      // Nothing leads down from here. While the pull is open, it is itself what is missing.
      try await finish(pull, reached: true)
      summary.complete = try await gaps().isEmpty
      return
    }
    do {
      try await walk(pull, from: start, pages: goal.pages)
    } catch WalkError.lost {
      try await beginAnew(pull)
    }
  }

  /// Walks down from a cursor to the pull's goal; `pages` is what the goal still wants of them, and `items` how far it goes
  /// into what is known. With `gap`, it ends where that is closed.
  mutating func walk(
    _ pull: Pull, from start: Cursor?, pages: Int?, past items: Int? = nil, closing gap: Gap? = nil
  ) async throws {
    let most = [pages, pagesLeft].compactMap(\.self).min()
    do {
      let end = try await turnPages(pull, from: start, Walk(goal: pull.goal, most: most, past: items), closing: gap)
      let isReached = ![.time, .nothing].contains(end) && (end != .pages || most == pages)
      try await finish(pull, reached: isReached)
      // A source that shows no more is not asked again for what it does not show: no pull is left unfinished by it.
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

  /// What is known to be missing of the feed.
  func gaps() async throws -> [Gap] { try await inStore { [feed] store, _ in try store.gaps(of: feed) } }

  /// Reads and stores page after page. The next page is asked for when this one is stored, not before: a process that is
  /// killed has at most one page to fetch again.
  private mutating func turnPages(
    _ pull: Pull, from start: Cursor?, _ walk: Walk, closing gap: Gap?
  ) async throws -> Walk.End {
    var walk = walk
    let earlier = try await visit(isNewest: start == nil, pull.goal)
    guard var page = try await PageReader(self, pull, since: earlier).first(start) else {
      summary.showsNothing = true
      return .nothing
    }
    // What such a page goes by would count as gone upstream.
    if gap != nil, try await isStale(page) { return .time }
    let reader = PageReader(self, pull, since: page.visit ?? earlier)
    while true {
      try await waitForPictures()
      let step = try walk.turn(page, isLate: isLate)
      let outline = PageOutline(page)
      let saved = try await save(page.handOver(), in: pull)
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
      async let following = reader.page(below: next, isStored: isOver)
      try await count(saved, of: outline)
      guard let read = try await following else {
        summary.showsNothing = true
        return .nothing
      }
      page = read
    }
  }

  /// What the last visit left. A feed that has not changed since then is not read again where it is the newest page
  /// alone that is wanted, and nothing of it is wanted anew.
  private func visit(isNewest: Bool, _ goal: PullGoal) async throws -> Visit? {
    guard let visit = try await inStore({ [feed] store, _ in try store.visit(of: feed) }) else { return nil }
    let isEnough = isNewest && !goal.end && goal.since == nil && (goal.known || goal.pages == 1)
    guard isEnough, !plan.retryFailed else { return visit.forgettingContent }
    // A harvest tries pictures again without their posts.
    if plan.scope == .harvest { return visit }
    let isUnpictured = try await inStore { [feed, plan] store, now in
      try plan.pictures && store.wantsPicturesAgain(of: feed, now: now)
    }
    return isUnpictured ? visit.forgettingContent : visit
  }

  /// The cursor to what lies below the stretch that the walk has come to; nil where nothing does.
  private func stepOver(_ pull: Pull, else cursor: Cursor) async throws -> Cursor? {
    let edge = try await inStore { store, _ in try store.stepOver(pull) }
    return edge.isEnd ? nil : edge.next ?? source.cursor(below: edge.id) ?? cursor
  }

  /// Pages come faster than their pictures: they wait for them, so that a long pull does not gather a longer and longer
  /// list of what is still to fetch.
  func waitForPictures() async throws {
    try Task.checkCancellation()
    while pictures.failure == nil, pictures.backlog > mostWaiting { try await time.sleep(.milliseconds(50)) }
    if let failure = pictures.failure { throw failure }
  }
}
