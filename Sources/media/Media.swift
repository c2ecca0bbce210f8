import ArgumentParser
import CMalloc
import Foundation
import Glibc
import Posts

/// The `media` command: reads what was typed, runs one subcommand, and turns every error into one line and its status.
@main
struct Media: AsyncParsableCommand {
  static let version = "0.1.0"

  /// What every command is called behind. Where a command has such a name, the library does not look for its own flag
  /// that prints completions, with two parsers made for that alone: a tenth of what `media list` takes.
  static let name = "media"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Keep a library of the posts and pictures that carry the tags you care about.",
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
          TagCommand.self, UserCommand.self, SearchCommand.self, FeedCommand.self, GapsCommand.self,
          RecheckCommand.self, ScheduleCommand.self,
        ]),
      CommandGroup(
        name: "Harvesting",
        subcommands: [
          FollowCommand.self, UnfollowCommand.self, FollowsCommand.self, HarvestCommand.self, RunsCommand.self,
        ]),
      CommandGroup(
        name: "Looking", subcommands: [ListCommand.self, ShowCommand.self, StatsCommand.self]),
      CommandGroup(
        name: "Tending",
        subcommands: [
          AddCommand.self, DeleteCommand.self, RestoreCommand.self, SettingsCommand.self, CheckCommand.self,
          GarbageCommand.self,
        ]),
      CommandGroup(
        name: "More", subcommands: [DemoCommand.self, CompletionsCommand.self, ManualCommand.self]),
    ])

  /// On the main thread until a command waits for others: what is done at once, a printed list above all, spends a tenth
  /// of its time less than where the first thread of a pool begins for it.
  @MainActor static func main() async {
    Console.openClosedStreams()
    signal(SIGPIPE, SIG_IGN)
    umask(0o077)
    // What one thread has freed others use again: a heap for each of them costs a pull several MB. Of fewer than three the
    // threads of a pull wait for each other hundreds of times. The large pieces, of a long feed above all, go back to the
    // system.
    mallopt(M_ARENA_MAX, 3)
    mallopt(M_MMAP_THRESHOLD, 256 << 10)
    mallopt(M_TRIM_THRESHOLD, 256 << 10)
    // Output is written as it is said and the library is closed: what runs at an ordinary exit would only pull libraries
    // from under the network's thread.
    _exit(await Ending.of { try await run(Array(CommandLine.arguments.dropFirst())) }.rawValue)
  }

  nonisolated(nonsending) private static func run(_ arguments: [String]) async throws {
    try Mistyped.checkBytes()
    try Mistyped.check(arguments)
    var command = try parsed(try Mistyped.joined(arguments))
    if let list = command as? ListCommand, !list.follow {
      // To call its `run()` would leave this thread, also where it only prints.
      try await list.browsing()?.run()
    } else if var asynchronous = command as? any AsyncParsableCommand {
      try await asynchronous.run()
    } else {
      try command.run()
    }
  }

  /// The command that was typed. The one that is named reads its words by itself, in half the time; what it makes nothing
  /// of, help and mistakes above all, is for the root to explain, which knows all commands.
  private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    if let named = configuration.subcommands.first(where: { $0._commandName == arguments.first }),
      let command = try? named.parseAsRoot(Array(arguments.dropFirst())), type(of: command) == named
    {
      return command
    }
    return try parseAsRoot(arguments)
  }
}
