import ArgumentParser
import Posts

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

  func run() async throws { try await pulling.pull(.tag, names, global) }
}
