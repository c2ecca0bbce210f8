import Machine
import Posts
import Services
import Storage

/// Reads the pages of one pull down a feed.
///
/// The post that a stored cursor names may be gone. Servers then compare ids and still answer, or answer 404, or search for
/// it and show nothing. The stored ids of posts further up lead on from there.
struct PageReader: Sendable {
  private let reader: FeedReader
  private let size: Int?
  private let pull: Pull
  /// The validators of the last visit.
  private let visit: Visit?

  private var source: any Source { reader.source }
  private var store: Store { reader.store }
  private var queue: BlockingExecutor { reader.queue }

  init(_ run: PullRun, _ pull: Pull, since visit: Visit?) {
    (reader, size, self.pull, self.visit) = (run.reader, run.plan.pageSize, pull, visit)
  }

  /// The page size of a request that only checks whether there are posts.
  static let probeSize = 5

  /// The first page: the feed's newest, or that below a stored cursor.
  ///
  /// - Parameter start: The stored cursor; nil at the feed's top.
  /// - Returns: nil if the server shows nothing of the feed at all.
  /// - Throws: `PullError.lost` if no stored id leads on; any error of the source.
  func first(_ start: Cursor?) async throws -> Page? {
    guard let start else { return try await page(after: nil) }
    guard let page = try await page(below: start, isStored: true) else { return nil }
    try await reader.keeping(page) { try await examine(page) }
    return page
  }

  /// The page below a cursor.
  ///
  /// - Parameters:
  ///   - cursor: Where the page begins.
  ///   - isStored: Whether an earlier pull stored the cursor. An empty answer to a cursor that the server has just given is
  ///     the feed's end.
  /// - Returns: nil if the server shows nothing of the feed at all.
  /// - Throws: `PullError.lost` if no stored id leads on; any error of the source.
  func page(below cursor: Cursor, isStored: Bool) async throws -> Page? {
    guard let page = try await pageIfKnown(cursor) else { return try await findWay(past: cursor, answered: nil) }
    return isStored && page.isEmptyEnd ? try await findWay(past: cursor, answered: page) : page
  }

  /// Finds another way down if a cursor leads nowhere; `answered` is the empty page that it returned.
  private func findWay(past cursor: Cursor, answered: Page?) async throws -> Page? {
    let ids = try await queue.run { [store, pull] in try store.fallbackIDs(of: pull) }
    let others = ids.map { source.cursor(below: $0) }.filter { $0 != cursor }.compactMap(\.self)
    if let first = others.first, let page = try await way(through: first, ids, answered) { return page }
    // If the feed is temporarily hidden or gone, every way fails.
    let newest = try await reader.probe(after: nil, size: Self.probeSize)
    if newest.isEmpty { return nil }
    // If cursors cannot be made from ids, or if the post at the cursor exists, trust the answer.
    if let answered, others.isEmpty, ids.count != 1 || newest.contains(where: { $0.feedID == ids[0] }) {
      return answered
    }
    for other in others.dropFirst() {
      if let page = try await way(through: other, ids, answered) { return page }
    }
    throw PullError.lost(feed: reader.feed.name)
  }

  /// The page below another id if it leads on, or the empty answer if that page confirms it.
  private func way(through cursor: Cursor, _ ids: [String], _ answered: Page?) async throws -> Page? {
    guard let page = try await pageIfKnown(cursor), !page.items.isEmpty else { return nil }
    guard let answered, page.items.last?.feedID == ids.first else { return page }
    try await reader.keep(page)
    return answered
  }

  /// Returns nil if the server reports that it does not exist.
  private func pageIfKnown(_ cursor: Cursor) async throws -> Page? {
    do { return try await page(after: cursor) } catch let error as SourceError where error.isMissing { return nil }
  }

  private func page(after cursor: Cursor?) async throws -> Page {
    try await reader.page(after: cursor, size: size, since: visit)
  }

  /// A server that ignores the cursor shows its newest posts, which would be filed below old ones. Dates raise the
  /// suspicion; the order at the feed's top decides.
  private func examine(_ page: Page) async throws {
    let (store, pull) = (store, pull)
    guard try await queue.run({ try store.looksNewer(page, than: pull) }) else { return }
    let ordered = { (items: [PageItem]) in items.filter { !$0.pinned }.compactMap(\.feedID) }
    let newest = ordered(try await reader.probe(after: nil, size: size))
    guard let index = ordered(page.items).first.flatMap({ newest.firstIndex(of: $0) }) else { return }
    let above = Array(newest[..<index])
    if try await queue.run({ try !store.holds(anyOf: above, in: pull) }) {
      throw PullError.lost(feed: reader.feed.name)
    }
  }
}

extension SourceError {
  /// Whether the server reports that the feed, or the post that a cursor names, does not exist.
  var isMissing: Bool {
    switch self {
    case .notFound, .gone: true
    default: false
    }
  }
}

extension Error {
  /// Whether the server was not reached, or did not show the feed for a reason that waiting alone does not end. A feed of
  /// which nothing came before is then as unknown as before.
  var isNoAnswer: Bool {
    switch self as? SourceError {
    case .unreachable, .noTLS, .untrusted, .blocked, .otherSoftware, .needsLogin, .tokenRefused, .forbidden, .closed,
      .notFound, .gone, .noFeed, .searchIsOff, .unreadable:
      true
    default: false
    }
  }
}

extension Page {
  fileprivate var isEmptyEnd: Bool { items.isEmpty && next == .end }
}
