import ArgumentParser
import Posts

/// `media user HANDLE...`
struct UserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user", _superCommandName: Media.name,
    abstract: "Pull the newest posts of a user, with their pictures.",
    discussion: """
      Pulls what the user wrote and what they boosted; a boosted post keeps its own author. The flags for pages are those \
      of "media tag". With --server, that server is asked for users of other servers, too: it knows only those of their \
      posts that it received. \(SourceHelp.about(.user))
      """)

  @Argument(
    help: ArgumentHelp("A user: birds, or birds@photos.example with its server.", valueName: "handle"),
    completion: Completing.pulledUsers)
  var handles: [String]

  @OptionGroup var pulling: PullOptions
  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() async throws { try await pulling.pull(.user, handles, global) }
}
