import ArgumentParser
import Foundation
import Harvest
import Posts
import Storage

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
    help: "The kind of service of the named feeds, if it is ambiguous.", completion: Completing.sources)
  var source: String?

  @OptionGroup var coming: PictureOptions

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    guard source == nil || !feeds.isEmpty else { throw ValidationError("--source goes with the name of a feed") }
  }

  func run() async throws {
    let app = try App(global)
    if feeds.isEmpty { try app.expectLibrary() }
    let named = try await named(app)
    guard named != nil || app.hasLibrary else { return Self.sayNothingIsFollowed(app) }
    let lock = try await lock(app)
    defer { withExtendedLifetime(lock) {} }
    let store = try app.openStore()
    defer { store.close() }
    let follows = try store.follows()
    if named == nil, follows.isEmpty { return Self.sayNothingIsFollowed(app) }
    let errands = errands(named, follows, app)
    let mayFetch = try !coming.noPictures && !store.duePictures(limit: 1, now: app.time.now()).isEmpty
    let mayLook = try store.hasDuePosts(now: app.time.now())
    guard !errands.isEmpty || mayFetch || mayLook else { return sayNothingIsDue(follows, app) }
    try await HarvestRunner(app: app, store: store, json: global.json).run(
      errands, plan: PullPlan(.harvest, pages: nil, pictures: !coming.noPictures, avatars: !coming.noAvatars))
  }

  /// The lock of harvests, acquired after the random delay and, with `--wait`, after waiting for it.
  private func lock(_ app: App) async throws -> HarvestLock.Held {
    let patience = try wait.flatMap { $0.isEmpty ? nil : try app.duration($0, for: "--wait") }
    let jitter = try jitter.map { try app.duration($0, for: "--jitter") }
    // The lock is a file of the library.
    if !app.hasLibrary { try app.withStore { _ in } }
    return try await Interruption.guarding { [wait] in
      if let jitter { try await app.time.sleep(jitter * app.time.chance()) }
      let lock = app.harvestLock
      if wait == nil { return try lock.acquire(now: app.time.now()) }
      return try await lock.acquire(within: patience, time: app.time) {
        app.console.message("media: waiting: \($0.summary)")
      }
    }
  }

  /// The named feeds without duplicates; nil if none are named.
  private func named(_ app: App) async throws -> [Feed]? {
    guard !feeds.isEmpty else { return nil }
    let (known, titles) = try app.withStore(for: .reading) { (try $0.feeds(), try $0.feedTitles()) }
    var named: [Feed] = []
    for text in feeds {
      let feed = try await app.feed(named: text, source: source, among: known, titles)
      if !named.contains(feed) { named.append(feed) }
    }
    return named
  }

  private func errands(_ named: [Feed]?, _ follows: [Follow], _ app: App) -> [HarvestTask] {
    let plan = FollowPlan(now: app.time.now(), accountsChangedAt: app.accountsChangedAt)
    let known = Dictionary(follows.map { ($0.feed, $0) }) { first, _ in first }
    guard let named else {
      let selected = follows.filter { due ? plan.isDue($0) : $0.schedule.state != .gone }
      return selected.map { HarvestTask($0.feed, follow: $0) }
    }
    return named.map { HarvestTask($0, follow: known[$0]) }.filter { !due || $0.follow.map(plan.isDue) ?? true }
  }

  private static func sayNothingIsFollowed(_ app: App) {
    app.console.message("Nothing is followed yet: \"media follow cats@mastodon.social\" begins.")
  }

  private func sayNothingIsDue(_ follows: [Follow], _ app: App) {
    let next = follows.compactMap(\.schedule.dueAt).min().map { ", the next is at \(TimeText().short($0))" }
    app.console.message("No feed is due\(next ?? "").")
  }
}
