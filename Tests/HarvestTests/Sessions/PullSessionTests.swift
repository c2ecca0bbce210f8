import Foundation
import Posts
import PropertyTesting
import Services
import Testing

@testable import Harvest

/// Sessions of pulls with a known truth.
@Suite(.timeLimit(.minutes(60))) struct PullSessionTests {
  /// Posts appear on top and below, some dated a day earlier, and vanish, also those at which pulls continue; pulls of
  /// every kind and length die anywhere. No unread post is claimed, no page that came is thrown away, and every known gap
  /// can be filled.
  @Test(arguments: PropertyTest.seeds(sample: 40, whole: 3000))
  func `with any dates and cursors, gaps are filled, and coverage claims only what was read`(
    seed: UInt64
  ) async throws {
    var session = try PullSession(seed: seed)
    var dice = Dice(state: seed &+ 1)
    for _ in 0..<(2 + dice.below(8)) {
      await session.turn()
      let claims = try session.falseClaims()
      try #require(claims.isEmpty, "\(session.text)\nclaimed \(claims)")
      let lost = try session.thrownAway()
      try #require(lost.isEmpty, "\(session.text)\nthrown away \(lost)")
    }
    // A feed that shows nothing does not show where it ends.
    session.arrive(3)
    let filled = await session.pull(.gaps)
    #expect(filled.failure == nil && filled.summary.complete, "\(session.text)")
    #expect(try session.library.store.gaps().isEmpty, "\(session.text)")
    #expect(try session.intervals.count <= 1, "\(session.text)")
    #expect(try session.falseClaims().isEmpty, "\(session.text)")
    let all = await session.pull(.all)
    #expect(all.failure == nil && all.summary.complete, "\(session.text)")
    #expect(session.missing(toTheEnd: true).isEmpty, "\(session.text)")
    // Vanished posts cost one more request for each way that leads nowhere.
    let most = session.hasDeletions ? session.least * 3 + 5 : session.least * 6 / 5 + 1
    #expect(session.requests <= most, "\(session.requests) for \(session.least), \(session.text)")
  }

  /// The minimum is a full page per request for learnt posts, and one more request per pull.
  @Test func `many sessions ask little more than they must`() async throws {
    var (asked, least) = ([0, 0], [0, 0])
    for seed in PropertyTest.seeds(sample: 40, whole: 730) {
      var session = try PullSession(seed: seed)
      var dice = Dice(state: seed &+ 1)
      for _ in 0..<(2 + dice.below(8)) { await session.turn() }
      session.arrive(3)
      for scope: PullPlan.Scope in [.gaps, .all] { _ = await session.pull(scope) }
      asked[session.hasDeletions ? 1 : 0] += session.requests
      least[session.hasDeletions ? 1 : 0] += session.least
    }
    #expect(asked[0] * 10 <= least[0] * 12 && asked[1] * 10 <= least[1] * 12, "\(asked) for \(least)")
  }

  private static let feed = Feed(source: .mastodon, kind: .tag, value: "cats", server: Server("https://a.example")!)

  private func entries(_ keys: any Sequence<Int>) -> [TruthfulServer.Entry] {
    keys.map { TruthfulServer.Entry(key: $0, date: noon.addingTimeInterval(Double($0 - 30_000) * 60)) }
  }

  private func plan(_ scope: PullPlan.Scope, pages: Int? = nil) -> PullPlan {
    PullPlan(scope, pages: pages, pageSize: 20, pictures: false, avatars: false)
  }

  /// A library with a number of separate pages of a feed, the oldest first.
  private func pulled(pages: Int, of server: TruthfulServer) async throws -> TestLibrary {
    let library = try TestLibrary()
    for page in 0..<pages {
      server.add(entries(page * 50 + 1...page * 50 + 50))
      _ = await library.pull(Self.feed, from: server, plan(.newest, pages: 1))
    }
    return library
  }

  @Test func `a gap stays open while the server shows nothing of the feed, and is filled when it does again`()
    async throws
  {
    let server = TruthfulServer(expiry: .compares, upwards: .none, largestPage: 20)
    let library = try TestLibrary()
    server.add(entries(1...20))
    _ = await library.pull(Self.feed, from: server, plan(.newest, pages: 1))
    // One post above the gap is dated before all that lies below it: by the dates it may have been passed.
    server.add(entries(Array(21...42) + Array(44...60)))
    server.add([TruthfulServer.Entry(key: 43, date: noon.addingTimeInterval(-86_400_000))])
    _ = await library.pull(Self.feed, from: server, plan(.newest, pages: 1))
    server.showNothing(true)
    _ = await library.pull(Self.feed, from: server, plan(.gaps))
    #expect(try library.store.gaps().count == 1)
    server.showNothing(false)
    let report = await library.pull(Self.feed, from: server, plan(.gaps))
    #expect(report.failure == nil && report.summary.complete)
    #expect(try library.posts.count == 60)
  }

  @Test func `an old newest page closes no gap of posts that the server still shows`() async throws {
    let server = TruthfulServer(expiry: .refuses, upwards: .none, largestPage: 20)
    let library = try await pulled(pages: 2, of: server)
    server.keepNewestPage(true)
    server.add(entries(101...150))
    let today = TruthfulServer(expiry: .refuses, upwards: .none, largestPage: 20)
    today.add(server.entries)
    _ = await library.pull(Self.feed, from: today, plan(.newest, pages: 1))
    // Those by which a pull goes on are gone, so that only the way from the top is left.
    server.remove([131, 132, 134, 140, 150])
    let gap = try #require(try library.store.gaps().first)
    _ = await library.pull(Self.feed, from: server, plan(.gap(gap)))
    #expect(try library.store.isOpen(gap))
    server.keepNewestPage(false)
    let report = await library.pull(Self.feed, from: server, plan(.gaps))
    #expect(report.failure == nil && report.summary.complete)
    #expect(try library.posts.count == 120)
  }

  @Test func `parts that lead nowhere do not keep a pull from the rest, however many they are`() async throws {
    let server = TruthfulServer(expiry: .refuses, upwards: .none, largestPage: 20)
    let library = try await pulled(pages: 8, of: server)
    server.spoil(Set(stride(from: 380, to: 130, by: -50)))
    let report = await library.pull(Self.feed, from: server, plan(.gaps))
    #expect(report.failure != nil)
    #expect(try library.store.gaps().count == 5)
  }

  @Test func `a harvest begins no pull anew at the top whose way down is lost, and a person does`() async throws {
    let server = TruthfulServer(expiry: .refuses, upwards: .none, largestPage: 20)
    let library = try TestLibrary()
    server.add(entries(1...100))
    server.die(after: 3)
    _ = await library.pull(Self.feed, from: server, plan(.newest, pages: 4))
    server.die(after: nil)
    // Those by which the pull goes on.
    server.remove([61, 62, 64, 70, 88, 100])
    server.add(entries(101...200))
    _ = await library.pull(Self.feed, from: server, plan(.newest, pages: 1))
    let harvest = await library.pull(Self.feed, from: server, plan(.harvest))
    #expect(harvest.failure as? PullError == .lost(feed: Self.feed.name))
    #expect(try library.store.gaps().map(\.kind) == [.unfinished])
    let person = await library.pull(Self.feed, from: server, plan(.gaps))
    #expect(person.failure == nil && person.summary.complete)
    #expect(try library.store.gaps().isEmpty)
  }

  @Test func `a pull without a cursor goes on below what is known, not with the newest posts`() async throws {
    let server = TruthfulServer(expiry: .compares, upwards: .none, largestPage: 20)
    let library = try TestLibrary()
    server.add(entries(1...60))
    _ = await library.pull(Self.feed, from: server, plan(.newest, pages: 1))
    try library.store.note(api: "another", other: true, of: Self.feed)
    server.die(after: 1)
    _ = await library.pull(Self.feed, from: server, plan(.rest, pages: 2))
    server.die(after: nil)
    server.add(entries(61...120))
    _ = server.consumeRequests()
    let report = await library.pull(Self.feed, from: server, plan(.gaps))
    #expect(report.failure == nil && report.summary.complete)
    #expect(server.consumeRequests() == ["below 41", "below 21"])
    let intervals = try library.rows("SELECT newest, oldest FROM coverage")
    #expect(intervals.map { $0.contains("-60|") && $0.hasSuffix("-1") } == [true])
  }
}
