import ArgumentParser
import FoundationEssentials
import Posts
import Terminal

/// Ends a command: every error becomes one line on standard error and a documented exit code.
enum ExitHandling {
  /// A command that has already reported its error.
  struct Quiet: Error { let code: Posts.ExitCode }

  /// Runs a command to its end, starting on the calling thread.
  nonisolated(nonsending) static func of(
    _ command: nonisolated(nonsending) () async throws -> Void
  ) async -> Posts.ExitCode {
    do {
      try await command()
      return .done
    } catch {
      return say(error)
    }
  }

  /// Reports an error on one line. Returns its exit code.
  static func say(_ error: any Error) -> Posts.ExitCode {
    switch error {
    case is Console.ClosedPipe:
      return .done
    case let quiet as Quiet:
      return quiet.code
    case is CancellationError:
      return Interruption.code
    case let explained as any ExplainedError:
      return say(explained.description, explained.exitCode, login: explained.loginServer)
    case _ where Media.exitCode(for: error) == .success:
      try? Console().results(SafeText(terminated(HelpText(Media.fullMessage(for: error)).text), keepingLines: true))
      return .done
    case let system as CocoaError:
      return say(FileErrorText.of(system), .storage)
    default:
      return say(usage(error), .usage)
    }
  }

  /// Ends a command of several parts, some of which failed. One part ends with its own error. For several, each error is
  /// reported, and the exit code is their common one or that of a partial failure.
  static func end(_ failures: [any Error], of parts: Int) throws {
    guard let first = failures.first else { return }
    if parts == 1 { throw first }
    let codes = Set(failures.map { say($0) })
    throw Quiet(code: codes.count == 1 && failures.count == parts ? codes.first ?? .partial : .partial)
  }

  private static func say(_ line: String, _ code: Posts.ExitCode, login: Server? = nil) -> Posts.ExitCode {
    Console().failure("\(line.split(whereSeparator: \.isNewline).joined(separator: " "))", code, login: login)
    return code
  }

  /// What an argument of that name wants, and where it is shown.
  private static let numbers = [
    "id": "the number of a post, as \"media list\" shows it",
    "run": "the number of a harvest, as \"media runs\" shows it",
  ]

  /// The parser's message without the usage block.
  private static func usage(_ error: any Error) -> String {
    let message = Media.message(for: error)
    let lines = message.split(whereSeparator: \.isNewline)
    var line = lines.first.map(String.init) ?? "\(error)"
    // The parser lists allowed values on lines of their own.
    let choices = lines.dropFirst().map { $0.drop { $0 == " " } }.prefix { $0.hasPrefix("- ") }.map { $0.dropFirst(2) }
    if line.hasSuffix(":") { line += " \(choices.joined(separator: ", "))" }
    if line.last.map({ ".?".contains($0) }) == true { line.removeLast() }
    if choices.isEmpty, !line.contains(". Please provide "), line.hasPrefix("The value '"),
      line.contains("' is invalid for '")
    {
      let wanted = numbers.first { line.hasSuffix("'<\($0.key)>'") }?.value
      line += ", give \(wanted ?? "a number")"
    }
    var (named, commands) = ([Media.name], Media.configuration.subcommands)
    for word in CommandLine.arguments.dropFirst() where !word.hasPrefix("-") {
      guard let command = commands.first(where: { $0._commandName == word }) else { break }
      named.append(word)
      commands = command.configuration.subcommands
    }
    return "\(line): see \"\(named.joined(separator: " ")) --help\""
  }

  private static func terminated(_ text: String) -> String { text.hasSuffix("\n") ? text : text + "\n" }
}
