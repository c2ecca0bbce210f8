import ArgumentParser
import CMalloc
import Glibc
import Posts
import Terminal

/// The `media` command: parses the arguments, runs one subcommand, and turns every error into one line and an exit code.
@main
struct Media: AsyncParsableCommand {
  static let version = "0.1.0"
  /// The day on which this version was last described, for its manual page.
  static let date = "2026-11-26"

  /// The address that requests name, so that those who run servers find out what asks them.
  static let website = "https://media.example"

  /// The name before every command. With it, the library does not search for its own flag that prints completions, for
  /// which it creates two parsers: a tenth of the time of `media list`.
  static let name = "media"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Keep a library of posts and pictures by tag.",
    discussion: """
      Begin with "media login mastodon.social", then "media tag cats --pages 3", then "media list". \
      "media demo" serves made-up posts to try it all without a network.
      """,
    version: version,
    groupedSubcommands: [
      CommandGroup(name: "Accounts", subcommands: [LoginCommand.self, LogoutCommand.self, AccountsCommand.self]),
      CommandGroup(
        name: "Pulling",
        subcommands: [
          GetCommand.self, TagCommand.self, UserCommand.self, SearchCommand.self, FeedCommand.self, GapsCommand.self,
          RecheckCommand.self, PicturesCommand.self,
        ]),
      CommandGroup(
        name: "Harvesting",
        subcommands: [
          FollowCommand.self, UnfollowCommand.self, FollowsCommand.self, HarvestCommand.self, RunsCommand.self,
          ScheduleCommand.self,
        ]),
      CommandGroup(
        name: "Reading",
        subcommands: [
          ListCommand.self, ShowCommand.self, OpenCommand.self, ServeCommand.self, SameCommand.self, StatsCommand.self,
        ]),
      CommandGroup(
        name: "Writing",
        subcommands: [
          AddCommand.self, PlanCommand.self, EditCommand.self, DeleteCommand.self, RestoreCommand.self,
        ]),
      CommandGroup(
        name: "Sorting",
        subcommands: [
          MarkCommand.self, AlbumCommand.self, SearchesCommand.self, ShareCommand.self, HideCommand.self,
          UnhideCommand.self, HiddenCommand.self, RulesCommand.self, UndoCommand.self,
        ]),
      CommandGroup(
        name: "Transfer",
        subcommands: [ImportCommand.self, ExportCommand.self, BackupCommand.self, CopyCommand.self]),
      CommandGroup(
        name: "Maintenance",
        subcommands: [
          SettingsCommand.self, DoctorCommand.self, LookCommand.self, CheckCommand.self, GarbageCommand.self,
          LibraryCommand.self,
        ]),
      CommandGroup(
        name: "More", subcommands: [DemoCommand.self, CompletionsCommand.self, ManualCommand.self]),
    ])

  /// Runs on the main thread until the command waits. What ends without waiting, a printed list above all, then takes a
  /// tenth less time than on the first thread of a pool.
  @MainActor static func main() async {
    Console.openClosedStreams()
    signal(SIGPIPE, SIG_IGN)
    CallerUmask.narrow()
    // Threads share heaps: a heap for each thread costs a pull several MB. With fewer than three, a pull's threads wait for
    // each other hundreds of times. Large blocks, of a long feed above all, return to the system.
    mallopt(M_ARENA_MAX, 3)
    mallopt(M_MMAP_THRESHOLD, 256 << 10)
    mallopt(M_TRIM_THRESHOLD, 256 << 10)
    // What one stored post may take back is allocated for each post anew: a heap that grew and shrank with it cost an import
    // of lines of JSON a sixth of its processor time.
    mallopt(M_TOP_PAD, 1 << 20)
    // Output is written and the library is closed: the handlers of an ordinary exit would only unload libraries that the
    // network's thread still uses.
    _exit(await ExitHandling.of { try await run(Array(CommandLine.arguments.dropFirst())) }.rawValue)
  }

  nonisolated(nonsending) private static func run(_ arguments: [String]) async throws {
    try ArgumentHints.checkBytes()
    if VersionReport.isMeant(by: arguments) {
      return try Console().results(SafeText(VersionReport.text, keepingLines: true))
    }
    let arguments = ArgumentHints.negated(PostIDs.joined(ArgumentHints.completions(arguments)))
    try ArgumentHints.check(arguments)
    try LogFormat.checkEnvironment()
    var command = try parsed(try ArgumentHints.joined(arguments))
    if let list = command as? ListCommand, !list.follow, !list.isByMeaning {
      // Calling its `run()` would leave this thread, even if it only prints.
      try await list.browsing()?.run()
    } else if var asynchronous = command as? any AsyncParsableCommand {
      try await asynchronous.run()
    } else {
      try command.run()
    }
  }

  /// The command of the arguments. The named command parses its arguments by itself, in half the time. If it cannot, for
  /// help and mistakes above all, the root parses again, because it knows all commands.
  private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    if let named = configuration.subcommands.first(where: { $0._commandName == arguments.first }),
      let command = try? named.parseAsRoot(Array(arguments.dropFirst())), type(of: command) == named
    {
      return command
    }
    return try parseAsRoot(arguments)
  }
}
