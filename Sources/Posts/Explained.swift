// Error messages for people, and exit statuses for scripts.

import FoundationEssentials

/// The exit statuses of the `media` command. They are never renumbered.
public enum ExitCode: Int32, Sendable {
  /// Success, also if there was nothing new.
  case done = 0
  /// Some of it failed. Successful parts are stored, and the failures are listed.
  case partial = 1
  /// Wrong usage: an unknown flag, a caption that is too short, a bad date.
  case usage = 64
  /// An answer or an imported file is not what it claims to be.
  case unreadable = 65
  /// The server cannot be reached, fails, or does not have the requested item.
  case unavailable = 69
  /// Reading or writing locally failed.
  case storage = 74
  /// Try again later.
  case tryLater = 75
  /// Not logged in, or the server refuses this account.
  case needsLogin = 77
  /// The configuration cannot be read.
  case configuration = 78
  /// Ended by SIGINT.
  case interrupted = 130
  /// Ended by SIGTERM.
  case terminated = 143
}

/// An error with a message for people: one sentence that says what failed, on what and why, and a remedy.
///
/// Code decides by the error's own cases. The messages are for people, and tests pin them as a whole.
public protocol ExplainedError: LocalizedError, CustomStringConvertible {
  /// What failed, on what, and why. One line, without a full stop at the end and without secrets.
  var summary: String { get }
  /// The same without a word that a server wrote, which may be anything: for what is kept and for logs.
  var recordedSummary: String { get }
  /// What to do about it, as a clause (`run "media login mastodon.social"`); nil if nothing helps.
  var cure: String? { get }
  /// The exit status of the command.
  var exitCode: ExitCode { get }
  /// The server at which a login resolves it; nil if none does, or if it needs more than the server's name.
  var loginServer: Server? { get }
}

extension ExplainedError {
  /// The summary, of an error that quotes no server.
  public var recordedSummary: String { summary }

  /// None.
  public var loginServer: Server? { nil }

  /// One line: the summary, and the remedy if there is one.
  public var description: String { cure.map { "\(summary): \($0)" } ?? summary }

  /// The line for what is kept and for logs.
  public var recorded: String { cure.map { "\(recordedSummary): \($0)" } ?? recordedSummary }

  /// The same line, for programs that show `localizedDescription`.
  public var errorDescription: String? { description }
}
