import ArgumentParser
import Filters
import FoundationEssentials
import Harvest
import Machine
import Posts
import Storage
import Terminal
import Web
import Wording

/// `media gaps [FEED]`
struct GapsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gaps", _superCommandName: Media.name,
    abstract: "Show the known gaps of each feed, and fill them.",
    discussion: """
      A gap lies between two complete intervals; "unfinished" is what a pull did not finish reading. With --fill both \
      are read, up to --pages, and failed pictures that are due are retried. "media unfollow" removes a feed that never \
      returned a post, such as a mistyped one.
      """)

  @Argument(
    help: ArgumentHelp("A pulled feed, as its summary names it; all by default.", valueName: "feed"),
    completion: Completing.feeds)
  var feed: String?

  @Flag(help: "Fill the gaps.")
  var fill = false

  @Option(help: "The maximum pages of each feed; unlimited by default.")
  var pages: Int?

  @Option(help: "Posts per page; the source's maximum by default.")
  var pageSize: Int?

  @Option(help: "The login to use, as \"media accounts\" shows it.", completion: Completing.accounts)
  var account: String?

  @OptionGroup var spending: BudgetOption

  @OptionGroup var coming: PictureOptions

  @OptionGroup var limiting: LimitOptions

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    if let pages, pages < 1 { throw ValidationError("--pages \(pages) reads nothing, it must be 1 or more") }
    try PullOptions.check(pageSize: pageSize)
    guard fill || !isAboutFilling else { throw ValidationError("what you typed goes with --fill") }
    try PullOptions.check(limiting.limits(), coming)
    guard feed != nil || spending.budget == nil else { throw ValidationError("--budget goes with the name of a feed") }
  }

  private var isAboutFilling: Bool {
    let isLimited = (try? limiting.limits().isEmpty) == false
    return isLimited || pages != nil || pageSize != nil || account != nil || spending.budget != nil || coming.noPictures
      || coming.noAvatars
  }

  func run() async throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    let (named, gaps, missing, titles, silent) = try app.library.withStore(for: .reading) { store in
      let titles = try store.feedTitles()
      let named = try feed.map { try Self.feed($0, among: try store.feeds(), titles) }
      let locks = app.library.feedLocks.shared(by: store)
      let missing = try MissingByFeed(of: named, in: store, now: app.time.now())
      let gaps = try store.gaps(of: named) { locks.isHeld($0) }
      return (named, gaps, missing, titles.unambiguous, try gaps.map(\.feed).filter { try !store.hasPosts(of: $0) })
    }
    if fill, let named, !named.isPulled, named.page == nil {
      throw UsageError("\(named.name) is an import, which no server can be asked for", cure: "import it again")
    }
    guard fill else {
      try show(gaps, missing, titles, app.output)
      return sayWhatNeverAnswered(silent.map { $0.label(titles) }, app.console)
    }
    var feeds: [Feed] = []
    let pictured = coming.noPictures ? [] : missing.dueFeeds
    for feed in (named.map { [$0] } ?? []) + gaps.map(\.feed) + pictured where !feeds.contains(feed) {
      feeds.append(feed)
    }
    guard !feeds.isEmpty else { return sayNothingIsFilled(missing, titles, app.console) }
    let sites = feeds.filter { $0.page != nil }
    feeds.removeAll { $0.page != nil }
    let plan = PullPlan(
      .gaps, pages: pages, pageSize: pageSize, pictures: !coming.noPictures, avatars: !coming.noAvatars,
      limits: try limiting.limits())
    let runner = app.pullRunner(account: account, plan: plan, json: global.json, budget: spending.price)
    var failure: (any Error)?
    if !feeds.isEmpty { do { try await runner.run(feeds) } catch { failure = error } }
    if !sites.isEmpty, !coming.noPictures {
      let bounds = PageReading.Bounds(first: PagePull.first, mostBytes: plan.limits.maxSize)
      try await PostGetter(app: app, program: nil, bounds: bounds, isJSON: global.json).read(sites)
    }
    if let failure { throw failure }
  }

  private func sayNothingIsFilled(_ missing: MissingByFeed, _ titles: [String: String], _ console: Console) {
    if missing.feeds.isEmpty { return console.message("Nothing is known to be missing.") }
    for line in missing.lines(titles) { console.message("\(line): their next try is not due yet") }
  }

  /// A feed without an answer is a mistyped one more often than not.
  private func sayWhatNeverAnswered(_ feeds: [String], _ console: Console) {
    for feed in feeds.prefix(Self.mostNamed) {
      console.message("\(feed) never answered: \"media unfollow \(feed)\" forgets it.")
    }
    let others = feeds.count - Self.mostNamed
    if others > 0 { console.message("\(NumberText.count(others, "feed")) more never answered.") }
  }

  /// How many feeds without an answer are named.
  private static let mostNamed = 20

  private func show(_ gaps: [Gap], _ missing: MissingByFeed, _ titles: [String: String], _ output: StyledConsole) throws
  {
    if global.json {
      for gap in gaps { try output.console.result(try JSONText.line(gap.json)) }
      // A line of its own would be one more kind of gap, which readers of these lines do not know.
      for line in missing.lines(titles) { output.console.message(line) }
      return
    }
    guard !gaps.isEmpty || !missing.feeds.isEmpty else {
      return output.console.message("Nothing is known to be missing.")
    }
    let times = MomentText()
    let rows = gaps.map { gap in
      let (from, to) = gap.dates
      return [
        gap.feed.label(titles), gap.kind.rawValue, from.map(times.minute) ?? "the beginning",
        to.map(times.minute) ?? "the newest", Self.length(from, to) ?? "",
      ]
    }
    try output.print(
      Table(
        [
          .init("FEED", minimum: 12), .init("MISSING", minimum: 10), .init("FROM", minimum: 13),
          .init("TO", minimum: 10), .init("TIME", minimum: 4),
        ], rows: rows + missing.rows(titles)))
    output.console.message(#""media gaps --fill" reads what is missing, and asks for pictures whose time has come."#)
  }

  /// The time between two edges; nil if one is unknown, as at the end of an unfinished pull.
  private static func length(_ from: Date?, _ to: Date?) -> String? {
    guard let from, let to, to > from else { return nil }
    return NumberText.span(to.timeIntervalSince(from))
  }

  static func feed(_ text: String, among feeds: [Feed], _ titles: [String: String]) throws -> Feed {
    if let feed = try FeedNames.feed(text, among: feeds, titles) { return feed }
    let nearest = Spelling.nearest(to: text, among: feeds.map(\.name))
    throw UsageError(
      "no feed \"\(text)\" was ever pulled",
      cure: nearest.map { "did you mean \($0)?" } ?? "write it as its summary does, such as tag:cats@mastodon.social")
  }
}

extension Gap {
  /// As JSON; unknown values are null.
  fileprivate var json: JSONMembers {
    [
      "feed": feed.name, "kind": kind.rawValue, "above": above, "below": below, "from": from.map(UTC.text),
      "to": to.map(UTC.text),
    ]
  }
}
