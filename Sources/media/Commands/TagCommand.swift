import ArgumentParser
import Foundation
import Harvest
import Posts

/// `media tag NAME...`
struct TagCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "Pull the newest posts that carry a tag, with their pictures.",
    discussion: """
      Reads the newest pages again even when they are stored, so that edits are seen. What is stored is never fetched \
      twice, and what you deleted stays deleted.
      """)

  @Argument(
    help: ArgumentHelp("A tag, with or without #; cats@example.social names its server too.", valueName: "name"))
  var names: [String]

  @OptionGroup var pulling: PullOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let app = try App(global)
    let feeds = try names.map { try app.feed(.tag, $0, pulling) }
    let plan = try pulling.plan()
    try await PullRunner(app: app, account: pulling.account, plan: plan, json: global.json).run(feeds)
  }
}

/// The flags of every command that pulls.
struct PullOptions: ParsableArguments {
  @Option(help: "How many pages to read, newest first; 1, or as many as --since needs.")
  var pages: Int?

  @Option(help: "Posts a page; the most the source allows unless said otherwise.")
  var pageSize: Int?

  @Option(help: ArgumentHelp("End at the first page whose every post is older.", valueName: "date"))
  var since: String?

  @Option(help: ArgumentHelp("The server to ask: a host, or a URL when it is not https.", valueName: "url"))
  var server: String?

  @Option(help: "The login to use, as \"media accounts\" shows it.")
  var account: String?

  @Option(help: "The kind of service: mastodon (Pixelfed and others too).")
  var source: String?

  @Flag(help: "Leave the posts' pictures where they are.")
  var noPictures = false

  @Flag(help: "Leave the authors' avatars where they are.")
  var noAvatars = false

  @Flag(help: "Try pictures again that failed before.")
  var retryFailed = false

  func validate() throws {
    if let pages, pages < 1 { throw ValidationError("--pages \(pages) reads nothing, it must be 1 or more") }
    guard pageSize.map({ $0 >= 1 }) ?? true else { throw ValidationError("--page-size must be 1 or more") }
    guard !(noPictures && retryFailed) else {
      throw ValidationError("--retry-failed needs pictures, not --no-pictures")
    }
  }

  /// What the flags ask for.
  func plan() throws -> PullPlan {
    PullPlan(
      pages: pages ?? (since == nil ? 1 : nil), pageSize: pageSize,
      since: try since.map { try TimeText().moment($0, for: "--since") },
      pictures: !noPictures, avatars: !noAvatars, retryFailed: retryFailed)
  }
}
