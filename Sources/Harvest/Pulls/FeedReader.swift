import HTTP
import Machine
import Posts
import Services
import Storage
import Synchronization

/// Asks the source for the pages of one run. No page that comes is thrown away: one that has no place in the pull, such as
/// a probe or what a server sent in place of another page, is stored aside.
struct FeedReader: Sendable {
  let feed: Feed
  let source: any Source
  let store: Store
  let time: TimeSource
  let queue: BlockingExecutor
  /// Whether the posts' pictures are fetched, and which files.
  let pictures: Bool
  let limits: FileLimits
  private let aside = Aside()

  init(
    feed: Feed, source: any Source, store: Store, time: TimeSource, queue: BlockingExecutor, pictures: Bool,
    limits: FileLimits
  ) {
    (self.feed, self.source, self.store) = (feed, source, store)
    (self.time, self.queue, self.pictures, self.limits) = (time, queue, pictures, limits)
  }

  /// The page after a cursor, for a place in the pull.
  func page(after cursor: Cursor?, size: Int?, since visit: Visit?) async throws -> Page {
    try await expectInPlace(try await source.page(of: feed, after: cursor, size: size, since: visit))
  }

  /// The page above an id, for a place in the pull; nil if the source only reads down.
  func page(above id: String, size: Int?) async throws -> Page? {
    guard let page = try await source.page(of: feed, above: id, size: size) else { return nil }
    return try await expectInPlace(page)
  }

  /// The page after a cursor, of which only the items are asked for. They are stored.
  func probe(after cursor: Cursor?, size: Int?) async throws -> [PageItem] {
    let page = try await page(after: cursor, size: size, since: nil)
    try await keep(page)
    return page.items
  }

  /// Stores a page that has no place in the pull.
  func keep(_ page: Page) async throws { try await keep(page.items) }

  private func keep(_ items: [PageItem]) async throws {
    guard !items.isEmpty else { return }
    let saved = try await queue.run { [feed, store, time, pictures, limits] in
      try store.saveAside(items, of: feed, pictures: pictures, limits: limits, now: time.now())
    }
    aside.saved.withLock { $0.append(saved) }
  }

  /// Runs what stands between a page's answer and its place in the pull. If it fails, the page is stored aside.
  func keeping<Value>(_ page: Page, _ work: () async throws -> Value) async throws -> Value {
    do { return try await work() } catch {
      // A library that cannot be written says so by the first error.
      try? await keep(page)
      throw error
    }
  }

  /// Removes and returns what was stored aside since the last call.
  func consumeAside() -> [Saved] {
    aside.saved.withLock { saved in
      defer { saved = [] }
      return saved
    }
  }

  private func expectInPlace(_ page: Page) async throws -> Page {
    try await keep(page.aside)
    guard case .astray(let reason) = page.next else { return page }
    throw SourceError.unreadable(feed.server, reason: reason)
  }

  private final class Aside: Sendable {
    let saved = Mutex<[Saved]>([])
  }
}
