import Foundation
import HTTP
import Posts
import PropertyTesting
import Services
import Storage
import Testing

@testable import Harvest
@testable import ScriptedOrigin

/// Days of one feed and a cron job: simulated time, real requests, a real library.
struct RandomSessions {
  /// A temporary behaviour of a server.
  struct Spell {
    let from: TimeInterval
    let length: TimeInterval
    let kind: Trouble.Kind
  }

  /// When each post arrives, in seconds from the beginning, in order.
  let arrivals: [TimeInterval]
  let spells: [Spell]
  let days: Int
  /// When somebody logged in again, in seconds from the beginning.
  var login: TimeInterval?

  /// Posts with a daily pattern: most in the afternoon, few at night, and `bursts` times a hundred at once.
  static func arrivals(days: Int, aDay count: Int, bursts: Int, of posts: Int = 100, dice: inout Dice) -> [TimeInterval]
  {
    var times: [TimeInterval] = []
    for day in 0..<days {
      for _ in 0..<count {
        // The mean of four random numbers: a peak about the middle of the day.
        let hour = (0..<4).map { _ in Double(dice.below(2400)) / 100 }.reduce(0, +) / 4
        times.append((Double(day) * 24 + hour) * 3600)
      }
    }
    for _ in 0..<bursts {
      let start = Double(dice.below(days * 86_400))
      times += (0..<posts).map { _ in start + Double(dice.below(1800)) }
    }
    return times.sorted().filter { $0 < Double(days) * 86_400 - 7200 }
  }

  /// The results of all days.
  struct Harvested {
    var pulls = 0
    var pages = 0
    /// The fewest requests that could have returned all new posts of each pull.
    var least = 0
    var failed = 0
    var longestPause: TimeInterval = 0
  }

  /// Pulls the feed if due, every quarter of an hour, and once more at the end.
  func live(
    _ feed: Feed, on library: TestLibrary, page: Int, turn: TimeInterval = 900, every: Duration? = nil,
    source: @escaping @Sendable () -> any Source, serve: (Int, Trouble.Kind?) -> Void
  ) async throws -> Harvested {
    let time = library.clock.timekeeper
    try library.store.follow(FollowPlan(now: noon).follow(feed, every: every, before: nil), now: noon)
    var (harvested, seen, last) = (Harvested(), 0, noon)
    for tick in 0...Int(Double(days) * 86_400 / turn) {
      let moment = Double(tick) * turn
      library.clock.pass(max(0, noon.addingTimeInterval(moment).timeIntervalSince(time.now())))
      let now = time.now()
      let changed = login.flatMap { $0 <= moment ? noon.addingTimeInterval($0) : nil }
      let follow = try #require(try library.store.follows().first)
      guard FollowPlan(now: now, accountsChangedAt: changed).isDue(follow) || moment >= Double(days) * 86_400 else {
        continue
      }
      let arrived = arrivals.prefix { $0 <= now.timeIntervalSince(noon) }.count
      let spell = spells.first { $0.from <= moment && moment < $0.from + $0.length }
      serve(arrived, spell?.kind)
      let report = try await harvest(
        HarvestTask(feed, follow: follow), on: library, source: source, accountsChangedAt: changed)
      guard let entry = report.entries.first, entry.failure == nil else {
        harvested.failed += 1
        continue
      }
      harvested.pulls += 1
      harvested.pages += entry.summary.pages
      harvested.least += max(1, (arrived - seen + page - 1) / page)
      harvested.longestPause = max(harvested.longestPause, time.now().timeIntervalSince(last))
      (seen, last) = (arrived, time.now())
    }
    return harvested
  }

  private func harvest(
    _ task: HarvestTask, on library: TestLibrary, source: @escaping @Sendable () -> any Source, accountsChangedAt: Date?
  ) async throws -> HarvestReport {
    let run = try library.store.beginRun(of: 1, process: 1, now: library.clock.timekeeper.now())
    let report = await library.harvester(accountsChangedAt: accountsChangedAt) { _ in source() }
      .run([task], plan: PullPlan(.harvest, pages: nil, pictures: false, avatars: false), as: run) { _ in }
    try library.store.finishRun(
      run, as: .done, code: 0, requests: 0, bytes: 0, waited: .zero, now: library.clock.timekeeper.now())
    return report
  }
}

extension TestLibrary {
  /// A harvester into this library.
  func harvester(
    accountsChangedAt: Date? = nil, source: @escaping @Sendable (Feed) throws -> any Source
  ) -> Harvester {
    let (store, blobs, transport, time) = (store, blobs, transport, clock.timekeeper)
    let fetcher: @Sendable () -> PictureFetcher = {
      PictureFetcher(transport: transport, blobs: blobs, store: store, time: time)
    }
    let pictures = PicturePull(
      store: store, pictures: fetcher(), lock: PictureLock(library: folder), time: time)
    return Harvester(store: store, pictures: pictures, time: time, accountsChangedAt: accountsChangedAt) { feed in
      FeedPull(source: try source(feed), store: store, pictures: fetcher(), time: time, requests: { 0 })
    }
  }
}
