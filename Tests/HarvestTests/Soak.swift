import Foundation
import HTTP
import Posts
import PropertyTesting
import Services
import Storage
import Testing

@testable import Harvest
@testable import ScriptedOrigin

/// Months of harvests into one library, from a server that may fail in any way at any request: simulated time, real
/// requests and pictures.
struct Soak {
  /// The resources of the process at a moment.
  struct Footprint {
    let requests: Int
    /// Resident memory in bytes, without mapped files but with the origin's.
    let memory: Int
    let files: Int

    init(after requests: Int) {
      self.requests = requests
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
      memory = (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
      files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
    }
  }

  private static let tags = (0..<6).map { "soak\($0)" }
  private static let documents = (0..<3).map { "/feed\($0)" }
  /// Number of posts of a tag, and of items of a document, that the origin shows.
  private static let shown = (posts: 120, items: 40)

  let library: TestLibrary
  let origin: Origin
  private let transport: Transport
  private var dice: Dice
  private var writers: [PostWriter]
  /// The ids of the posts of each tag.
  private var ids = Self.tags.map { _ in [Int]() }
  /// Number of all posts, and of items of each document.
  private(set) var posts = 0
  private var items = Self.documents.map { _ in 0 }
  private(set) var requests = 0

  init(_ origin: Origin, seed: UInt64) throws {
    self.origin = origin
    library = try TestLibrary()
    transport = library.transport
    dice = Dice(state: seed)
    writers = Self.tags.enumerated().map {
      PostWriter(tag: $1, seed: seed &+ UInt64($0), firstPicture: $0 * 1_000_000)
    }
    origin.change { script in
      script.judgesWaits = false
      script.rateFields = false
    }
    let server = try #require(Server(origin.url))
    let feeds =
      Self.tags.map { Feed(source: .mastodon, kind: .tag, value: $0, server: server) }
      + Self.documents.map { Feed(source: .feed, kind: .url, value: origin.url + $0, server: server) }
    for feed in feeds {
      try library.store.follow(FollowPlan(now: noon).follow(feed, every: nil, before: nil), now: noon)
    }
    for _ in 0..<4 { arrive() }
  }

  /// Number of posts and items so far.
  var arrived: Int { posts + items.reduce(0, +) }

  /// The posts and items that the library lacks or holds twice, by feed.
  var differences: [String] {
    get throws {
      var expected: [String: Int] = [:]
      for (tag, ids) in zip(Self.tags, ids) { for id in ids { expected["\(tag) \(id)"] = 1 } }
      for (path, count) in zip(Self.documents, items) {
        for number in 0..<count { expected["\(origin.url)\(path) item-\(number + 1)"] = 1 }
      }
      let query = "SELECT f.value, p.uri FROM feed_post i JOIN feed f ON f.id = i.feed JOIN post p ON p.id = i.post"
      for row in try library.rows(query).map({ $0.split(separator: "|") }) {
        expected["\(row[0]) \(row[1].split { "/#".contains($0) }.last ?? "")", default: 0] -= 1
      }
      return expected.filter { $0.value != 0 }.map { "\($0.value > 0 ? "lacks" : "twice") \($0.key)" }.sorted()
    }
  }

  // MARK: A round

  /// Advances time, adds posts, changes the faults, and harvests what is due.
  mutating func turn() async throws {
    library.clock.pass(1800 + Double(dice.below(3600)))
    arrive()
    let troubles = troubles()
    origin.change { $0.troubles = troubles }
    try await harvest()
  }

  /// Ends all faults, and harvests until each failed feed and picture was retried when due.
  mutating func recover() async throws {
    origin.change { $0.troubles = [] }
    for _ in 0..<45 {
      library.clock.pass(86_400)
      try await harvest()
      if try isSettled { return }
    }
  }

  private var isSettled: Bool {
    get throws {
      let states = try library.states
      return try states[.pending] == nil && states[.failed] == nil && library.store.gaps().isEmpty
        && library.store.follows().allSatisfy { $0.schedule.state == .well }
    }
  }

  private mutating func harvest() async throws {
    let time = library.clock.timekeeper
    let due = try library.store.follows().filter { FollowPlan(now: time.now()).isDue($0) }
    let run = try library.store.beginRun(of: due.count, process: 1, now: time.now())
    let (store, transport, blobs) = (library.store, transport, library.blobs)
    let fetcher: @Sendable () -> PictureFetcher = {
      PictureFetcher(transport: transport, blobs: blobs, store: store, time: time)
    }
    let pictures = PicturePull(
      store: store, pictures: fetcher(), lock: PictureLock(library: library.folder), time: time)
    let harvester = Harvester(store: store, pictures: pictures, time: time, accountsChangedAt: nil) { feed in
      let source: any Source =
        feed.source == .feed
        ? FeedSource(server: feed.server, token: nil, transport: transport, time: time)
        : MastodonSource(server: feed.server, token: nil, transport: transport, time: time)
      return FeedPull(source: source, store: store, pictures: fetcher(), time: time, requests: { 0 })
    }
    let tasks = due.map { HarvestTask($0.feed, follow: $0) }
    let report = await harvester.run(tasks, plan: PullPlan(.harvest, pages: nil), as: run) { _ in }
    if let failure = report.failure { throw failure }
    try store.finishRun(run, as: .done, code: 0, requests: 0, bytes: 0, waited: .zero, now: time.now())
    requests += origin.forgetRequests()
  }

  // MARK: The server

  private mutating func arrive() {
    for index in writers.indices {
      for _ in 0..<dice.below(3) {
        var post = writers[index].post(posts)
        post.attachments = Array(post.attachments.prefix(1))
        ids[index].append(Int(post.id) ?? 0)
        posts += 1
        origin.change { [post] script in
          let tag = Self.tags[index]
          script.posts.insert(post, at: 0)
          if let last = script.posts.lastIndex(where: { $0.tags == [tag] }),
            script.posts.count(where: { $0.tags == [tag] }) > Self.shown.posts
          {
            script.posts.remove(at: last)
          }
        }
      }
    }
    for (index, path) in Self.documents.enumerated() where dice.below(4) == 0 {
      items[index] += 1
      let newest = items[index]
      let shown = (max(1, newest - Self.shown.items + 1)...newest).reversed().map { ScriptedItem($0, at: origin.url) }
      origin.change { $0.documents[path] = .rss(shown, entityTag: "\"\(newest)\"") }
    }
  }

  /// Faults of single requests, sometimes of one feed or all pictures, rarely of the whole server.
  private mutating func troubles() -> [Trouble] {
    if dice.below(40) == 0 { return [.every("/", kind())] }
    let paths = Self.tags.map { "/api/v1/timelines/tag/\($0)" } + Self.documents + ["/media", "/avatars"]
    let single = (0..<dice.below(5)).map { _ in Trouble.nth(1 + dice.below(25), "/", kind()) }
    return dice.below(6) == 0 ? single + [.every(paths[dice.below(paths.count)], kind())] : single
  }

  private mutating func kind() -> Trouble.Kind {
    switch dice.below(10) {
    case 0: .status(500)
    case 1: .status(502, body: "<html>Bad Gateway</html>")
    case 2: .status(503, headers: ["Retry-After": "\(dice.below(1000))"])
    case 3: .status(429, headers: ["Retry-After": "\(dice.below(3) * 200)"])
    case 4: .status(429)
    case 5: .cut(after: dice.below(400))
    case 6: .slow(.milliseconds(1 + dice.below(20)))
    case 7: .html
    case 8: .closed
    default: .garbage((0..<dice.below(100)).map { _ in UInt8(dice.below(256)) })
    }
  }
}
