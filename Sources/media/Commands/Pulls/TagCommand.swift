import ArgumentParser
import Harvest
import Posts
import Services

/// `media tag NAME...`
struct TagCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", _superCommandName: Media.name,
    abstract: "Pull the newest posts with a tag, with their pictures.",
    discussion: """
      Reads the newest pages again even if they are stored, to find edits; --new, --all and --resume read other pages. \
      Stored pictures are not downloaded again, and deleted posts stay deleted. "media gaps" shows what a pull could not \
      read. \(SourceHelp.about(.tag))
      """)

  @Argument(
    help: ArgumentHelp("A tag, with or without #; cats@example.social also names the server.", valueName: "name"),
    completion: Completing.pulledTags)
  var names: [String]

  @OptionGroup var pulling: PullOptions
  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() async throws {
    let app = try App(global).capturing(in: pulling.warc)
    defer { app.endCapture() }
    let feeds = try app.parser.feeds(.tag, names, pulling)
    let plan = try pulling.plan(now: app.time.now())
    try await app.pullRunner(
      account: pulling.account, plan: plan, json: global.json, api: pulling.api,
      budget: pulling.spending.price
    )
    .run(feeds)
  }
}
