import ArgumentParser
import Foundation
import Posts
import Terminal

/// How a command ends: every error becomes one line on standard error and one of the fixed statuses.
enum Ending {
  /// A command that has said itself what went wrong.
  struct Quiet: Error { let code: Posts.ExitCode }

  /// Runs a command to its end, beginning on the thread that asks.
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

  /// Says an error on one line and gives its status.
  static func say(_ error: any Error) -> Posts.ExitCode {
    switch error {
    case is Console.ClosedPipe:
      return .done
    case let quiet as Quiet:
      return quiet.code
    case is CancellationError:
      return Interruption.code
    case let explained as any ExplainedError:
      return say(explained.description, explained.exitCode)
    case _ where Media.exitCode(for: error) == .success:
      try? Console().results(Inert(terminated(HelpPage(Media.fullMessage(for: error)).text), keepingLines: true))
      return .done
    case let system as CocoaError:
      return say(system.localizedDescription, .storage)
    default:
      return say(usage(error), .usage)
    }
  }

  private static func say(_ line: String, _ code: Posts.ExitCode) -> Posts.ExitCode {
    Console().error("media: \(line.split(whereSeparator: \.isNewline).joined(separator: " "))")
    return code
  }

  /// The parser's own message without the usage block that follows it.
  private static func usage(_ error: any Error) -> String {
    let message = Media.message(for: error)
    let lines = message.split(whereSeparator: \.isNewline)
    var line = lines.first.map(String.init) ?? "\(error)"
    // What may stand there is listed on lines of their own.
    let choices = lines.dropFirst().map { $0.drop { $0 == " " } }.prefix { $0.hasPrefix("- ") }.map { $0.dropFirst(2) }
    if line.hasSuffix(":") { line += " \(choices.joined(separator: ", "))" }
    if line.last.map({ ".?".contains($0) }) == true { line.removeLast() }
    let command = CommandLine.arguments.dropFirst().first { !$0.hasPrefix("-") }
    let known = command.flatMap { name in
      Media.configuration.subcommands.first { $0._commandName == name }.map { _ in "media \(name)" }
    }
    return "\(line): see \"\(known ?? "media") --help\""
  }

  private static func terminated(_ text: String) -> String { text.hasSuffix("\n") ? text : text + "\n" }
}
