import Posts
import Services
import Storage

// What a run does with a page: it is stored and counted, and its pictures are sent for.

extension PullRun {
  func save(_ page: Page, in pull: Pull) async throws -> Saved {
    let pictures = plan.pictures
    return try await inStore { try $0.save(page, in: pull, pictures: pictures, now: $1) }
  }

  /// Counts a stored page and sends for its pictures.
  mutating func count(_ saved: Saved, of page: Page) async throws {
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
    onEvent(.page(number: summary.pages, posts: page.items.count))
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

extension PullSummary.PostCounts {
  fileprivate mutating func add(_ saved: Saved) {
    new += saved.new
    updated += saved.updated
    unchanged += saved.unchanged
    deleted += saved.deleted
    unreadable += saved.unreadable
  }
}
