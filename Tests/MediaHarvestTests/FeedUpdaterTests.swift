import Foundation
import MediaHarvest
import Testing

@testable import ScriptedOrigin

/// Counts calls, and stops after a number of refreshes.
private final class Recorder: FeedUpdaterDelegate {
  private(set) var calls: [String] = []
  private let most: Int

  init(most: Int) { self.most = most }

  func willRefresh(_ feed: Feed) { calls.append("will \(feed.value)") }

  func didRefresh(_ update: FeedUpdate) {
    calls.append("did \(update.report.summary.posts.new)")
    if calls.count >= 2 * most { withUnsafeCurrentTask { $0?.cancel() } }
  }
}

@Suite(.timeLimit(.minutes(10))) struct FeedUpdaterTests {
  private static let half = Duration.seconds(1800)

  @Test func `each refresh brings what is new, when the clock says that it is due`() async throws {
    try await withOrigin(.plain(20)) { origin in
      let home = try Home()
      let updater = home.session.updater(of: origin.cats, every: Self.half)
      #expect(try await updater.nextRefresh == noon)
      let updates = updater.updates().makeAsyncIterator()
      let first = try #require(try await updates.next())
      #expect((first.report.summary.posts.new, first.endedAt) == (20, noon))
      #expect(first.nextRefresh == noon + 1800)
      #expect(try await updater.nextRefresh == noon + 1800)
      origin.change { $0.posts = Script.plain(23).posts }
      let second = try #require(try await updates.next())
      #expect((second.report.summary.posts.new, second.endedAt) == (3, noon + 1800))
      #expect(second.nextRefresh == noon + 3600)
      #expect(try home.captions.count == 23)
    }
  }

  @Test func `a failure is an update, and the next one comes all the same`() async throws {
    try await withOrigin(.plain(20)) { origin in
      let home = try Home()
      origin.change { $0.troubles = [.every("/api", .status(404))] }
      let updates = home.session.updater(of: origin.cats, every: Self.half).updates().makeAsyncIterator()
      let failed = try #require(try await updates.next())
      #expect(failed.report.failure != nil)
      #expect(try #require(failed.nextRefresh) > home.clock.now)
      origin.change { $0.troubles = [] }
      let next = try #require(try await updates.next())
      #expect(next.report.failure == nil && next.report.summary.posts.new == 20)
    }
  }

  @Test func `a server that asks for a pause gets no request before its end`() async throws {
    try await withOrigin(.plain(20)) { origin in
      let home = try Home()
      let limit = Trouble.Kind.status(429, headers: ["Retry-After": "7200"])
      origin.change { $0.troubles = [.every("/api", limit)] }
      let updater = home.session.updater(of: origin.cats, every: Self.half)
      let limited = await updater.refresh()
      #expect(try #require(limited.nextRefresh) >= noon + 7200)
      let count = origin.requests.count
      #expect(await updater.refresh().report.failure != nil)
      #expect(origin.requests.count == count)
      origin.change { $0.troubles = [] }
      let next = try #require(try await updater.updates().makeAsyncIterator().next())
      #expect(next.report.summary.posts.new == 20 && next.endedAt >= noon + 7200)
    }
  }

  @Test func `the updates end when the server says that the feed is gone for good`() async throws {
    try await withOrigin(.plain(20)) { origin in
      let home = try Home()
      origin.change { $0.troubles = [.every("/feed.xml", .gone)] }
      let feed = Feed(source: .feed, kind: .url, value: "\(origin.url)/feed.xml", server: origin.server)
      let updater = home.session.updater(of: feed)
      let updates = updater.updates().makeAsyncIterator()
      let last = try #require(try await updates.next())
      #expect(last.report.failure != nil && last.nextRefresh == nil)
      #expect(try await updates.next() == nil)
    }
  }

  @Test func `the updates end when their reader is cancelled`() async throws {
    try await withOrigin(.plain(20)) { origin in
      let home = try Home()
      let reader = Task {
        try await home.session.updater(of: origin.cats, every: Self.half).updates().reduce(0) { count, _ in
          withUnsafeCurrentTask { $0?.cancel() }
          return count + 1
        }
      }
      #expect(try await reader.value == 1)
    }
  }

  @Test func `a followed feed keeps one schedule for harvests and updaters`() async throws {
    try await withOrigin(.plain(20)) { origin in
      let home = try Home()
      let store = home.session.library.store
      let schedule = Follow.Schedule(interval: .seconds(7200), dueAt: noon + 600)
      try store.follow(Follow(feed: origin.cats, every: .seconds(7200), schedule: schedule), now: noon)
      let updater = home.session.updater(of: origin.cats, every: Self.half)
      #expect(try await updater.nextRefresh == noon + 600)
      let update = try #require(try await updater.updates().makeAsyncIterator().next())
      #expect(update.endedAt == noon + 600 && update.nextRefresh == noon + 600 + 7200)
      #expect(try store.follow(of: origin.cats)?.schedule.dueAt == noon + 600 + 7200)
      #expect(try store.follow(of: origin.cats)?.schedule.pulledAt == noon + 600)
    }
  }

  @Test func `a delegate hears of each refresh before and after it`() async throws {
    try await withOrigin(.plain(20)) { origin in
      let home = try Home()
      let recorder = Recorder(most: 2)
      let task = Task { [recorder] in
        try await home.session.updater(of: origin.cats, every: Self.half).run(for: recorder)
        return recorder.calls
      }
      #expect(try await task.value == ["will cats", "did 20", "will cats", "did 0"])
    }
  }
}
