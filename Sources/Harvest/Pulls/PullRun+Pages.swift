import Posts
import Storage
import Synchronization

// Handles the pages of a run: stores them, counts them, and queues their pictures.

extension PullRun {
  /// Stores a page. Its items are released as they are written, because a page may be a very long feed: so nothing else may
  /// retain them.
  func save(_ page: consuming Page, in pull: Pull) async throws -> Saved {
    let (plan, handed) = (plan, Handed(page))
    return try await inStore {
      try $0.save(
        handed.page.withLock { $0.moveItemsOut() }, in: pull, pictures: plan.pictures, limits: plan.limits, now: $1)
    }
  }

  /// Counts a stored page and queues its pictures.
  mutating func count(_ saved: Saved, of page: PageOutline) async throws {
    declared.add(page.declared)
    if plan.fetches {
      await send(for: try await inStore { [plan] in try plan.tasks(for: saved.posts, in: $0, now: $1) })
      await send(for: try await replaced(saved.revised, declared: page.declared))
    }
    leftOut += saved.leftOut
    summary.pages += 1
    summary.posts.add(saved)
    summary.posts.misdated += page.misdated
    observation.pass(page, arrived: saved.arrived)
    onEvent(.page(number: summary.pages, posts: page.items))
    if page.misdated > 0 { onEvent(.misdated(posts: page.misdated)) }
    guard page.shortened > 0 else { return }
    summary.posts.shortened = (summary.posts.shortened ?? 0) + page.shortened
    onEvent(.shortened(posts: page.shortened))
  }

  /// The files of revised items behind whose addresses there are other bytes, as their servers say. A file whose declared
  /// length is that of the stored bytes is not asked for.
  private func replaced(_ revised: [Int64], declared: [DeclaredLengths.Address: Int]) async throws -> [PictureTask] {
    guard plan.pictures, !revised.isEmpty else { return [] }
    var tasks: [PictureTask] = []
    var silent: Set<String?> = []
    for file in try await inStore({ store, _ in try store.knownFiles(ofPosts: revised, most: Self.mostAsked) })
    where file.task.urls.first.flatMap({ declared[DeclaredLengths.Address($0)] }) != file.byteCount {
      // The next revision asks again.
      if isLate { break }
      let server = file.task.urls.first.flatMap { Server($0)?.host }
      if silent.contains(server) { continue }
      let isReplaced = await pictures.isReplaced(file)
      if isReplaced == nil { silent.insert(server) }
      if isReplaced == true { tasks.append(file.task) }
    }
    return tasks
  }

  /// The most files of a page of which a server is asked whether they are the stored ones.
  private static let mostAsked = 100

  /// Counts what pages beside the pull's own changed, and queues their pictures. They belong to no page of the pull, so what
  /// they showed again counts for nothing.
  mutating func countAside() async throws {
    for saved in reader.consumeAside() {
      await send(for: try await inStore { [plan] store, now in try plan.tasks(for: saved.posts, in: store, now: now) })
      leftOut += saved.leftOut
      summary.posts.new += saved.new
      summary.posts.updated += saved.updated
    }
  }

  /// Queues the files of the feed's newest posts, if only theirs are wanted. Which those are is known when the pages are
  /// read.
  mutating func takeNewest() async throws {
    guard plan.pictures, plan.limits.newestBound != nil else { return }
    let newest = try await inStore { [feed, plan] in try $0.takeNewest(of: feed, within: plan.limits, now: $1) }
    leftOut -= newest.taken
    await send(for: try await inStore { [plan] in try plan.tasks(for: newest.posts, in: $0, now: $1) })
  }

  /// Queues pictures left by earlier pulls of this feed, and failed ones if the plan retries them.
  mutating func fetchLeft() async throws {
    // A harvest does so for all feeds at once.
    guard plan.scope != .harvest else { return }
    await send(for: try await inStore { [feed, plan] in try plan.tasks(missingOf: feed, in: $0, now: $1) })
  }

  /// Number of missing pictures of the feed.
  func missing() async -> Int {
    (try? await inStore { [feed] in try $0.countOfMissingPictures(of: feed, now: $1) }) ?? 0
  }

  private mutating func send(for tasks: [PictureTask]) async {
    await weigh(tasks)
    pictures.expect(tasks)
    for task in tasks { found.yield(task) }
  }

  /// Asks before files begin that would take more than a pull takes, if the feed declares so. If nobody can be asked, or says
  /// no, those past the bound wait.
  private mutating func weigh(_ tasks: [PictureTask]) async {
    guard plan.limits.maxTotal == nil, let most = pictures.total.bound, !declared.isTold else { return }
    for task in tasks { declared.count(task) }
    guard declared.bytes > most else { return }
    declared.isTold = true
    onEvent(.declared(bytes: declared.bytes, most: most))
    if await mayExceed(declared.bytes, most) { pictures.total.lift() }
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
