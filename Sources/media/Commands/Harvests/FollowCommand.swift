import ArgumentParser
import Harvest
import Posts
import Services
import Storage
import Terminal

/// `media follow FEED`
struct FollowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", _superCommandName: Media.name, abstract: "Make harvests pull a feed.",
    discussion: """
      Without --every the interval adapts, between 15 minutes and a day: quiet feeds are pulled less often, busy ones \
      more often. Following a feed again changes its interval. Pulls of the feed keep to the limits given here, unless they name \
      their own; following it again changes those that are given. The server of a new feed is asked once whether it has it. \
      A feed that was never pulled begins with its newest page; \
      "media tag NAME --all", or user, search or feed, brings the rest. An address that no source knows is followed as the page of \
      another site, if "media get" can read it.
      """)

  @Argument(
    help: ArgumentHelp(
      "The feed: a tag such as cats@mastodon.social, user:birds@photos.example, search:WORDS, or an address.",
      valueName: "feed"),
    completion: Completing.feeds)
  var feed: String

  @Option(help: ArgumentHelp("The interval between two pulls, such as 15m or 2h, at least 1m.", valueName: "time"))
  var every: String?

  @Option(
    help: "The kind of service: \(SourceHelp.names(withAddresses: true)); detected by default.",
    completion: Completing.sources)
  var source: String?

  @OptionGroup var limiting: LimitOptions

  @Flag(help: "Do not ask the server whether it has the feed.")
  var unchecked = false

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() async throws {
    let app = try App(global)
    let every = try every.map { try Measures.duration($0, for: "--every", atLeast: .seconds(60)) }
    let limits = try limiting.limits()
    let feed = try await found(app)
    guard feed.page == nil || limits.newest == nil else {
      throw UsageError(
        "--newest does not bound a page that another program reads",
        cure: "leave it out; --only and --max-size bound it")
    }
    let (before, now) = try app.library.withStore { store in
      let before = try store.follow(of: feed)
      var now = FollowPlan(now: app.time.now()).follow(feed, every: every, before: before)
      now.limits = limits.over(now.limits)
      try store.follow(now, now: app.time.now())
      return (before, now)
    }
    if before == nil { app.transports.keepFound() }
    if global.json { return try app.console.result(try JSONText.line(now.json)) }
    guard !global.quiet else { return }
    try app.console.result(text(now, before: before))
    if let every, let held = FollowTable.shortened(every, of: now) { app.console.message("media: \(held)") }
  }

  /// The named feed, which its server shows.
  private func found(_ app: App) async throws -> Feed {
    let (known, titles) = try app.library.withStore(for: .reading) { (try $0.feeds(), try $0.feedTitles()) }
    if let page = try Feed(page: feed) { return page }
    do {
      let feed = try await app.feeds.feed(
        named: feed, source: source, among: known, titles, asking: !unchecked)
      return unchecked || feed.page != nil ? feed : try await app.followCheck.run(feed)
    } catch let failure as SourceError where failure.isOfNoFeed && Feed.importing(feed).page != nil {
      let page = Feed.importing(try Feed.typedAddress(feed))
      guard try app.mayReadPages() else { throw FollowRefused(failure: failure) }
      return page
    } catch let failure as SourceError where failure != .cancelled {
      throw FollowRefused(failure: failure)
    } catch let failure as LoginAdvice {
      throw FollowRefused(failure: failure)
    }
  }

  private func text(_ follow: Follow, before: Follow?) -> SafeText {
    let name = follow.feed.spoken
    let pace = [FollowTable.pace(of: follow), FollowTable.limits(of: follow)].compactMap(\.self).joined(separator: "; ")
    guard let before else { return "\(name) is followed, \(pace): \"media harvest\" pulls it" }
    if before.every == follow.every, before.limits == follow.limits, before.schedule.state != .gone {
      return "\(name) is followed already, \(pace)"
    }
    return "\(name) is followed, now \(pace)"
  }
}

