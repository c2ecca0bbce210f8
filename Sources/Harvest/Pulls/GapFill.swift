import Posts
import Services
import Storage

// Fills what is known to be missing: unfinished pulls from their checkpoints, and gaps from below if the source supports
// that.

extension PullRun {
  /// Half a page of posts, the overlap in which late posts are found.
  private var halfPage: Int { (plan.pageSize ?? 40) / 2 }

  /// Fills the feed's gaps, the latest first, within the page limit. A gap that cannot be filled does not block the others.
  mutating func fillGaps() async throws {
    var stuck = try await resumeAll()
    var tried: Set<Gap> = []
    while pagesLeft != 0, !summary.showsNothing,
      let gap = try await gaps().first(where: { $0.kind == .gap && !tried.contains($0) })
    {
      tried.insert(gap)
      do {
        try await close(gap)
      } catch {
        guard try await isOfOnePart(error) else { throw error }
        stuck.append(error)
      }
    }
    summary.complete = try await gaps().isEmpty
    summary.next = nil
    if let failure = stuck.first, !summary.complete { throw failure }
  }

  /// Whether a failure concerns only the requested part of the feed, not the server or the whole feed: if the newest posts
  /// cannot be read either, nothing else is requested.
  private func isOfOnePart(_ error: any Error) async throws -> Bool {
    guard Self.willFailAgain(error) else { return false }
    if case PullError.lost = error { return true }
    do {
      _ = try await reader.probe(after: nil, size: PageReader.probeSize)
      return true
    } catch {
      guard Self.willFailAgain(error) else { throw error }
      return false
    }
  }

  /// Fills one gap within the page limit. The summary is complete if the gap is closed.
  mutating func fill(_ gap: Gap) async throws {
    try await close(gap)
    summary.complete = try await inStore { store, _ in try !store.isOpen(gap) }
    summary.next = nil
  }

  /// Closes it from below if the source supports that, else from above.
  private mutating func close(_ gap: Gap) async throws {
    if try await readUp(gap) || pagesLeft == 0 { return }
    if try await hasPassed(gap) || summary.showsNothing { return }
    try await descend(gap)
  }

  /// Resumes every unfinished pull, the latest first, within the page limit.
  ///
  /// - Returns: The failures that concern single pulls.
  /// - Throws: A failure that stops all of them.
  @discardableResult
  mutating func resumeAll() async throws -> [any Error] {
    var stuck: [Int64: any Error] = [:]
    while pagesLeft != 0, !summary.showsNothing,
      let left = try await inStore({ [feed, tried = begunAnew.union(stuck.keys)] store, now in
        try store.resumePull(of: feed, leaving: tried, now: now)
      })
    {
      do {
        try await resume(left)
      } catch {
        guard try await isOfOnePart(error) else { throw error }
        stuck[left.pull.id] = error
      }
    }
    return stuck.sorted { $0.key > $1.key }.map(\.value)
  }

  /// Resumes an unfinished pull, from the feed's top if nothing leads on from its checkpoint. A harvest does not begin at
  /// the top.
  mutating func resume(_ left: Resumption) async throws {
    do {
      try await walk(left.pull, from: try await start(of: left), pages: left.pages)
    } catch PullError.lost where plan.scope != .harvest || feed.kind == .url {
      try await beginAnew(left.pull)
    }
  }

  /// Where a pull resumes; nil at the feed's top. A pull among known posts must not resume with the newest posts, which
  /// would be filed below old ones.
  private func start(of left: Resumption) async throws -> Cursor? {
    if left.isAtTop { return nil }
    if let start = left.start { return start }
    let nearest = try await inStore { store, _ in try store.fallbackIDs(of: left.pull).first }
    guard let start = nearest.flatMap({ source.cursor(below: $0) }) else { throw PullError.lost(feed: feed.name) }
    return start
  }

  /// Restarts a pull at the feed's top when its way down is lost.
  mutating func beginAnew(_ lost: Pull) async throws {
    let pull = try await inStore { try $0.beginAnew(lost, now: $1) }
    begunAnew.insert(pull.id)
    try await walk(pull, from: nil, pages: pull.goal.pages)
  }

  /// Reads upwards from the interval below, so that no new gap can open; false if the source does not support that.
  private mutating func readUp(_ gap: Gap) async throws -> Bool {
    let halfPage = halfPage
    let begun = try await inStore { try $0.beginFill(of: gap, upwards: true, halfPage: halfPage, now: $1) }
    guard let (pull, _, anchor) = begun else { return true }
    do {
      let isClosed = try await readUp(pull, from: anchor)
      try await finish(pull, reached: isClosed)
      return isClosed
    } catch {
      try? await finish(pull, reached: false)
      throw error
    }
  }

  private mutating func readUp(_ pull: Pull, from anchor: String) async throws -> Bool {
    var anchor = anchor
    var seen: Set<String> = []
    while pagesLeft != 0, seen.insert(anchor).inserted {
      // The first anchor is stored, and its post may be gone; the others were just seen.
      guard let (_, merge) = try await readPage(pull, above: anchor, tries: seen.count == 1 ? 5 : 1) else {
        return false
      }
      switch merge {
      case .joined: return true
      case .higher(let next): anchor = next
      case .apart, .top: return false
      }
    }
    return false
  }

