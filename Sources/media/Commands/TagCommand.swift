import ArgumentParser
import Harvest
import Posts
import Services

/// `media tag NAME...`
struct TagCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", _superCommandName: Media.name,
    abstract: "Pull the newest posts that carry a tag, with their pictures.",
    discussion: """
      Reads the newest pages again even when they are stored, so that edits are seen; --new, --all and --resume read \
      other ones. A picture that is kept is never fetched twice, and what you deleted stays deleted. What a pull could \
      not read is known: "media gaps" shows it.
      """)

  @Argument(
    help: ArgumentHelp("A tag, with or without #; cats@example.social names its server too.", valueName: "name"),
    completion: Completing.pulledTags)
  var names: [String]

  @OptionGroup var pulling: PullOptions
  @OptionGroup(title: HelpPage.globalTitle) var global: GlobalOptions

  func run() async throws {
    let app = try App(global)
    let feeds = try app.feeds(.tag, names, pulling)
    let plan = try pulling.plan(now: app.time.now())
    try await PullRunner(
      app: app, account: pulling.account, plan: plan, json: global.json, api: pulling.api,
      budget: pulling.spending.price
    )
    .run(feeds)
  }
}
