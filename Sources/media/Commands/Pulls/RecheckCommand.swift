import ArgumentParser
import FoundationEssentials
import Login
import Posts
import Storage
import Terminal

/// `media recheck [FEED] [--since DATE]`
struct RecheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recheck", _superCommandName: Media.name,
    abstract: "Look up known posts again, to find edited and removed ones.",
    discussion: """
      "media show" shows an edited post with its earlier versions. Posts that are gone from their server are marked, \
      never removed. Single posts \(SourceHelp.lost), cannot be looked up.
      """)

  @Argument(
    help: ArgumentHelp("A pulled feed, as its summary names it; all by default.", valueName: "feed"),
    completion: Completing.feeds)
  var feed: String?

  @Option(help: ArgumentHelp("Only posts written since then.", valueName: "date"))
  var since: String?

  @Option(help: "The login to use, as \"media accounts\" shows it.", completion: Completing.accounts)
  var account: String?

  @OptionGroup var spending: BudgetOption

  @Flag(help: "Do not download pictures of edited posts.")
  var noPictures = false

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func validate() throws {
    guard feed != nil || spending.budget == nil else { throw ValidationError("--budget goes with the name of a feed") }
  }

  func run() async throws {
    let app = try App(global)
    try app.library.expectIfNamed()
    let since = try since.map { try TimeText().past($0, for: "--since", now: app.time.now()) }
    let (feeds, titles) = try app.library.withStore(for: .reading) { (try $0.feeds(), try $0.feedTitles()) }
    let named = try feed.map { text in
      guard let feed = try FeedNames.feed(text, among: feeds, titles) else {
        throw UsageError("no feed \"\(text)\" was ever pulled", cure: "name one as its summary does")
      }
      return feed
    }
    guard !feeds.isEmpty else { return app.console.message("No feed was ever pulled.") }
    let store = try app.library.openStore()
    defer { store.close() }
    let login = try account.map { try app.accounts.choose($0) }
    let requested = try (named.map { [$0] } ?? feeds.filter { login?.isOf($0) ?? true })
      .filter { try app.rechecks.ability(of: $0, in: store).isPossible }
    if let named, requested.isEmpty {
      throw UsageError(
        "posts of \(named.spoken) cannot be looked up: their source shows them in its feeds alone")
    }
    guard !requested.isEmpty else { return app.console.message("There is no server that posts could be looked up at.") }
    let runner = app.recheckRunner(
      account: account, since: since, pictures: !noPictures, json: global.json, budget: spending.price)
    try await runner.run(requested, in: store)
  }
}

extension Account {
  /// Whether a login at a feed's server exists.
  fileprivate func isOf(_ feed: Feed) -> Bool { server == feed.server && source == feed.source }
}