  /// Reads and stores the page above an id; nil if the source does not support that. If the server no longer knows the id,
  /// tries its neighbours, `tries` ids in all.
  mutating func readPage(_ pull: Pull, above anchor: String, tries: Int) async throws -> (Page, UpwardMergeResult)? {
    try await waitForPictures()
    guard let answer = try await pageAbove(anchor, in: pull, tries: tries) else { return nil }
    let (page, anchor) = (answer.page, answer.anchor)
    let (saved, merge) = try await inStore { [plan] store, now in
      try store.save(page, above: anchor, in: pull, pictures: plan.pictures, limits: plan.limits, now: now)
    }
    try await count(saved, of: PageOutline(page))
    return (page, merge)
  }

  private func pageAbove(_ anchor: String, in pull: Pull, tries: Int) async throws -> AnchoredPage? {
    var spare = tries - 1
    switch try await answer(above: anchor) {
    case .noSuchWay: return nil
    case .page(let page):
      // Perhaps nothing is above it. But a few servers return nothing above an unknown post.
      if !page.items.isEmpty || tries <= 2 { return AnchoredPage(page: page, anchor: anchor) }
      spare = 1
    case .missing: break
    }
    let others = try await inStore { store, _ in try store.fallbackAnchors(near: anchor, of: pull) }
    for other in others.prefix(spare) {
      if case .page(let page) = try await answer(above: other), !page.items.isEmpty {
        return AnchoredPage(page: page, anchor: other)
      }
    }
    return nil
  }

  private struct AnchoredPage {
    let page: Page
    let anchor: String
  }

  /// A source's answer to a request for the page above an id.
  private enum AnswerAbove {
    case page(Page)
    /// The server does not know the id.
    case missing
    /// The source only walks down.
    case noSuchWay
  }

  private func answer(above id: String) async throws -> AnswerAbove {
    do {
      return try await reader.page(above: id, size: plan.pageSize).map(AnswerAbove.page) ?? .noSuchWay
    } catch let error as SourceError where error.isMissing {
      return .missing
    }
  }

  /// Whether the posts below a gap are gone upstream and the pull above has passed their positions. Their dates raise the
  /// question; the page that the server shows below them answers it.
  private mutating func hasPassed(_ gap: Gap) async throws -> Bool {
    let ids = try await inStore { store, _ in try store.idsOfPassed(gap) }
    var shown: [String] = []
    var isAsked = false
    for id in ids {
      guard shown.isEmpty, let cursor = source.cursor(below: id) else { break }
      isAsked = true
      shown = try await idsIfKnown(below: cursor)
    }
    guard isAsked else { return false }
    // A server that temporarily shows nothing of the feed knows none of the ids either.
    if shown.isEmpty, try await reader.probe(after: nil, size: PageReader.probeSize).isEmpty {
      summary.showsNothing = true
      return false
    }
    return try await closePassed(gap, by: shown)
  }

  private func closePassed(_ gap: Gap, by ids: [String]) async throws -> Bool {
    try await inStore { store, _ in try store.closePassed(gap, by: ids) }
  }

  /// The ids of the page below a cursor; empty if the server does not know it.
  private func idsIfKnown(below cursor: Cursor) async throws -> [String] {
    do {
      return try await reader.probe(after: cursor, size: plan.pageSize).filter { !$0.pinned }.compactMap(\.feedID)
    } catch let error as SourceError where error.isMissing {
      return []
    }
  }

  /// Reads downwards from the interval above until it meets the one below.
  private mutating func descend(_ gap: Gap) async throws {
    let begun = try await inStore { try $0.beginFill(of: gap, upwards: false, halfPage: 0, now: $1) }
    guard let (pull, edge, _) = begun else { return }
    if let start = edge.next ?? source.cursor(below: edge.id) {
      do { return try await walk(pull, from: start, pages: nil) } catch PullError.lost where mayBeginAtTop {}
    }
    try await descendFromTop(to: gap)
  }

  /// Whether a newest page that begins with known posts is outdated, such as a cached one: it begins below intervals whose
  /// posts the server still shows.
  func isStale(_ page: Page) async throws -> Bool {
    guard let first = page.items.first(where: { !$0.pinned })?.feedID else { return false }
    for interval in try await inStore({ [feed] store, _ in try store.intervals(above: first, of: feed) }) {
      var shown: [String] = []
      for id in interval.ids where shown.isEmpty {
        if let cursor = source.cursor(below: id) { shown = try await idsIfKnown(below: cursor) }
      }
      if try await inStore({ [shown] store, _ in try store.holds(anyOf: shown, in: interval) }) { return true }
    }
    return false
  }

  /// A document has no further pages. A harvest does not begin at the top: reading known posts again may cost money, and if
  /// the feed ends above the gap, every harvest would repeat it.
  private var mayBeginAtTop: Bool { plan.scope != .harvest && feed.kind != .url }

  /// Reads down to a gap from the feed's top, skipping known posts, if no other way leads there: its cursor was another
  /// API's, or its posts are gone.
  private mutating func descendFromTop(to gap: Gap) async throws {
    guard mayBeginAtTop, let pull = try await inStore({ try $0.beginFillFromTop(of: gap, now: $1) }) else { return }
    try await walk(pull, from: nil, pages: nil, closing: gap)
  }
}
