import Foundation
import HTTP
import Posts
import Storage

/// What the schedule wants to be looked up by now, feed by feed, as far as a harvest has room for it.
public struct RecheckRound: Sendable {
  /// How many posts a harvest looks up at most.
  public static let mostPosts = 200
  /// How long, in seconds, it looks posts up.
  static let longest: TimeInterval = 600

  private let store: Store
  private let time: Timekeeper
  private let recheck: @Sendable (Feed) async throws -> FeedRecheck
  private let queue = BlockingQueue("recheck round")

  /// A round from its parts; `recheck` makes the looking up of a feed's posts, with the login that speaks for a person
  /// there.
  public init(store: Store, time: Timekeeper, recheck: @escaping @Sendable (Feed) async throws -> FeedRecheck) {
    self.store = store
    self.time = time
    self.recheck = recheck
  }

  /// Looks posts up at the first of these feeds that brought them. A server that is in trouble is left alone, and its
  /// posts wait a day, as those of a feed that fails do. Throws only where the library fails.
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
