import Posts
import Services
import Storage
import Synchronization

// Handles the pages of a run: stores them, counts them, and queues their pictures.

extension PullRun {
  /// Stores a page. Its items are released as they are written, because a page may be a very long feed: so nothing else may
  /// retain them.
  func save(_ page: consuming Page, in pull: Pull) async throws -> Saved {
    let (pictures, handed) = (plan.pictures, Handed(page))
    return try await inStore {
      try $0.save(handed.page.withLock { $0.moveItemsOut() }, in: pull, pictures: pictures, now: $1)
    }
  }

  /// Counts a stored page and queues its pictures.
  mutating func count(_ saved: Saved, of page: PageOutline) async throws {
    let tasks = try await inStore { [plan] store, now in try plan.tasks(for: saved.posts, in: store, now: now) }
    send(for: tasks)
    summary.pages += 1
    summary.posts.add(saved)
    summary.posts.misdated += page.misdated
    observation.pass(page, arrived: saved.arrived)
    onEvent(.page(number: summary.pages, posts: page.items))
    if page.misdated > 0 { onEvent(.misdated(posts: page.misdated)) }
  }

  /// Counts what pages beside the pull's own changed, and queues their pictures. They belong to no page of the pull, so what
  /// they showed again counts for nothing.
  mutating func countAside() async throws {
    for saved in reader.consumeAside() {
      send(for: try await inStore { [plan] store, now in try plan.tasks(for: saved.posts, in: store, now: now) })
      summary.posts.new += saved.new
      summary.posts.updated += saved.updated
    }
  }

  /// Queues pictures left by earlier pulls of this feed, and failed ones if the plan retries them.
  func fetchLeft() async throws {
    // A harvest does so for all feeds at once.
    guard plan.scope != .harvest else { return }
    send(for: try await inStore { [feed, plan] in try plan.tasks(missingOf: feed, in: $0, now: $1) })
  }

  /// Number of missing pictures of the feed.
  func missing() async -> Int {
    (try? await inStore { [feed] in try $0.countOfMissingPictures(of: feed, now: $1) }) ?? 0
  }

  private func send(for tasks: [PictureTask]) {
    pictures.expect(tasks)
    for task in tasks { found.yield(task) }
  }
}

/// A page on the way to the store's thread.
private final class Handed: Sendable {
  let page: Mutex<Page>

  init(_ page: consuming Page) { self.page = Mutex(page) }
}

extension PullSummary.PostCounts {
  fileprivate mutating func add(_ saved: Saved) {
    new += saved.new
    updated += saved.updated
    unchanged += saved.unchanged
    deleted += saved.deleted
    unreadable += saved.unreadable
  }
}
