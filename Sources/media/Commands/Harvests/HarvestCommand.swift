import ArgumentParser
import FoundationEssentials
import HTTP
import Harvest
import Machine
import MediaLibrary
import Posts
import Serving
import Storage
import Wording

/// `media harvest [FEED...]`
struct HarvestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "harvest", _superCommandName: Media.name, abstract: "Pull the new posts of every followed feed.",
    discussion: """
      Reads each feed from the known posts up to its newest post, then fills some of its gaps, and retries pictures that \
      are due. A failed feed does not stop the others; it is retried with growing delays of up to a day. For a crontab, \
      use --due to pull only feeds that are due, and --quiet to print nothing on success. "media runs" shows the results.
      """)

  @Argument(
    help: ArgumentHelp("Feeds to pull, followed or not; all followed feeds by default.", valueName: "feed"),
    completion: Completing.feeds)
  var feeds: [String] = []

  @Flag(help: "Pull only feeds that are due.")
  var due = false

  @Option(
    help: ArgumentHelp(
      "Wait for a random part of this time, so that not all machines start at once.", valueName: "time"))
  var jitter: String?

  @Option(
    defaultAsFlag: "", parsing: .scanningForValue,
    help: ArgumentHelp(
      "Wait at most this long for another harvest to end; without limit by default.", valueName: "time"))
  var wait: String?

  @Option(
    help: ArgumentHelp(
      "In a library that machines share: pull what is due, this many feeds at once, until ended.", valueName: "n"))
  var workers: Int?

  @Option(
    help: ArgumentHelp(
      "With --workers: an address of this machine's own and a port, where Prometheus collects numbers at /metrics.",
      valueName: "address:port"))
  var metrics: String?

  @Option(
    help: "The kind of service of the named feeds, if it is ambiguous.", completion: Completing.sources)
  var source: String?

  @OptionGroup var coming: PictureOptions

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    guard source == nil || !feeds.isEmpty else { throw ValidationError("--source goes with the name of a feed") }
    _ = try metrics.map(MetricsEndpoint.init(option:))
    guard let workers else {
      guard metrics == nil else { throw ValidationError("--metrics goes with --workers") }
      return
    }
    guard (1...64).contains(workers) else { throw ValidationError("--workers is a number from 1 to 64") }
    guard feeds.isEmpty, !due, jitter == nil, wait == nil else {
      throw ValidationError("--workers pulls what is due: leave out feeds, --due, --jitter and --wait")
    }
  }

  func run() async throws {
    let app = try App(global)
    if let workers {
      let tally = RequestTally()
      return try await work(workers, metrics == nil ? app : app.counting(tally), tally)
    }
    if feeds.isEmpty { try app.library.expectIfNamed() }
    let named = try await named(app.feeds)
    guard named != nil || app.library.exists else { return Self.sayNothingIsFollowed(app.console) }
    let lock = try await lock(app.library, app.console, app.time)
    defer { withExtendedLifetime(lock) {} }
    let store = try app.library.openStore()
    defer { store.close() }
    let time = app.time
    async let _ = LateSteps.words.run(in: store, time.sleep)
    let follows = try store.follows()
    if named == nil, follows.isEmpty {
      Self.sayNothingIsFollowed(app.console)
      // Imports and posts of the person's own have files, too.
      return try await app.harvestRunner(in: store, json: global.json).inspect()
    }
    var errands = errands(
      named, follows, FollowPlan(now: app.time.now(), accountsChangedAt: app.logins.changedAt))
    if coming.noPictures {
      for page in errands.map(\.feed) where page.page != nil {
        app.console.message("media: \(page.spoken) comes only with its pictures: it is left alone")
      }
      errands.removeAll { $0.feed.page != nil }
    }
    let mayFetch = try !coming.noPictures && !store.duePictures(limit: 1, now: app.time.now()).isEmpty
    let mayLook = try store.hasDuePosts(now: app.time.now())
    guard !errands.isEmpty || mayFetch || mayLook else { return sayNothingIsDue(follows, app.console) }
    try await app.harvestRunner(in: store, json: global.json).run(
      errands, plan: PullPlan(.harvest, pages: nil, pictures: !coming.noPictures, avatars: !coming.noAvatars))
  }

  /// Pulls what is due until it is ended.
  private func work(_ count: Int, _ app: App, _ tally: RequestTally) async throws {
    guard app.library.address != nil else {
      throw UsageError(
        "workers want a library that machines share, and this one is a folder",
        cure: "\"media harvest\" pulls its feeds, and \"media schedule install\" lets cron do it")
    }
    let store = try app.library.openStore()
    defer { store.close() }
    guard let leases = store.leases else { return }
    let server = try metrics.map { metrics in
      try MetricsServer(at: MetricsEndpoint(option: metrics)) { $0.text(of: tally.metrics(version: Media.version)) }
    }
    defer { server?.close() }
    try await HarvestWorkers(
      console: app.console, store: store, leases: leases, locks: app.library.feedLocks.shared(by: store),
      runner: try app.harvestRunner(in: store, json: global.json, isLocking: false),
      accountsChangedAt: app.logins.changedAt, time: app.time, clock: app.clock,
      plan: PullPlan(.harvest, pages: nil, pictures: !coming.noPictures, avatars: !coming.noAvatars),
      manager: ServiceManager(app.environment), tally: tally
    ).run(count)
  }

  /// The lock of harvests, acquired after the random delay and, with `--wait`, after waiting for it.
  private func lock(
    _ library: LibraryOpener, _ console: Console, _ time: TimeSource
  ) async throws -> LockFile {
    let patience = try wait.flatMap { $0.isEmpty ? nil : try Measures.duration($0, for: "--wait") }
    let jitter = try jitter.map { try Measures.duration($0, for: "--jitter") }
    // The lock is a file of the library.
    if !library.exists { try library.withStore { _ in } }
    return try await Interruption.guarding { [wait] in
      if let jitter { try await time.sleep(jitter * time.chance()) }
      let lock = library.harvestLock
      if wait == nil { return try lock.acquire(now: time.now()) }
      return try await lock.acquire(within: patience, time: time) {
        console.message("media: waiting: \($0.summary)")
      }
    }
  }

  /// The named feeds without duplicates; nil if none are named.
  private func named(_ resolver: FeedResolver) async throws -> [Feed]? {
    guard !feeds.isEmpty else { return nil }
    let (known, titles) = try resolver.library.withStore(for: .reading) { (try $0.feeds(), try $0.feedTitles()) }
    var named: [Feed] = []
    for text in feeds {
      let feed = try await resolver.feed(named: text, source: source, among: known, titles)
      if !named.contains(feed) { named.append(feed) }
    }
    return named
  }

  private func errands(_ named: [Feed]?, _ follows: [Follow], _ plan: FollowPlan) -> [HarvestTask] {
    let known = Dictionary(follows.map { ($0.feed, $0) }) { first, _ in first }
    guard let named else {
      let selected = follows.filter { due ? plan.isDue($0) : $0.schedule.state != .gone }
      return selected.map { HarvestTask($0.feed, follow: $0) }
    }
    return named.map { HarvestTask($0, follow: known[$0]) }.filter { !due || $0.follow.map(plan.isDue) ?? true }
  }

  private static func sayNothingIsFollowed(_ console: Console) {
    console.message("Nothing is followed yet: \"media follow cats@mastodon.social\" begins.")
  }

  private func sayNothingIsDue(_ follows: [Follow], _ console: Console) {
    let next = follows.compactMap(\.schedule.dueAt).min().map { ", the next is at \(MomentText().minute($0))" }
    console.message("No feed is due\(next ?? "").")
  }
}
