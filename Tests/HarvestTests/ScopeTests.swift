import Foundation
import Posts
import ScriptedOrigin
import Services
import Storage
import Testing

@testable import Harvest

/// Which pages each kind of pull reads.
@Suite(.timeLimit(.minutes(10))) struct ScopeTests {
  /// A feed of posts, the newest of which are hidden at first.
  private func withFeed(
    _ count: Int, hiding hidden: Int = 0, _ body: @Sendable (Feeding) async throws -> Void
  ) async throws {
    let all = Script(posts: count).posts
    var script = Script(posts: Array(all.dropFirst(hidden)))
    script.mostAtOnce = 50
    try await withOrigin(script) { try await body(Feeding(origin: $0, all: all, library: try TestLibrary())) }
  }

  struct Feeding: Sendable {
    let origin: Origin
    let all: [ScriptedPost]
    let library: TestLibrary

    /// Shows the posts from this index on; the newest is 0.
    func show(from first: Int, without late: Set<Int> = []) {
      let posts = all.indices.filter { $0 >= first && !late.contains($0) }.map { all[$0] }
      origin.change { $0.posts = posts }
    }

    /// One pull in pages of ten, and the cursors that it requested.
    func pull(_ scope: PullPlan.Scope, pages: Int? = nil) async throws -> (report: PullReport, asked: [String]) {
      let before = origin.requests(to: "/api").count
      let plan = PullPlan(scope, pages: pages, pageSize: 10, pictures: false, avatars: false)
      let report = try await library.pull(origin, plan)
      let ids = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.id, $0) })
      let asked = origin.requests(to: "/api").dropFirst(before).map { request in
        let position = { (name: String) in request.parameter(name).flatMap { ids[$0] } }
        return position("max_id").map { "below \($0)" } ?? position("min_id").map { "above \($0)" } ?? "newest"
      }
      return (report, asked)
    }

    /// The gaps: the indexes of the posts between, or `-`.
    func gaps() throws -> [String] {
      let ids = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.id, "\($0)") })
      return try library.store.gaps().map { gap in
        "\(gap.kind) \(gap.above.flatMap { ids[$0] } ?? "-")…\(gap.below.flatMap { ids[$0] } ?? "-")"
      }
    }

    func count() throws -> Int { try library.posts.count }
  }

  @Test func `--new ends half a page into what is known`() async throws {
    try await withFeed(60, hiding: 25) { feed in
      _ = try await feed.pull(.newest, pages: 2)
      #expect(try await feed.pull(.new).asked == ["newest"])
      feed.show(from: 22)
      #expect(try await feed.pull(.new).asked == ["newest"])
      feed.show(from: 0)
      let (report, asked) = try await feed.pull(.new)
      #expect(asked == ["newest", "below 9", "below 19"])
      #expect(report.summary.complete)
      #expect(try feed.gaps() == [])
      #expect(try feed.count() == 45)
    }
  }

  @Test func `a server that shows nothing for a while closes no gap and ends no feed`() async throws {
    try await withFeed(60, hiding: 30) { feed in
      _ = try await feed.pull(.newest, pages: 1)
      feed.show(from: 0)
      _ = try await feed.pull(.newest, pages: 1)
      #expect(try feed.gaps() == ["gap 9…30"])
      feed.show(from: 60)
      for (scope, asked) in [
        (
          PullPlan.Scope.gaps, ["above 35", "above 36", "below 9", "below 9", "below 8", "below 8", "newest", "newest"]
        ),
        (.rest, ["below 39", "below 39", "below 38", "below 38", "newest", "newest"]),
      ] {
        let pull = try await feed.pull(scope)
        #expect(pull.asked == asked)
        #expect(!pull.report.summary.complete && pull.report.summary.showsNothing)
        #expect(try feed.gaps().contains("gap 9…30"))
      }
      feed.show(from: 0)
      #expect(try await feed.pull(.gaps).report.summary.complete)
      #expect(try await feed.pull(.all).report.summary.complete)
      #expect(try feed.count() == 60)
      #expect(try feed.gaps() == [])
    }
  }

  @Test func `--new finds what came late below the top`() async throws {
    try await withFeed(40, hiding: 9) { feed in
      feed.show(from: 9, without: [11, 13])
      _ = try await feed.pull(.newest, pages: 1)
      feed.show(from: 0)
      let (report, asked) = try await feed.pull(.new)
      #expect(asked == ["newest", "below 9"])
      #expect(report.summary.posts.new == 11)
      #expect(try feed.gaps() == [])
    }
  }

  @Test func `--new on an empty library reads the feed to its end`() async throws {
    try await withFeed(25) { feed in
      let (report, _) = try await feed.pull(.new)
      #expect((report.summary.posts.new, report.summary.complete) == (25, true))
    }
  }

  @Test func `pages bound --new, and what is left is a gap`() async throws {
    try await withFeed(60, hiding: 40) { feed in
      _ = try await feed.pull(.newest, pages: 1)
      feed.show(from: 0)
      let (report, asked) = try await feed.pull(.new, pages: 2)
      #expect(asked == ["newest", "below 9"])
      #expect(!report.summary.complete)
      #expect(report.failure == nil)
      #expect(report.gaps == 1)
      #expect(try feed.gaps() == ["gap 19…40"])
    }
  }

  @Test func `pages that bound --new where nothing older is known leave no gap`() async throws {
    try await withFeed(60) { feed in
      let (report, _) = try await feed.pull(.new, pages: 2)
      #expect(report.summary.complete)
      #expect(try feed.gaps() == [])
    }
  }

  @Test func `--all steps over what is known`() async throws {
    try await withFeed(100, hiding: 15) { feed in
      _ = try await feed.pull(.newest, pages: 4)
      feed.show(from: 0)
      let (report, asked) = try await feed.pull(.all)
      // An end without links is asked for once more, in the largest size.
      let below = [9, 54, 64, 74, 84, 94, 99, 99].map { "below \($0)" }
      #expect(asked == ["newest"] + below)
      #expect(report.summary.complete)
      #expect(try feed.count() == 100)
      #expect(try await feed.pull(.all).asked == ["newest"])
    }
  }

  @Test func `--all bounded by pages is unfinished, and --resume goes on`() async throws {
    try await withFeed(60) { feed in
      let (report, _) = try await feed.pull(.all, pages: 2)
      #expect(!report.summary.complete)
      #expect(try feed.gaps() == ["unfinished 19…-"])
      #expect(try await feed.pull(.rest, pages: 1).asked == ["below 19"])
      #expect(try feed.gaps() == ["unfinished 29…-"])
      let (rest, asked) = try await feed.pull(.rest)
      #expect(asked.first == "below 29")
      #expect(rest.summary.complete)
      #expect(try feed.gaps() == [])
      #expect(try feed.count() == 60)
    }
  }

  @Test func `--resume without anything unfinished reads below the lowest interval`() async throws {
    try await withFeed(60) { feed in
      #expect(try await feed.pull(.rest).asked == ["newest"])
      #expect(try await feed.pull(.rest).asked == ["below 9"])
      #expect(try await feed.pull(.rest, pages: 2).asked == ["below 19", "below 29"])
      _ = try await feed.pull(.rest, pages: 9)
      let (report, asked) = try await feed.pull(.rest)
      #expect(asked == [])
      #expect(report.summary.complete)
    }
  }

  @Test func `a pull that failed is unfinished until --resume has read the rest of it`() async throws {
    try await withFeed(60) { feed in
      feed.origin.change { $0.troubles = [.nth(3, "/api", .html)] }
      let (report, _) = try await feed.pull(.newest, pages: 5)
      #expect(report.failure != nil)
      #expect(!report.summary.complete)
      #expect(try feed.gaps() == ["unfinished 19…-"])
      let (rest, asked) = try await feed.pull(.rest)
      #expect(asked == ["below 19", "below 29", "below 39"])
      #expect(rest.summary.complete)
      #expect(try feed.gaps() == [])
    }
  }

  @Test func `a first pull that brought nothing is unfinished, too, and the same again does for all of them`()
    async throws
  {
    try await withFeed(30) { feed in
      feed.origin.change { $0.troubles = [.every("/api", .status(500))] }
      for _ in 0..<3 { _ = try await feed.pull(.newest, pages: 2) }
      #expect(try feed.gaps() == ["unfinished -…-"])
      feed.origin.change { $0.troubles = [] }
      _ = try await feed.pull(.newest, pages: 2)
      #expect(try feed.gaps() == [])
    }
  }

  @Test func `a gap is filled upwards, from half a page below`() async throws {
    try await withFeed(60, hiding: 40) { feed in
      feed.show(from: 40, without: [42])
      _ = try await feed.pull(.newest, pages: 1)
      feed.show(from: 0)
      _ = try await feed.pull(.new, pages: 1)
      #expect(try feed.gaps() == ["gap 9…40"])
      let (report, asked) = try await feed.pull(.gaps)
      #expect(asked == ["above 46", "above 38", "above 30", "above 22", "above 14"])
      #expect(report.summary.complete)
      #expect(try feed.gaps() == [])
      #expect(try feed.count() == 51)
      let rows = try feed.library.store.posts(PostQuery(limit: nil))
      #expect(rows.map(\.uri) == feed.all.prefix(51).map(\.uri))
    }
  }

  @Test func `if the server gives its newest page instead, the gap is filled downwards`() async throws {
    try await withFeed(60, hiding: 40) { feed in
      _ = try await feed.pull(.newest, pages: 1)
      feed.show(from: 0)
      _ = try await feed.pull(.new, pages: 1)
      feed.origin.change { $0.minIDGivesNewest = true }
      let (report, asked) = try await feed.pull(.gaps)
      #expect(asked == ["above 45", "below 9", "below 19", "below 29", "below 39"])
      #expect(report.summary.complete)
      #expect(try feed.gaps() == [])
    }
  }

  @Test(arguments: [1, 2, 3, 6])
  func `a server whose pages are smaller than half of what was asked for is climbed all the same`(largest: Int)
    async throws
  {
    try await withFeed(60, hiding: 40) { feed in
      feed.show(from: 40, without: [42])
      _ = try await feed.pull(.newest, pages: 1)
      feed.show(from: 0)
      feed.origin.change { $0.largestPage = largest }
      _ = try await feed.pull(.new, pages: 4)
      let (report, _) = try await feed.pull(.gaps)
      #expect(report.summary.complete)
      #expect(try feed.gaps() == [])
      let rows = try feed.library.store.posts(PostQuery(limit: nil))
      // A page of one post proves nothing from below, and late posts are not seen from above.
      let all = feed.all.prefix(51).enumerated().filter { largest > 1 || $0.offset != 42 }
      #expect(rows.map(\.uri) == all.map(\.element.uri))
    }
  }

  @Test func `pages bound the filling, and the next one goes on from there`() async throws {
    try await withFeed(80, hiding: 60) { feed in
      _ = try await feed.pull(.newest, pages: 1)
      feed.show(from: 0)
      _ = try await feed.pull(.new, pages: 1)
      let (report, _) = try await feed.pull(.gaps, pages: 2)
      #expect(report.summary.pages == 2)
      #expect(!report.summary.complete)
      #expect(try feed.gaps() == ["gap 9…47"])
      #expect(try await feed.pull(.gaps).report.summary.complete)
    }
  }

  @Test func `one gap is filled, and the others are left`() async throws {
    try await withFeed(120, hiding: 100) { feed in
      _ = try await feed.pull(.newest, pages: 1)
      feed.show(from: 50)
      _ = try await feed.pull(.newest, pages: 1)
      feed.show(from: 0)
      _ = try await feed.pull(.newest, pages: 1)
      #expect(try feed.gaps() == ["gap 9…50", "gap 59…100"])
      let lower = try #require(try feed.library.store.gaps().last)
      let (cut, _) = try await feed.pull(.gap(lower), pages: 2)
      #expect(!cut.summary.complete)
      let (report, _) = try await feed.pull(.gap(try #require(try feed.library.store.gaps().last)))
      #expect(report.summary.complete)
      #expect(try feed.gaps() == ["gap 9…50"])
      // A filled gap needs no request.
      let (again, asked) = try await feed.pull(.gap(lower))
      #expect((again.summary.complete, asked) == (true, []))
    }
  }

  @Test func `unfinished pulls and gaps are filled in one run`() async throws {
    try await withFeed(90, hiding: 70) { feed in
      _ = try await feed.pull(.newest, pages: 1)
      feed.show(from: 40)
      _ = try await feed.pull(.new, pages: 1)
      feed.show(from: 0)
      feed.origin.change { $0.troubles = [.nth(2, "/api", .html)] }
      _ = try await feed.pull(.new)
      #expect(try feed.gaps() == ["unfinished 9…40", "gap 49…70"])
      feed.origin.change { $0.troubles = [] }
      let (report, _) = try await feed.pull(.gaps)
      #expect(report.summary.complete)
      #expect(try feed.gaps() == [])
      #expect(try feed.count() == 80)
    }
  }

  @Test func `a pull that was resumed fetches the pictures an interrupted one left`() async throws {
    try await withOrigin(Script(posts: 30)) { origin in
      let library = try TestLibrary()
      let source = MastodonSource(
        server: try TestLibrary.feed(origin).server, token: nil, transport: library.transport,
        time: library.clock.timekeeper)
      // As a killed process leaves it: one page is stored, nothing else.
      let feed = try TestLibrary.feed(origin)
      let pull = try library.store.beginPull(of: feed, goal: PullGoal(pages: 2), now: noon)
      let page = try await source.page(of: feed, after: nil, size: 20)
      _ = try library.store.save(page, in: pull, now: noon)
      let report = try await library.pull(origin, PullPlan(.rest, pages: nil, pageSize: 20))
      #expect(report.summary.pages == 1)
      #expect(library.blobNames.isSuperset(of: origin.script.pictureHashes))
      #expect(try library.states == [.stored: origin.script.pictures(ofNewest: 30)])
    }
  }
}
