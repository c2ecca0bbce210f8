import Foundation
import HTTP
import Posts
import ScriptedOrigin
import Services
import Storage
import Testing

@testable import Harvest

/// One harvest of one feed: its requests, and what stays missing.
@Suite(.timeLimit(.minutes(10))) struct FeedHarvestTests {
  private static let path = "/api/v1/timelines"
  private static let plan = PullPlan(.harvest, pages: nil, pictures: false, avatars: false)

  /// An origin that shows only its oldest posts, and a library that has harvested it once.
  private func withHarvested(
    _ known: Int, of count: Int, _ edit: @Sendable (inout Script) -> Void = { _ in },
    _ body: @Sendable (Origin, TestLibrary, [ScriptedPost]) async throws -> Void
  ) async throws {
    var script = Script(posts: count)
    for index in script.posts.indices { script.posts[index].attachments = [] }
    let posts = script.posts
    script.posts = posts.suffix(known)
    edit(&script)
    try await withOrigin(script) { [script] origin in
      _ = script
      let library = try TestLibrary()
      let first = try await harvest(origin, library)
      #expect(first.failure == nil)
      try await body(origin, library, posts)
    }
  }

  private func harvest(_ origin: Origin, _ library: TestLibrary) async throws -> PullReport {
    try await library.pull(origin, Self.plan)
  }

  /// The requests after the first `count`, by their cursors.
  private func asked(_ origin: Origin, after count: Int) -> [String] {
    origin.requests(to: Self.path).dropFirst(count).map { request in
      request.parameter("min_id").map { "above \($0)" } ?? request.parameter("max_id").map { "below \($0)" } ?? "top"
    }
  }

  @Test func `a feed that is looked at once a day, each time deeper, still shows what is new`() async throws {
    try await withOrigin(Script(posts: 100)) { origin in
      let library = try TestLibrary()
      let all = origin.script.posts
      let feed = try TestLibrary.feed(origin)
      let plan = PullPlan(.harvest, pages: nil, pictures: false, avatars: false)
      // The newest come one a day, then a whole page of them.
      for count in [45, 85, 86, 87, 100] {
        origin.change { $0.posts = Array(all.suffix(count)) }
        let before = origin.requests.count
        #expect(try await library.pull(origin, plan).failure == nil)
        #expect(try library.posts.count >= min(count, 40) + max(0, count - 45), "\(count)")
        if count > 85, count < 90 { #expect(origin.requests.count == before + 1) }
        library.clock.pass(86_401)
      }
      #expect(try library.store.gaps(of: feed).isEmpty)
    }
  }

  @Test func `the first harvest reads the newest page, and it is complete`() async throws {
    try await withHarvested(100, of: 100) { origin, library, _ in
      let habit = try library.store.pollingStatistics(of: try TestLibrary.feed(origin))
      #expect(asked(origin, after: 0) == ["top"])
      #expect(try library.posts.count == 40)
      #expect(try library.store.gaps().isEmpty)
      #expect(habit == PollingStatistics(largestPage: 40, deepAt: noon))
    }
  }

  @Test func `a harvest without news makes one request, half a page below the top`() async throws {
    try await withHarvested(100, of: 100) { origin, library, posts in
      for _ in 0..<3 {
        let report = try await harvest(origin, library)
        #expect((report.summary.complete, report.summary.posts.new, report.summary.requests) == (true, 0, 1))
      }
      #expect(asked(origin, after: 1) == Array(repeating: "above \(posts[20].id)", count: 3))
    }
  }

  @Test(arguments: [1, 19, 20, 38, 150])
  func `new items are read from below, and no gap opens`(new: Int) async throws {
    try await withHarvested(60, of: 60 + new) { origin, library, posts in
      origin.change { $0.posts = posts }
      let report = try await harvest(origin, library)
      #expect((report.summary.posts.new, report.summary.complete) == (new, true))
      #expect(try library.store.gaps().isEmpty)
      #expect(asked(origin, after: 1).allSatisfy { $0.hasPrefix("above") })
      #expect(report.summary.requests <= (new + 20) / 37 + 1, "\(report.summary.requests)")
    }
  }

  @Test func `a climb that is cut short leaves no gap, and the next one goes on`() async throws {
    try await withHarvested(60, of: 200) { origin, library, posts in
      origin.change {
        $0.posts = posts
        $0.troubles = [.nth(3, Self.path, .html)]
      }
      let cut = try await harvest(origin, library)
      #expect(cut.failure != nil && cut.head == nil)
      #expect(try library.store.gaps().isEmpty)
      origin.change { $0.troubles = [] }
      #expect(try await harvest(origin, library).summary.complete)
      #expect(try library.posts.count == 180)
    }
  }

  @Test func `a server that always gives its newest posts is read downwards if reading upwards fails`()
    async throws
  {
    try await withHarvested(60, of: 260, { $0.minIDGivesNewest = true }) { origin, library, posts in
      origin.change { $0.posts = posts }
      let report = try await harvest(origin, library)
      #expect((report.failure == nil, report.summary.complete) == (true, true))
      #expect(try library.posts.count == 240)
      #expect(try await harvest(origin, library).summary.requests == 1)
    }
  }

  @Test func `a server of small pages is climbed all the same`() async throws {
    try await withHarvested(60, of: 130, { $0.largestPage = 20 }) { origin, library, posts in
      origin.change { $0.posts = posts }
      let report = try await harvest(origin, library)
      #expect((report.summary.posts.new, report.summary.complete) == (70, true))
    }
  }

  @Test func `posts that are gone from the top cost no more requests`() async throws {
    try await withHarvested(100, of: 100) { origin, library, posts in
      origin.change { $0.posts = Array(posts.dropFirst(2)) }
      #expect(try await harvest(origin, library).summary.requests == 1)
      origin.change { $0.posts = [] }
      let emptied = try await harvest(origin, library)
      #expect((emptied.failure == nil, emptied.summary.requests) == (true, 2))
    }
  }

  @Test func `once a day a harvest reads a page deeper`() async throws {
    try await withHarvested(200, of: 200) { origin, library, posts in
      _ = try await library.pull(origin, PullPlan(pages: 5, pictures: false, avatars: false))
      let before = origin.requests(to: Self.path).count
      for pause in [3600.0, 86_400, 3600] {
        library.clock.pass(pause)
        _ = try await harvest(origin, library)
      }
      #expect(asked(origin, after: before) == [20, 30, 20].map { "above \(posts[$0].id)" })
    }
  }

  @Test func `the deep pull finds late posts, and they set the depth of the next one`() async throws {
    var script = Script(posts: 200)
    for index in script.posts.indices { script.posts[index].attachments = [] }
    let posts = script.posts
    script.posts.remove(at: 30)
    try await withOrigin(script) { origin in
      let library = try TestLibrary()
      _ = try await library.pull(origin, PullPlan(pages: 5, pictures: false, avatars: false))
      _ = try await harvest(origin, library)
      origin.change { $0.posts = posts }
      #expect(try await harvest(origin, library).summary.posts.new == 0)
      library.clock.pass(86_400)
      #expect(try await harvest(origin, library).summary.posts.new == 1)
      #expect(asked(origin, after: 7).first == "above \(posts[31].id)")
      let age = try #require(try library.store.lateness(of: try TestLibrary.feed(origin)))
      let written = Date(timeIntervalSince1970: TimeInterval(posts[30].createdAt))
      #expect(abs(age - noon.addingTimeInterval(86_400).timeIntervalSince(written)) < 10)
      #expect(try library.store.gaps().isEmpty)
      let before = origin.requests(to: Self.path).count
      library.clock.pass(86_400)
      _ = try await harvest(origin, library)
      // Thirty posts and those a day newer, then most of a page.
      #expect(asked(origin, after: before).first == "above \(posts[30].id)")
    }
  }

  @Test func `gaps are filled as far as a harvest goes, and the next one goes on`() async throws {
    try await withHarvested(60, of: 1300) { origin, library, posts in
      origin.change { $0.posts = posts }
      _ = try await library.pull(origin, PullPlan(pictures: false, avatars: false))
      #expect(try library.store.gaps().count == 1)
      let first = try await harvest(origin, library)
      #expect((first.summary.complete, first.summary.pages) == (false, 1 + PullRun.mostMissingPages))
      let second = try await harvest(origin, library)
      #expect((second.summary.complete, try library.posts.count) == (true, 1280))
    }
  }

  @Test func `an unfinished pull is finished by a harvest`() async throws {
    var script = Script(posts: 200, troubles: [.nth(3, Self.path, .html)])
    for index in script.posts.indices { script.posts[index].attachments = [] }
    try await withOrigin(script) { origin in
      let library = try TestLibrary()
      _ = try await library.pull(origin, PullPlan(pages: 5, pictures: false, avatars: false))
      #expect(try library.store.gaps().map(\.kind) == [.unfinished])
      #expect(try await harvest(origin, library).summary.complete)
      #expect(try library.posts.count == 200)
    }
  }

  @Test func `a gap that cannot be filled is asked for once a day, and hides nothing new`() async throws {
    var script = Script(posts: 200, troubles: [.nth(3, Self.path, .html)])
    for index in script.posts.indices { script.posts[index].attachments = [] }
    try await withOrigin(script) { origin in
      let library = try TestLibrary()
      _ = try await library.pull(origin, PullPlan(pages: 5, pictures: false, avatars: false))
      origin.change { $0.troubles = [.nth(2, Self.path, .html)] }
      let failed = try await harvest(origin, library)
      #expect(failed.head != nil && failed.failure != nil && !failed.summary.complete)
      let next = try await harvest(origin, library)
      #expect((next.failure == nil, next.summary.complete, next.summary.requests) == (true, false, 1))
      library.clock.pass(86_400)
      #expect(try await harvest(origin, library).summary.complete)
    }
  }

  @Test func `a clock that was ahead delays neither the deep pull nor missing posts`() async throws {
    try await withHarvested(60, of: 200) { origin, library, posts in
      origin.change { $0.posts = posts }
      _ = try await library.pull(origin, PullPlan(pictures: false, avatars: false))
      #expect(try library.store.gaps().count == 1)
      let feed = try TestLibrary.feed(origin)
      let ahead = noon.addingTimeInterval(1e8)
      try library.store.keep(PollingStatistics(largestPage: 40, deepAt: ahead, fillAt: ahead + 86_400), of: feed)
      #expect(try await harvest(origin, library).summary.complete)
      #expect(try library.store.pollingStatistics(of: feed).deepAt == noon)
    }
  }

  @Test func `a server that has every page waited for holds a harvest for ten minutes, and the next goes on`()
    async throws
  {
    try await withHarvested(60, of: 1000) { origin, library, posts in
      origin.change {
        $0.posts = posts
        $0.minIDGivesNewest = true
      }
      let before = noon
      let time = library.clock.timekeeper
      let slow = Transport(
        send: { [transport = library.transport] request throws(TransportError) in
          library.clock.pass(150)
          return try await transport.send(request)
        }, download: library.transport.download)
      let first = try await library.pull(origin, Self.plan, through: slow)
      #expect((first.failure == nil, first.summary.complete, first.head != nil) == (true, false, true))
      #expect(time.now().timeIntervalSince(before) < 1200)
      #expect(try !library.store.gaps().isEmpty)
      for _ in 0..<9 { _ = try await library.pull(origin, Self.plan, through: slow) }
      #expect(try library.posts.count == 980)
    }
  }

  @Test func `a server that leaves one post out of each page is read to its top`() async throws {
    try await withHarvested(60, of: 200) { origin, library, posts in
      origin.change {
        $0.posts = posts
        $0.troubles = [.every(Self.path, .short(39))]
      }
      let report = try await harvest(origin, library)
      #expect((report.failure == nil, report.summary.complete) == (true, true))
      #expect(try library.posts.contains { $0.uri == posts[0].uri })
    }
  }

  @Test(arguments: [50, 20, 15, 10])
  func `a server that counts posts of muted people and does not show them is read to its top`(
    interval: Int
  ) async throws {
    try await withHarvested(60, of: 500) { origin, library, posts in
      let muted = Set(posts.enumerated().filter { $0.offset % interval == 7 }.map(\.element.id))
      for shown in [83, 211, 214, 500] {
        origin.change {
          $0.posts = Array(posts.suffix(shown))
          $0.muted = muted
        }
        let report = try await harvest(origin, library)
        let new = posts.suffix(shown).prefix(shown - 60).filter { !muted.contains($0.id) }
        let missing = Set(new.map(\.uri)).subtracting(try library.posts.map(\.uri))
        #expect(report.failure == nil)
        #expect(missing.isEmpty, "\(shown)")
      }
    }
  }

  @Test func `a document is asked for once, and not sent again where it did not change`() async throws {
    try await withOrigin(Script()) { origin in
      let library = try TestLibrary()
      origin.change {
        $0.documents["/feed"] = .rss((1...20).reversed().map { ScriptedItem($0, at: origin.url) }, entityTag: "\"1\"")
      }
      let server = try #require(Server(origin.url))
      let feed = Feed(source: .feed, kind: .url, value: "\(origin.url)/feed", server: server)
      let source = FeedSource(
        server: server, token: nil, transport: library.transport, time: library.clock.timekeeper)
      for new in [20, 0, 0] {
        let report = await library.pull(feed, from: source, Self.plan)
        #expect((report.failure == nil, report.summary.posts.new, report.summary.complete) == (true, new, true))
        #expect(report.head?.capacity == 20)
      }
      #expect(origin.requests(to: "/feed").map { $0.headers["if-none-match"] } == [nil, "\"1\"", "\"1\""])
    }
  }
}
