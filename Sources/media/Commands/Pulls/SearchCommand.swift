import ArgumentParser
import Harvest
import Posts
import Services

/// `media search QUERY...`
struct SearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", _superCommandName: Media.name,
    abstract: "Pull the newest results of a server's search, with their pictures.",
    discussion: """
      The server receives the terms unchanged, so its own search syntax applies. \
      \(SourceHelp.about(.search)) "media list --search" searches stored posts.
      """)

  @Argument(
    help: ArgumentHelp("The search terms; quote several words.", valueName: "query"))
  var queries: [String]

  @OptionGroup var pulling: PullOptions
  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() async throws {
    let app = try App(global).capturing(in: pulling.warc)
    defer { app.endCapture() }
    let feeds = try app.parser.feeds(.search, queries, pulling)
    try await app.pullRunner(
      account: pulling.account, plan: try pulling.plan(now: app.time.now()), json: global.json,
      api: pulling.api,
      budget: pulling.spending.price
    )
    .run(feeds)
  }
}
