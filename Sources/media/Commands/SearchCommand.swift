import ArgumentParser
import Harvest
import Posts
import Services

/// `media search QUERY...`
struct SearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", _superCommandName: Media.name,
    abstract: "Pull the newest posts that a server's search finds, with their pictures.",
    discussion: """
      The words go to the server as they are, with all that its search understands. Mastodon searches for people who \
      are logged in alone. On Instagram a search is for a tag, "#cats", and brings its top posts. What is stored already is searched by "media list --search".
      """)

  @Argument(
    help: ArgumentHelp("Words to search for, in quotes where they are several.", valueName: "query"))
  var queries: [String]

  @OptionGroup var pulling: PullOptions
  @OptionGroup(title: HelpPage.globalTitle) var global: GlobalOptions

  func run() async throws {
    let app = try App(global)
    let feeds = try app.feeds(.search, queries, pulling)
    try await PullRunner(
      app: app, account: pulling.account, plan: try pulling.plan(now: app.time.now()), json: global.json,
      api: pulling.api,
      budget: pulling.spending.price
    )
    .run(feeds)
  }
}
