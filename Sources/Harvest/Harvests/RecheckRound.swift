import FoundationEssentials
import HTTP
import Machine
import Posts
import Storage

/// Rechecks due posts, feed by feed, within a harvest's bounds.
public struct RecheckRound: Sendable {
  /// Maximum number of posts that a harvest looks up.
  public static let mostPosts = 200
  /// How long, in seconds, a harvest looks up posts.
  static let longest: TimeInterval = 600

  private let store: Store
  private let time: TimeSource
  private let recheck: @Sendable (Feed) async throws -> FeedRecheck
  private let queue = BlockingExecutor("recheck round")

  /// Creates a round; `recheck` creates the recheck of a feed, with the person's login there.
  public init(store: Store, time: TimeSource, recheck: @escaping @Sendable (Feed) async throws -> FeedRecheck) {
    self.store = store
    self.time = time
    self.recheck = recheck
  }

  /// Looks up posts at the first of these feeds that brought them. Posts of a failing server or feed wait a day. Throws
  /// only if the library fails.
  public func run(among feeds: [Feed], except troubled: Set<Server>) async throws -> [RecheckReport] {
    let due = try await queue.run { [store, time] in
      try store.duePosts(among: feeds, limit: Self.mostPosts, now: time.now())
    }
    let end = time.now().addingTimeInterval(Self.longest)
    var reports: [RecheckReport] = []
    for (feed, posts) in due {
      if Task.isCancelled || time.now() >= end { break }
      guard !troubled.contains(feed.server) else {
        try await postpone(posts)
        continue
      }
      do {
        reports.append(try await recheck(feed).run(feed, .due(posts, until: end)) { _ in })
      } catch {
        reports.append(RecheckReport(summary: RecheckSummary(feed: feed.name), failure: error))
        try await postpone(posts)
      }
    }
    return reports
  }

  private func postpone(_ posts: [KnownPost]) async throws {
    try await queue.run { [store, time] in
      try store.postpone(posts, to: time.now().addingTimeInterval(FeedRecheck.delay))
    }
  }
}
