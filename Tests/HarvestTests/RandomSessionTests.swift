import Foundation
import HTTP
import Machine
import Posts
import PropertyTesting
import ScriptedOrigin
import Services
import Storage
import Testing

@testable import Harvest

/// Weeks of harvests, in seconds.
@Suite(.timeLimit(.minutes(20))) struct RandomSessionTests {
  private static let path = "/api/v1/timelines"

  @Test(arguments: PropertyTest.seeds(sample: 1, whole: 40))
  func `after thirty days of bursts, outages, refused logins and limits nothing is missing, and little was asked twice`(
    seed: UInt64
  ) async throws {
    var dice = Dice(state: seed)
    var season = RandomSessions(
      arrivals: RandomSessions.arrivals(days: 30, aDay: 70, bursts: 6, dice: &dice),
      spells: [
        .init(from: 3 * 86_400 + Double(dice.below(80_000)), length: 7 * 3600, kind: .status(503)),
        .init(from: 9 * 86_400 + Double(dice.below(80_000)), length: 30 * 3600, kind: .closed),
        .init(from: 15 * 86_400, length: 2 * 86_400, kind: .status(401)),
        .init(from: 21 * 86_400, length: 9 * 3600, kind: .status(429, headers: ["Retry-After": "2400"])),
        .init(from: 25 * 86_400, length: 3600, kind: .html),
      ], days: 30)
    season.login = 17 * 86_400
    let (days, posts) = (season, Self.posts(season.arrivals.count))
    try await withOrigin(Script()) { origin in
      origin.change { $0.judgesWaits = false }
      let library = try TestLibrary()
      let feed = try TestLibrary.feed(origin)
      let source = MastodonSource(
        server: feed.server, token: Secret("scripted-token"), transport: library.transport,
        time: library.clock.timekeeper)
      let harvested = try await days.live(feed, on: library, page: 40, source: { source }) { count, trouble in
        origin.change { script in
          script.posts = Array(posts.suffix(count).prefix(500))
          script.troubles = trouble.map { [.every(Self.path, $0)] } ?? []
        }
      }
      #expect(try library.posts.count == posts.count, "seed \(seed)")
      #expect(try library.store.gaps(of: feed).isEmpty, "seed \(seed)")
      #expect(try library.store.follows().first?.schedule.state == .well, "seed \(seed)")
      let ratio = Double(harvested.pages) / Double(harvested.least)
      #expect(ratio <= 1.3, "seed \(seed): \(harvested)")
      #expect(harvested.failed > 5 && harvested.pulls > 100 && harvested.pulls < 1000, "seed \(seed): \(harvested)")
    }
  }

  @Test(arguments: PropertyTest.seeds(sample: 1, whole: 40))
  func `a feed that shows its newest twenty alone is looked at before they pass by`(seed: UInt64) async throws {
    var dice = Dice(state: seed &+ 1000)
    let days = RandomSessions(
      arrivals: RandomSessions.arrivals(days: 14, aDay: 60, bursts: 3, of: 8, dice: &dice),
      spells: [.init(from: 5 * 86_400, length: 2 * 3600, kind: .status(503))], days: 14)
    try await withOrigin(Script()) { origin in
      let library = try TestLibrary()
      let server = try #require(Server(origin.url))
      let feed = Feed(source: .feed, kind: .url, value: "\(origin.url)/feed", server: server)
      let source = FeedSource(
        server: server, token: nil, transport: library.transport, time: library.clock.timekeeper)
      let harvested = try await days.live(feed, on: library, page: 20, source: { source }) { count, trouble in
        origin.change { script in
          script.documents["/feed"] = Self.document(days.arrivals.prefix(count).suffix(20), before: count)
          script.troubles = trouble.map { [.every("/feed", $0)] } ?? []
        }
      }
      let first = try #require(try library.store.runs(limit: 5000).last)
      #expect(
        try library.posts.count >= days.arrivals.count - max(0, 20 - first.counts.new), "seed \(seed): \(harvested)")
      #expect(try library.store.gaps(of: feed).isEmpty, "seed \(seed)")
      #expect(harvested.pages == harvested.pulls, "seed \(seed): \(harvested)")
      #expect(harvested.pulls < 14 * 96 / 2, "seed \(seed): \(harvested)")
    }
  }

  @Test(arguments: PropertyTest.seeds(sample: 1, whole: 20))
  func `a feed that names its own pace is asked no more often, but where it would run away`(seed: UInt64) async throws {
    var dice = Dice(state: seed &+ 2000)
    let days = RandomSessions(
      arrivals: RandomSessions.arrivals(days: 14, aDay: 12, bursts: 2, of: 8, dice: &dice),
      spells: [
        .init(from: 3 * 86_400, length: 6 * 3600, kind: .status(503, headers: ["Retry-After": "21600"])),
        .init(from: 6 * 86_400, length: 6 * 3600, kind: .status(429, headers: ["Retry-After": "10800"])),
      ], days: 14)
    try await withOrigin(Script()) { origin in
      origin.change { $0.judgesWaits = false }
      let library = try TestLibrary()
      let server = try #require(Server(origin.url))
      let feed = Feed(source: .feed, kind: .url, value: "\(origin.url)/feed", server: server)
      let source = FeedSource(server: server, token: nil, transport: library.transport, time: library.clock.timekeeper)
      let harvested = try await days.live(feed, on: library, page: 20, every: .seconds(900), source: { source }) {
        count, trouble in
        origin.change { script in
          let arrived = days.arrivals.prefix(count).suffix(20)
          script.documents["/feed"] = Self.document(arrived, before: count, head: "<ttl>240</ttl>")
          script.troubles = trouble.map { [.every("/feed", $0)] } ?? []
        }
      }
      let first = try #require(try library.store.runs(limit: 5000).last)
      #expect(
        try library.posts.count >= days.arrivals.count - max(0, 20 - first.counts.new), "seed \(seed): \(harvested)")
      #expect(try library.store.gaps(of: feed).isEmpty, "seed \(seed)")
      // Without the requested delay there would be 96 requests a day; with nothing else, 6.
      #expect(harvested.pulls < 14 * 24, "seed \(seed): \(harvested)")
      #expect(harvested.failed >= 2 && harvested.failed <= 6, "seed \(seed): \(harvested)")
    }
  }

  /// Posts without pictures, newest first.
  private static func posts(_ count: Int) -> [ScriptedPost] {
    var script = Script(posts: count)
    for index in script.posts.indices { script.posts[index].attachments = [] }
    return script.posts
  }

  private static func document(
    _ times: ArraySlice<TimeInterval>, before count: Int, head: String = ""
  ) -> ScriptedDocument {
    let items = times.enumerated().reversed().map { index, time in
      let number = count - times.count + index
      return """
        <item><guid isPermaLink="false">item-\(number)</guid><description>Bird \(number)</description>
        <dc:date>\(UTC.text(noon.addingTimeInterval(time)))</dc:date></item>
        """
    }
    return ScriptedDocument(
      """
      <?xml version="1.0" encoding="utf-8"?>
      <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Birds</title>\(head)
      \(items.joined(separator: "\n"))</channel></rss>
      """, type: "application/rss+xml; charset=utf-8", entityTag: "\"\(count)\"")
  }
}
