import Posts
import Services
import Storage
import Synchronization

// What a run does with a page: it is stored and counted, and its pictures are sent for.

extension PullRun {
  /// Stores a page. Its items go as they are written, for a feed may be one page of very many: so nobody else holds them
  /// meanwhile.
  func save(_ page: consuming Page, in pull: Pull) async throws -> Saved {
    let (pictures, handed) = (plan.pictures, Handed(page))
    return try await inStore {
      try $0.save(handed.page.withLock { $0.handOver() }, in: pull, pictures: pictures, now: $1)
    }
  }

  /// Counts a stored page and sends for its pictures.
  mutating func count(_ saved: Saved, of page: PageOutline) async throws {
    let (tasks, waiting) = try await inStore { [plan] store, now in
      let isLeft = plan.pictures && !plan.retryFailed
      return (
        try plan.tasks(for: saved.posts, in: store, now: now),
        isLeft ? try store.waitingPictures(ofPosts: saved.posts, now: now) : 0
      )
    }
    send(for: tasks)
    summary.pages += 1
    summary.posts.add(saved)
    sight.pass(page, arrived: saved.arrived)
    summary.media.waiting += waiting
    onEvent(.page(number: summary.pages, posts: page.items))
    if page.misdated > 0 { onEvent(.misdated(posts: page.misdated)) }
  }

  /// Sends for what an interrupted pull of this feed has left.
  func fetchLeft() async throws {
    let tasks = try await inStore { [feed, plan] store, _ in
      let pictures = plan.pictures ? try store.leftPictures(of: feed) : []
      return pictures + (plan.avatars && [.rest, .gaps].contains(plan.scope) ? try store.leftAvatars(of: feed) : [])
    }
    send(for: tasks)
  }

  private func send(for tasks: [PictureTask]) {
    pictures.expect(tasks)
    for task in tasks { found.yield(task) }
  }
}

/// A page on its way to the store's thread.
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
