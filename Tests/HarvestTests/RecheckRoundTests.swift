import Foundation
import HTTP
import Posts
import ScriptedOrigin
import Services
import Storage
import Testing

@testable import Harvest

@Suite(.timeLimit(.minutes(10))) struct RecheckRoundTests {
  /// A source that looks up one post at a time, each in a fixed number of seconds.
  private struct Slow: Source {
    let inner: MastodonSource
    let clock: MadeUpClock
    let seconds: TimeInterval

    var mostLookedUp: Int? { 1 }

    func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
      try await inner.page(of: feed, after: cursor, size: size)
    }

    func lookUp(_ ids: [String]) async throws(SourceError) -> LookupResult {
      clock.pass(seconds)
      return try await inner.lookUp(ids)
    }
  }

  @Test func `posts that a slow server did not show in ten minutes wait a day, and delay no harvest`() async throws {
    try await withOrigin(Script(posts: 10)) { origin in
      let library = try TestLibrary()
      let feed = try TestLibrary.feed(origin)
      #expect(try await library.pull(origin, PullPlan(pictures: false)).summary.posts.new == 10)
      library.clock.pass(2 * 86_400)
      let (store, clock, transport) = (library.store, library.clock, library.transport)
      let time = clock.timekeeper
      let round = RecheckRound(store: store, time: time) { feed in
        let inner = MastodonSource(server: feed.server, token: nil, transport: transport, time: time)
        return FeedRecheck(
          source: Slow(inner: inner, clock: clock, seconds: 200), store: store, time: time, requests: { 0 })
      }
      let reports = try await round.run(among: [feed], except: [])
      #expect(reports.map(\.summary.lookedUp) == [3])
      #expect(reports.allSatisfy { $0.failure == nil })
      #expect(try !store.hasDuePosts(now: time.now()))
      clock.pass(86_400)
      #expect(try store.duePosts(among: [feed], limit: 99, now: time.now()).map(\.posts.count) == [7])
    }
  }
}