/// `media unfollow FEED`
struct UnfollowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unfollow", _superCommandName: Media.name,
    abstract: "Stop harvests from pulling a feed. Its posts stay.",
    discussion: """
      A feed that never returned a post, such as a mistyped one, is removed, whether it was followed or only pulled: \
      neither "media gaps" nor a list's refresh uses it any more.
      """)

  @Argument(
    help: ArgumentHelp("A feed as \"media follows\" names it, or an unambiguous part of its name.", valueName: "feed"),
    completion: Completing.feeds)
  var feed: String

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() async throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    let (follows, known, titles) = try app.library.withStore(for: .reading) {
      (try $0.follows().map(\.feed), try $0.feeds(), try $0.feedTitles())
    }
    let followed = try FeedNames.feed(feed, among: follows, titles)
    guard let named = try followed ?? FeedNames.feed(feed, among: known, titles) else { throw notFollowed }
    let store = try app.library.openStore()
    defer { store.close() }
    // A pull under way writes to rows that this would delete.
    let locks = app.library.feedLocks.shared(by: store)
    let held = try? await locks.hold(named, within: .zero, time: app.time) {}
    let isForgotten = try withExtendedLifetime(held) {
      if followed != nil { _ = try store.unfollow(named) }
      return try held != nil && store.forgetEmpty(named)
    }
    guard isForgotten || followed != nil else { throw notFollowed }
    if global.json {
      return try app.console.result(try JSONText.object(["unfollowed": named.name, "forgotten": isForgotten]))
    }
    guard !global.quiet else { return }
    let after: SafeText = isForgotten ? "it never returned a post, and is removed" : "its posts stay"
    try app.console.result("\(named.spoken)\(followed == nil ? ": " : " is no longer followed, ")\(after)")
  }

  private var notFollowed: UsageError {
    UsageError("\"\(feed)\" is not followed", cure: "\"media follows\" names what is")
  }
}

/// `media follows`
struct FollowsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follows", _superCommandName: Media.name,
    abstract: "Show the followed feeds and the state of each.")

  @Flag(help: "Show the feeds that are not followed, too, and since when each is complete.")
  var all = false

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    let (follows, others, titles) = try app.library.withStore(for: .reading) { store in
      let follows = try store.follows().map { follow in
        follow.schedule.pulledAt == nil ? follow.noting(try store.coverage(of: follow.feed)) : follow
      }
      let others = all ? try self.others(than: follows, in: store, app) : []
      return (follows, others, try store.feedTitles().unambiguous)
    }
    if global.json {
      for follow in follows { try app.console.result(try JSONText.line(follow.json)) }
      for other in others { try app.console.result(try JSONText.line(other.json)) }
      return
    }
    guard !follows.isEmpty || !others.isEmpty else {
      return app.console.message("Nothing is followed yet: \"media follow cats@mastodon.social\" begins.")
    }
    let text = FollowTable(now: app.time.now(), accountsChangedAt: app.logins.changedAt)
    let columns: [Table.Column] = [
      .init("FEED", minimum: 12), .init("EVERY", minimum: 6), .init("LAST", minimum: 11), .init("NEXT", minimum: 5),
      .init("STATE", minimum: 8, givesWayFirst: true, wraps: true),
    ]
    var rows = follows.map { [$0.feed.label(titles)] + text.cells(of: $0) }
    rows += others.map { [$0.feed.label(titles)] + text.cells(of: $0) }
    try app.output.print(Table(columns, rows: rows))
  }

  /// The feeds that are not followed.
  private func others(than follows: [Follow], in store: Store, _ app: App) throws -> [FeedCoverage] {
    let followed = Set(follows.map(\.feed))
    let locks = app.library.feedLocks.shared(by: store)
    return try store.feeds().filter { !followed.contains($0) }
      .map { try store.coverage(of: $0) { locks.isHeld($0) } }
  }
}
