import ArgumentParser
import Posts

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

  func run() async throws { try await pulling.pull(.search, queries, global) }
}
