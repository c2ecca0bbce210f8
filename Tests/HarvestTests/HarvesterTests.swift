import Foundation
import HTTP
import Posts
import ScriptedOrigin
import Services
import Storage
import Synchronization
import Testing

@testable import Harvest

/// Many feeds at once.
@Suite(.timeLimit(.minutes(10))) struct HarvesterTests {
  private static let path = "/api/v1/timelines/tag/"

  /// The requests of a harvest, in order, and the most at once.
  private final class Crowd: Sendable {
    private let state = Mutex((asked: [String](), now: 0, most: 0))
    var asked: [String] { state.withLock { $0.asked } }
    var most: Int { state.withLock { $0.most } }

    func enter(_ feed: Feed) {
      state.withLock {
        $0.asked.append(feed.value)
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
    }

    func leave() { state.withLock { $0.now -= 1 } }
  }

  /// A source that records concurrent requests.
  private struct Watched: Source {
    let inner: any Source
    let crowd: Crowd

    func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
      crowd.enter(feed)
      defer { crowd.leave() }
      return try await inner.page(of: feed, after: cursor, size: size)
    }
  }

  private func script(_ tags: String...) -> Script {
    var script = Script()
    for (index, tag) in tags.enumerated() {
      var writer = PostWriter(tag: tag, seed: UInt64(index + 1), firstPicture: index * 100)
      script.posts = (0..<5).map { writer.post(index * 1000 + $0) }.reversed() + script.posts
    }
    script.judgesWaits = false
    return script
  }

  /// A source whose answers each take a fixed number of seconds.
  private struct Slow: Source {
    let inner: any Source
    let clock: MadeUpClock
    let seconds: TimeInterval

    func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
      clock.pass(seconds)
      return try await inner.page(of: feed, after: cursor, size: size)
    }
  }

  private func follow(_ tags: [String], _ origin: Origin, _ library: TestLibrary) throws -> [HarvestTask] {
    for tag in tags {
      let feed = try TestLibrary.feed(origin, tag)
      try library.store.follow(FollowPlan(now: noon).follow(feed, every: nil, before: nil), now: noon)
    }
    return try library.store.follows().map { HarvestTask($0.feed, follow: $0) }
  }

  private func harvest(
    _ tasks: [HarvestTask], _ library: TestLibrary, crowd: Crowd = Crowd(), pictures: Bool = false
  ) async throws -> HarvestReport {
    let time = library.clock.timekeeper
    let run = try library.store.beginRun(of: tasks.count, process: 1, now: time.now())
    return await library.harvester { [transport = library.transport] feed in
      let source = MastodonSource(server: feed.server, token: nil, transport: transport, time: time)
      return Watched(inner: source, crowd: crowd)
    }.run(tasks, plan: PullPlan(.harvest, pages: nil, pictures: pictures, avatars: false), as: run) { _ in }
  }

  private func code(_ report: HarvestReport) -> ExitCode {
    report.code { ($0 as? any ExplainedError)?.exitCode ?? .storage }
  }

  @Test func `one feed that fails stops no other, and stands in the ledger with its reason`() async throws {
    try await withOrigin(script("a", "b", "c")) { origin in
      origin.change { $0.troubles = [.every(Self.path + "b", .html)] }
      let library = try TestLibrary()
      let report = try await harvest(try follow(["a", "b", "c"], origin, library), library)
      #expect(report.entries.map { $0.summary.posts.new } == [5, 0, 5])
      #expect(code(report) == .partial)
      let follows = try library.store.follows()
      #expect(follows.map(\.schedule.state) == [.well, .failing, .well])
      #expect(follows[1].schedule.failure?.contains("it is a web page") == true)
      let run = try #require(try library.store.runs(limit: 1).first)
      #expect((run.feeds, run.failed, run.counts.new, run.counts.pages) == (3, 1, 10, 2))
      #expect(run.parts.map(\.outcome) == [.well, .failed, .well])
      let events = try library.store.events(of: run.id)
      #expect(events.map(\.event) == [.feedRead, .feedFailed, .feedRead])
      #expect(events.map(\.count) == [5, nil, 5] && events.allSatisfy { $0.seconds != nil })
      #expect(events[1].feed == follows[1].feed.name && events[1].host == follows[1].feed.server.host)
      #expect(events[1].level == .error && events[1].message.contains("it is a web page"))
      let idle = try await harvest(follows.prefix(1).map { HarvestTask($0.feed, follow: $0) }, library)
      #expect(idle.entries.map { $0.summary.posts.new } == [0])
      #expect(try library.store.events(of: run.id + 1).isEmpty)
      #expect(try library.store.follows(failingSince: noon).map(\.feed.value) == ["b"])
      #expect(try library.store.follows(failingSince: noon.addingTimeInterval(-60)).isEmpty)
    }
  }

  @Test func `feeds of several hosts are asked at once`() async throws {
    try await withOrigin(script("a")) { one in
      try await withOrigin(script("a")) { other in
        for origin in [one, other] { origin.change { $0.troubles = [.every(Self.path, .held)] } }
        let library = try TestLibrary()
        _ = try follow(["a"], one, library)
        let tasks = try follow(["a"], other, library)
        let running = Task { try await harvest(tasks, library) }
        while one.requests(to: Self.path).isEmpty || other.requests(to: Self.path).isEmpty {
          try await Task.sleep(for: .milliseconds(5))
        }
        for origin in [one, other] { origin.change { $0.troubles = [] } }
        #expect(try await running.value.entries.map(\.summary.pages) == [1, 1])
      }
    }
  }

  @Test func `an interval that a person changes meanwhile stays changed`() async throws {
    try await withOrigin(script("a")) { origin in
      origin.change { $0.troubles = [.every(Self.path, .held)] }
      let library = try TestLibrary()
      let tasks = try follow(["a"], origin, library)
      let running = Task { try await harvest(tasks, library) }
      while origin.requests(to: Self.path).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      let changed = FollowPlan(now: noon).follow(tasks[0].feed, every: .seconds(600), before: tasks[0].follow)
      try library.store.follow(changed, now: noon)
      origin.change { $0.troubles = [] }
      _ = try await running.value
      let after = try #require(try library.store.follow(of: tasks[0].feed))
      #expect((after.schedule.interval, after.schedule.state) == (.seconds(600), .well))
    }
  }

  @Test func `feeds of one host are asked one after another`() async throws {
    try await withOrigin(script("a", "b", "c", "d")) { origin in
      origin.change { $0.troubles = [.every("/", .slow(.milliseconds(30)))] }
      let (library, crowd) = (try TestLibrary(), Crowd())
      _ = try await harvest(try follow(["a", "b", "c", "d"], origin, library), library, crowd: crowd)
      #expect((crowd.most, crowd.asked) == (1, ["a", "b", "c", "d"]))
    }
  }

  @Test func `a limit holds back every feed of its host and no other, without a request`() async throws {
    try await withOrigin(script("a", "b")) { limited in
      try await withOrigin(script("a", "b")) { free in
        limited.change { $0.troubles = [.every(Self.path, .status(429, headers: ["Retry-After": "1800"]))] }
        let library = try TestLibrary()
        _ = try follow(["a", "b"], limited, library)
        let report = try await harvest(try follow(["a", "b"], free, library), library)
        #expect(limited.requests(to: Self.path).count == 1)
        #expect(report.entries.count(where: \.isLimited) == 2)
        #expect(report.entries.map(\.summary.posts.new).reduce(0, +) == 10)
        #expect(code(report) == .partial)
        let waiting = try library.store.follows().filter { $0.schedule.state == .limited }
        #expect(waiting.count == 2)
        #expect(waiting.allSatisfy { $0.schedule.dueAt.map { abs($0.timeIntervalSince(noon) - 1800) < 5 } ?? false })
        // An earlier pull gets the error without a request.
        let again = try await harvest(waiting.map { HarvestTask($0.feed, follow: $0) }, library)
        #expect(limited.requests(to: Self.path).count == 1)
        #expect(code(again) == .tryLater)
      }
    }
  }

  @Test func `a host that does not answer is left alone after three feeds`() async throws {
    try await withOrigin(script("a", "b", "c", "d", "e")) { origin in
      origin.change { $0.troubles = [.every(Self.path, .status(503))] }
      let (library, crowd) = (try TestLibrary(), Crowd())
      let report = try await harvest(try follow(["a", "b", "c", "d", "e"], origin, library), library, crowd: crowd)
      #expect(crowd.asked == ["a", "b", "c"])
      #expect((report.entries.count, code(report)) == (5, .unavailable))
      #expect(try library.store.follows().allSatisfy { $0.schedule.state == .failing })
    }
  }

  @Test func `a feed that cannot even be asked fails alone`() async throws {
    try await withOrigin(script("a")) { origin in
      let library = try TestLibrary()
      let run = try library.store.beginRun(of: 1, process: 1, now: noon)
      let report = await library.harvester { _ in throw SourceError.needsLogin(try #require(Server("a.example"))) }
        .run(try follow(["a"], origin, library), plan: PullPlan(.harvest, pages: nil), as: run) { _ in }
      #expect(code(report) == .needsLogin)
      #expect(try library.store.follows().first?.schedule.state == .login)
    }
  }

  @Test func `pictures that failed are tried again when their time has come, without their posts`() async throws {
    try await withOrigin(.album(posts: 3, pictures: 1)) { origin in
      origin.change { $0.troubles = [.every("/media", .status(500))] }
      let library = try TestLibrary()
      let first = try await harvest(try follow(["cats"], origin, library), library, pictures: true)
      #expect((first.entries.first?.summary.media.failed, code(first)) == (3, .partial))
      origin.change { $0.troubles = [] }
      library.clock.pass(7 * 86_400)
      let again = try await harvest([], library, pictures: true)
      #expect((again.pictures.downloaded, code(again)) == (3, .done))
      #expect(try library.store.runs(limit: 1).first?.counts.pictures == 3)
      #expect(try library.states == [.stored: 3])
    }
  }

  @Test func `pictures of earlier pulls that fail again, or are put off, are reported`() async throws {
    try await withOrigin(.album(posts: 3, pictures: 1)) { origin in
      origin.change { $0.troubles = [.every("/media", .status(500))] }
      let library = try TestLibrary()
      _ = try await harvest(try follow(["cats"], origin, library), library, pictures: true)
      library.clock.pass(7 * 86_400)
      let failed = try await harvest([], library, pictures: true)
      #expect((failed.pictures.failed, failed.pictureFailures.count, code(failed)) == (3, 3, .partial))
      origin.change { $0.troubles = [.every("/media", .status(429, headers: ["Retry-After": "900"]))] }
      library.clock.pass(30 * 86_400)
      let putOff = try await harvest([], library, pictures: true)
      #expect((putOff.pictures.putOff, putOff.picturesPutOff.map(\.count), code(putOff)) == (3, [3], .tryLater))
    }
  }

  @Test func `pictures of a feed that are put off are reported with their host`() async throws {
    try await withOrigin(.album(posts: 3, pictures: 1)) { origin in
      origin.change { $0.troubles = [.every("/media", .status(429, headers: ["Retry-After": "900"]))] }
      let library = try TestLibrary()
      let report = try await harvest(try follow(["cats"], origin, library), library, pictures: true)
      #expect(report.entries.map { $0.picturesPutOff.map(\.host) } == [[HostCircuitBreaker.host(of: origin.url)]])
      #expect(code(report) == .tryLater)
    }
  }

  @Test func `a harvest that is stopped leaves what it has not read due`() async throws {
    try await withOrigin(script("a", "b")) { origin in
      origin.change { $0.troubles = [.every(Self.path + "b", .held)] }
      let library = try TestLibrary()
      let tasks = try follow(["a", "b"], origin, library)
      let running = Task { try await harvest(tasks, library) }
      while origin.requests(to: Self.path + "b").isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      running.cancel()
      let report = try await running.value
      #expect(report.entries.map(\.isStopped) == [false, true])
      #expect(code(report) == .done)
      let follows = try library.store.follows()
      #expect(follows.map(\.schedule.state) == [.well, .new])
      #expect(FollowPlan(now: noon).isDue(follows[1]))
      origin.change { $0.troubles = [] }
    }
  }

  @Test func `a slow host is left after half an hour, and the next harvest goes on where it was left`() async throws {
    let tags = ["a", "b", "c", "d", "e", "f"]
    try await withOrigin(script("a", "b", "c", "d", "e", "f")) { origin in
      let (library, crowd) = (try TestLibrary(), Crowd())
      let (transport, clock) = (library.transport, library.clock)
      func harvest(_ tasks: [HarvestTask]) async throws -> HarvestReport {
        let run = try library.store.beginRun(of: tasks.count, process: 1, now: clock.timekeeper.now())
        let plan = PullPlan(.harvest, pages: nil, pictures: false, avatars: false)
        return await library.harvester { feed in
          let source = MastodonSource(server: feed.server, token: nil, transport: transport, time: clock.timekeeper)
          return Slow(inner: Watched(inner: source, crowd: crowd), clock: clock, seconds: 500)
        }.run(tasks, plan: plan, as: run) { _ in }
      }
      let report = try await harvest(try follow(tags, origin, library))
      #expect(crowd.asked == ["a", "b", "c", "d"])
      #expect(report.putOff.map(\.value) == ["e", "f"])
      let run = try #require(try library.store.runs(limit: 1).first)
      #expect(run.putOff == 0, "nobody has ended it yet")
      try library.store.finishRun(
        run.id, as: .done, code: 75, requests: 0, bytes: 0, waited: .zero, now: clock.timekeeper.now())
      #expect(try library.store.runs(limit: 1).map(\.putOff) == [2])
      #expect((code(report), report.entries.count) == (.tryLater, 4))
      let follows = try library.store.follows()
      #expect(follows.map(\.schedule.state) == [.well, .well, .well, .well, .new, .new])
      let plan = FollowPlan(now: clock.timekeeper.now())
      #expect(follows.filter(plan.isDue).map(\.feed.value).suffix(2) == ["e", "f"])
      _ = try await harvest(follows.map { HarvestTask($0.feed, follow: $0) })
      #expect(crowd.asked.dropFirst(4).prefix(2) == ["e", "f"])
    }
  }

  @Test func `pictures that have not begun when their time is over are left for the next harvest`() async throws {
    try await withOrigin(.album(posts: 3, pictures: 2)) { origin in
      let library = try TestLibrary()
      var plan = PullPlan(.harvest, pages: nil, avatars: false)
      plan.endsAt = noon.addingTimeInterval(5)
      let feed = try TestLibrary.feed(origin, "cats")
      let source = MastodonSource(
        server: feed.server, token: nil, transport: library.transport, time: library.clock.timekeeper)
      let report = await library.pull(feed, from: Slow(inner: source, clock: library.clock, seconds: 10), plan)
      #expect((report.summary.pages, report.summary.media.failed) == (1, 0))
      #expect(try library.states == [.pending: 6])
      #expect(try await harvest([], library, pictures: true).pictures.downloaded == 6)
    }
  }

  @Test func `a picture that is under way has ten minutes beyond the time of its harvest`() async throws {
    try await withOrigin(.album(posts: 1, pictures: 1)) { origin in
      let library = try TestLibrary()
      let transport = library.transport
      let times = Mutex<[Duration?]>([])
      let watched = Transport(send: transport.send) { request, sink throws(TransportError) in
        times.withLock { $0.append(request.downloadTime) }
        return try await transport.download(request, sink)
      }
      var plan = PullPlan(avatars: false)
      plan.endsAt = noon.addingTimeInterval(60)
      _ = try await library.pull(origin, plan, through: watched)
      #expect(times.withLock { $0 } == [.seconds(660)])
    }
  }

  @Test func `a feed to which a harvest comes too late is as if it had not been asked`() async throws {
    try await withOrigin(script("a")) { origin in
      let library = try TestLibrary()
      var plan = PullPlan(.harvest, pages: nil, pictures: false, avatars: false)
      plan.endsAt = noon
      let feed = try TestLibrary.feed(origin, "a")
      let entry = HarvestEntry(feed, try await library.pull(origin, plan, tag: "a"))
      #expect(entry.isStopped && origin.requests(to: Self.path).isEmpty)
      let follow = FollowPlan(now: noon).follow(feed, every: nil, before: nil)
      #expect(FollowPlan(now: noon).schedule(of: follow, after: entry.outcome) == nil)
    }
  }

  @Test func `a server that always says "at once" is asked a few times a quarter of an hour, not all the time`()
    async throws
  {
    try await withOrigin(script("a")) { origin in
      origin.change { $0.troubles = [.every(Self.path, .status(429, headers: ["Retry-After": "0"]))] }
      let library = try TestLibrary()
      var follow = try #require(try follow(["a"], origin, library).first?.follow)
      follow.every = .seconds(60)
      try library.store.follow(follow, now: noon)
      for _ in 0..<120 {
        let now = library.clock.timekeeper.now()
        let due = try library.store.follows().filter { FollowPlan(now: now).isDue($0) }
        if !due.isEmpty { _ = try await harvest(due.map { HarvestTask($0.feed, follow: $0) }, library) }
        library.clock.pass(60)
      }
      // Eight quarters of an hour in two hours, four tries each.
      #expect((4...36).contains(origin.requests(to: Self.path).count))
    }
  }

  @Test func `if a limit lets two feeds of six through at a time, each has its turn`() async throws {
    let tags = ["a", "b", "c", "d", "e", "f"]
    var script = Script()
    for (index, tag) in tags.enumerated() {
      var writer = PostWriter(tag: tag, seed: UInt64(index + 1), firstPicture: index * 100)
      script.posts = [writer.post(index * 1000)] + script.posts
    }
    script.judgesWaits = false
    try await withOrigin(script) { origin in
      let library = try TestLibrary()
      var tasks = try follow(tags, origin, library)
      for turn in 0...2 {
        origin.change { $0.troubles = [.nth(3, Self.path, .status(429, headers: ["Retry-After": "1800"]))] }
        _ = try await harvest(tasks, library)
        if turn == 2 { break }
        library.clock.pass(1801)
        tasks = try library.store.follows().map { HarvestTask($0.feed, follow: $0) }
      }
      #expect(try library.store.follows().allSatisfy { $0.schedule.pulledAt != nil })
    }
  }

  @Test func `three feeds that fail keep no other of their host from being asked`() async throws {
    let tags = ["a", "b", "c", "d", "e"]
    try await withOrigin(script("a", "b", "c", "d", "e")) { origin in
      origin.change { $0.troubles = ["a", "b", "c", "d"].map { .every(Self.path + $0, .status(503)) } }
      let (library, crowd) = (try TestLibrary(), Crowd())
      var tasks = try follow(tags, origin, library)
      _ = try await harvest(tasks, library, crowd: crowd)
      #expect(crowd.asked == ["a", "b", "c"])
      tasks = try library.store.follows().map { HarvestTask($0.feed, follow: $0) }
      // First feeds never pulled, then those pulled longest ago.
      origin.change { $0.troubles = ["a", "b", "c"].map { .every(Self.path + $0, .status(503)) } }
      library.clock.pass(3600)
      _ = try await harvest(tasks, library, crowd: crowd)
      #expect(Array(crowd.asked.dropFirst(3).prefix(2)) == ["d", "e"])
      let states = try library.store.follows().map(\.schedule.state)
      #expect(states == [.failing, .failing, .failing, .well, .well])
    }
  }
}
