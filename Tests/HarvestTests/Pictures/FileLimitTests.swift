import Foundation
import HTTP
import Posts
import ScriptedOrigin
import Services
import Storage
import Synchronization
import Testing

@testable import Harvest

/// Pulls that do not take all files.
@Suite(.timeLimit(.minutes(10))) struct FileLimitTests {
  fileprivate static let sound = "ID3" + String(repeating: "s", count: 4997)
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\n"

  fileprivate struct Feeder {
    let origin: Origin
    let library: TestLibrary
    let feed: Feed

    init(_ origin: Origin) throws {
      (self.origin, library) = (origin, try TestLibrary())
      feed = Feed(source: .feed, kind: .url, value: "\(origin.url)/feed", server: try #require(Server(origin.url)))
    }

    /// Serves items, newest first, each with its files.
    func serve(_ items: [(number: Int, files: [(url: String, type: String?, length: Int?)])], tag: String? = nil) {
      let items = items.map { number, files in
        var item = ScriptedItem(number, at: origin.url)
        item.enclosures = files
        return item
      }
      origin.change { $0.documents["/feed"] = .rss(items, entityTag: tag) }
    }

    /// Serves a sound of each of these numbers, and the items that name them, newest first.
    func serveSounds(_ numbers: [Int], length: Int? = nil, tag: String? = nil) {
      let url = origin.url
      origin.change { script in
        for number in numbers {
          script.documents["/\(number).mp3"] = ScriptedDocument(FileLimitTests.sound + "\(number)", type: "audio/mpeg")
        }
      }
      serve(numbers.map { ($0, [("\(url)/\($0).mp3", "audio/mpeg", length)]) }, tag: tag)
    }

    private func parts() -> (source: FeedSource, fetcher: PictureFetcher) {
      // After the scripted items: a future date counts as none.
      let time = TimeSource(now: { noon.addingTimeInterval(400 * 86_400) }, sleep: { _ in }, chance: { 0 })
      return (
        FeedSource(server: feed.server, token: nil, transport: library.transport, time: time),
        PictureFetcher(
          transport: library.transport, blobs: library.blobs, store: library.store, time: library.clock.timekeeper)
      )
    }

    func pull(
      _ limits: FileLimits = FileLimits(), _ scope: PullPlan.Scope = .newest, witness: Witness = Witness(),
      mayExceed: @escaping @Sendable (Int64, Int64) async -> Bool = { _, _ in false }
    ) async throws -> PullReport {
      let (source, fetcher) = parts()
      let pull = FeedPull(
        source: source, store: library.store, pictures: fetcher, time: library.clock.timekeeper, requests: { 0 })
      let plan = PullPlan(scope, pages: scope == .harvest ? nil : 1, avatars: false, limits: limits)
      let report = await pull.run(feed, plan, mayExceed: mayExceed) { witness.note($0) }
      if let failure = report.failure { throw failure }
      return report
    }

    /// A pull of pictures alone, as harvests and people do.
    var pictures: PicturePull {
      PicturePull(
        store: library.store, pictures: parts().fetcher, lock: PictureLock(library: library.folder),
        time: library.clock.timekeeper)
    }

    /// Each file, newest first: its state, and why a limit left it out.
    var states: [String] {
      get throws {
        try library.posts.flatMap(\.attachments).map {
          [$0.state.rawValue, $0.leftOut?.description].compactMap(\.self).joined(separator: ": ")
        }
      }
    }

    func requests(_ path: String) -> Int { origin.requests(to: path).count }
  }

  @Test func `files of other kinds are not asked for, and of unknown ones the bytes decide`() async throws {
    try await withOrigin(Script(posts: 5)) { origin in
      let feeder = try Feeder(origin)
      let picture = try #require(origin.script.posts.flatMap(\.attachments).first)
      origin.change {
        $0.documents["/sound"] = ScriptedDocument(Self.sound, type: "application/octet-stream")
        $0.documents["/words"] = ScriptedDocument("words", type: "application/octet-stream")
      }
      let url = origin.url
      feeder.serve([
        (4, [("\(url)\(picture.path)", "image/png", nil)]), (3, [("\(url)/3.mp3", nil, nil)]),
        (2, [("\(url)/2", "audio/mpeg", nil)]), (1, [("\(url)/sound", nil, nil), ("\(url)/words", nil, nil)]),
      ])
      let report = try await feeder.pull(FileLimits(only: [.image]))
      let reason = "skipped: not among the wanted kinds"
      #expect(try feeder.states == ["stored", reason, reason, reason, reason])
      #expect((report.summary.media.downloaded, report.summary.media.leftOut, report.summary.media.failed) == (1, 4, 0))
      #expect((feeder.requests("/3.mp3"), feeder.requests("/2"), feeder.requests("/sound")) == (0, 0, 1))
      origin.change { $0.documents["/2"] = ScriptedDocument(Self.sound + "2", type: "audio/mpeg") }
      origin.change { $0.documents["/3.mp3"] = ScriptedDocument(Self.sound + "3", type: "audio/mpeg") }
      _ = try await feeder.pull(FileLimits(only: [.image, .audio]))
      #expect(try feeder.states == ["stored", "stored", "stored", "stored", reason])
      #expect(feeder.library.blobNames.count == 4)
    }
  }

  @Test func `the first bytes that tell an unwanted kind end the download`() async throws {
    let endless = try RawServer([
      [.pour(Array("\(Self.head)\r\n\(Self.sound)".utf8), [UInt8](repeating: 0x78, count: 4096))]
    ])
    try await withOrigin(Script()) { origin in
      let feeder = try Feeder(origin)
      feeder.serve([(1, [("\(endless.url)/what", nil, nil)])])
      let report = try await feeder.pull(FileLimits(only: [.image, .video]))
      #expect(try feeder.states == ["skipped: not among the wanted kinds"])
      #expect((report.summary.media.leftOut, endless.heads.count) == (1, 1))
      #expect(feeder.library.blobNames.isEmpty)
    }
  }

  @Test(arguments: ["Content-Length: 20000001\r\n", "Content-Length: 900000000\r\n"])
  func `an announced length past the bound ends the request before the body`(length: String) async throws {
    // It never sends a body: whoever wants one waits.
    let server = try RawServer([[.say(Array("\(Self.head)\(length)\r\n".utf8)), .silence]])
    defer { server.stop() }
    try await withOrigin(Script()) { origin in
      let feeder = try Feeder(origin)
      feeder.serve([(1, [("\(server.url)/1.mp3", "audio/mpeg", 5)])])
      _ = try await feeder.pull(FileLimits(maxSize: 20_000_000))
      #expect(try feeder.states == ["skipped: larger than 20 MB"])
      #expect(server.heads.count == 1)
    }
  }

  @Test func `a body that runs past the bound is cut off, and nothing of it is kept`() async throws {
    let endless = try RawServer([
      [.pour(Array("\(Self.head)\r\n\(Self.sound)".utf8), [UInt8](repeating: 0x78, count: 4096))]
    ])
    try await withOrigin(Script()) { origin in
      let feeder = try Feeder(origin)
      feeder.serve([(1, [("\(endless.url)/1.mp3", "audio/mpeg", 5)])])
      let report = try await feeder.pull(FileLimits(maxSize: 100_000))
      #expect(try feeder.states == ["skipped: larger than 100 KB"])
      #expect((report.summary.media.leftOut, report.summary.media.bytes, endless.heads.count) == (1, 0, 1))
      #expect(feeder.library.blobNames.isEmpty)
    }
  }

  @Test func `what a limit left out stays out until a pull allows more, and no server is asked for it`() async throws {
    try await withOrigin(Script()) { origin in
      let feeder = try Feeder(origin)
      feeder.serveSounds([1], tag: "\"1\"")
      for limits in [FileLimits(maxSize: 4000), FileLimits(), FileLimits(maxSize: 4000), FileLimits(maxSize: 3000)] {
        _ = try await feeder.pull(limits)
        #expect(try feeder.states == ["skipped: larger than 4 KB"])
      }
      #expect(feeder.requests("/1.mp3") == 1)
      // The document, too, is asked for only in case it changed.
      #expect(origin.requests(to: "/feed").dropFirst().allSatisfy { $0.headers["if-none-match"] == "\"1\"" })
      let wider = try await feeder.pull(FileLimits(maxSize: 6000))
      #expect(try feeder.states == ["stored"])
      #expect((wider.summary.media.downloaded, wider.summary.media.leftOut) == (1, 0))
      _ = try await feeder.pull(FileLimits(maxSize: 3000))
      #expect(try feeder.states == ["stored"])
    }
  }

  @Test func `a retry keeps to the limit of the pull that brought the file`() async throws {
    try await withOrigin(Script()) { origin in
      let feeder = try Feeder(origin)
      feeder.serveSounds([2, 1])
      origin.change { $0.troubles = [.first(1, "/2.mp3", .gone)] }
      _ = try await feeder.pull(FileLimits(maxSize: 4000))
      #expect(try feeder.states == ["failed", "skipped: larger than 4 KB"])
      feeder.library.clock.pass(2 * 86_400)
      _ = try await feeder.pictures.runDue(limit: 9) { _, _ in }
      #expect(try feeder.states == ["skipped: larger than 4 KB", "skipped: larger than 4 KB"])
      #expect(feeder.requests("/1.mp3") == 1)
    }
  }

  @Test func `a person has what limits left out, and their own limits alone count`() async throws {
    try await withOrigin(Script()) { origin in
      let feeder = try Feeder(origin)
      feeder.serveSounds([2, 1])
      _ = try await feeder.pull(FileLimits(only: [.image]))
      let posts = try feeder.library.posts.map(\.id)
      try await feeder.pictures.run(asked: posts, within: FileLimits(only: [.video])) { _ in }
      #expect(feeder.requests("/2.mp3") == 0)
      try await feeder.pictures.run(asked: [posts[0]], within: FileLimits(maxSize: 4000)) { _ in }
      #expect(try feeder.states == ["skipped: larger than 4 KB", "skipped: not among the wanted kinds"])
      try await feeder.pictures.run(asked: posts, within: FileLimits()) { _ in }
      #expect(try feeder.states == ["stored", "stored"])
    }
  }

  @Test func `only the newest posts of a feed have files`() async throws {
    try await withOrigin(Script()) { origin in
      let feeder = try Feeder(origin)
      feeder.serveSounds([5, 4, 3, 2, 1])
      let first = try await feeder.pull(FileLimits(newest: 2))
      let reason = "skipped: not of the 2 newest posts"
      #expect(try feeder.states == ["stored", "stored", reason, reason, reason])
      #expect((first.summary.media.downloaded, first.summary.media.leftOut, first.summary.posts.new) == (2, 3, 5))
      feeder.serveSounds([6, 5, 4, 3, 2, 1])
      _ = try await feeder.pull(FileLimits(newest: 2))
      #expect(try feeder.states == ["stored", "stored", "stored", reason, reason, reason])
      _ = try await feeder.pull(FileLimits(newest: 5))
      #expect(try feeder.states == ["stored", "stored", "stored", "stored", "stored", reason])
      _ = try await feeder.pull()
      #expect(try feeder.states.last == reason)
      _ = try await feeder.pull(FileLimits(newest: FileLimits.unbounded))
      #expect(try feeder.library.states == [.stored: 6])
    }
  }

  @Test(arguments: [PullPlan.Scope.newest, .all, .harvest])
  func `the newest posts are chosen when all pages are read, in whatever order they come`(
    scope: PullPlan.Scope
  ) async throws {
    try await withOrigin(.album(posts: 100, pictures: 1)) { origin in
      let library = try TestLibrary()
      origin.change { $0.posts.removeFirst(90) }
      _ = try await library.pull(origin, PullPlan(pictures: true, avatars: false))
      origin.change { $0.posts = Script.album(posts: 100, pictures: 1).posts }
      let report = try await library.pull(
        origin, PullPlan(scope, pages: scope == .newest ? 2 : nil, avatars: false, limits: FileLimits(newest: 3)))
      #expect(report.failure == nil)
      #expect(report.summary.media.downloaded == 3)
      let states = try library.posts.flatMap(\.attachments).map(\.state)
      #expect(states.prefix(3) == [.stored, .stored, .stored])
      #expect(states.dropFirst(3).prefix(60).allSatisfy { $0 == .skipped })
    }
  }

  @Test func `past the most bytes of a pull no file begins, and the rest waits`() async throws {
    try await withOrigin(Script()) { origin in
      let feeder = try Feeder(origin)
      feeder.serveSounds(Array((1...40).reversed()), length: 1)
      let report = try await feeder.pull(FileLimits(maxTotal: 12_000))
      let media = report.summary.media
      #expect((media.downloaded, media.leftOut, media.pastTotal, media.waiting) == (2, 38, 38, 0))
      #expect(media.bytes <= 12_000)
      #expect(Set(try feeder.states) == ["stored", "skipped: past the first 12 KB of its pull"])
      // Those under way learn of it; the others are not asked for.
      #expect(origin.requests.count { $0.path.hasSuffix(".mp3") } < 40)
      _ = try await feeder.pull()
      #expect(try feeder.library.states == [.stored: 2, .skipped: 38])
      _ = try await feeder.pull(FileLimits(maxTotal: FileLimits.unbounded))
      #expect(try feeder.library.states == [.stored: 40])
    }
  }

  @Test func `bytes without an announced length count against the most bytes as they come`() async throws {
    let endless = try RawServer([
      [.pour(Array("\(Self.head)\r\n\(Self.sound)".utf8), [UInt8](repeating: 0x78, count: 4096))]
    ])
    try await withOrigin(Script()) { origin in
      let feeder = try Feeder(origin)
      feeder.serve([(1, [("\(endless.url)/1.mp3", "audio/mpeg", 5)])])
      _ = try await feeder.pull(FileLimits(maxTotal: 50_000))
      #expect(try feeder.states == ["skipped: past the first 50 KB of its pull"])
    }
  }

  @Test(arguments: [true, false])
  func `a feed that declares more than a pull takes asks once before its files begin`(isAllowed: Bool) async throws {
    try await withOrigin(Script()) { origin in
      let feeder = try Feeder(origin)
      feeder.serveSounds([3, 2, 1], length: 400_000_000)
      let asked = Mutex([[Int64]]())
      let before = Mutex(0)
      let report = try await feeder.pull { declared, most in
        asked.withLock { $0.append([declared, most]) }
        before.withLock { $0 = origin.requests.count { $0.path.hasSuffix(".mp3") } }
        return isAllowed
      }
      #expect(asked.withLock { $0 } == [[1_200_000_000, 1_000_000_000]])
      #expect(before.withLock { $0 } == 0)
      // Declared lengths lie: what comes counts.
      #expect((report.summary.media.downloaded, report.summary.media.leftOut) == (3, 0))
    }
  }

  @Test func `a feed that declares less, or whose bound is named, asks nothing`() async throws {
    try await withOrigin(Script()) { origin in
      let feeder = try Feeder(origin)
      feeder.serveSounds([3, 2, 1], length: 300_000_000)
      let asked = Mutex(0)
      for limits in [FileLimits(), FileLimits(maxTotal: 5), FileLimits(maxSize: 100_000_000)] {
        _ = try await feeder.pull(limits) { _, _ in
          asked.withLock { $0 += 1 }
          return true
        }
        feeder.serveSounds([6, 5, 4], length: 900_000_000)
      }
      #expect(asked.withLock { $0 } == 0)
    }
  }

  @Test func `pulls and harvests of a followed feed keep to its limits, and to others as soon as they change`()
    async throws
  {
    try await withOrigin(Script()) { origin in
      let feeder = try Feeder(origin)
      feeder.serveSounds([1], tag: "\"1\"")
      var follow = Follow(
        feed: feeder.feed, every: nil, limits: FileLimits(only: [.image], maxSize: 4000),
        schedule: .init(interval: .seconds(60), dueAt: noon))
      try feeder.library.store.follow(follow, now: noon)
      for scope in [PullPlan.Scope.harvest, .newest, .harvest] {
        _ = try await feeder.pull(scope)
        #expect(try feeder.states == ["skipped: not among the wanted kinds"])
      }
      #expect(feeder.requests("/1.mp3") == 0)
      #expect(origin.requests(to: "/feed").dropFirst().allSatisfy { $0.headers["if-none-match"] == "\"1\"" })
      follow.limits.only = [.audio]
      try feeder.library.store.follow(follow, now: noon)
      _ = try await feeder.pull(.harvest)
      #expect(try feeder.states == ["skipped: larger than 4 KB"])
      // What the pull says itself counts more.
      _ = try await feeder.pull(FileLimits(maxSize: 6000))
      #expect(try feeder.states == ["stored"])
      follow.limits = FileLimits(newest: 1)
      try feeder.library.store.follow(follow, now: noon)
      feeder.serveSounds([3, 2, 1], tag: "\"2\"")
      _ = try await feeder.pull(.harvest)
      #expect(try feeder.states == ["stored", "skipped: not of the newest post", "stored"])
    }
  }

  @Test func `a narrower limit leaves out what an earlier pull could not fetch yet`() async throws {
    try await withOrigin(Script()) { origin in
      let feeder = try Feeder(origin)
      feeder.serveSounds([1])
      origin.change { $0.troubles = [.first(1, "/1.mp3", .gone)] }
      _ = try await feeder.pull()
      #expect(try feeder.states == ["failed"])
      _ = try await feeder.pull(FileLimits(only: [.image]))
      #expect(try feeder.states == ["skipped: not among the wanted kinds"])
      #expect(feeder.requests("/1.mp3") == 1)
    }
  }
}

extension FileLimitTests.Feeder {
  fileprivate func pull(_ scope: PullPlan.Scope) async throws -> PullReport { try await pull(FileLimits(), scope) }
}
