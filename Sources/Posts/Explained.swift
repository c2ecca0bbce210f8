// What a person reads when something fails, and what a script gets as exit status.

/// The exit statuses of the `media` command. They are never renumbered.
public enum ExitCode: Int32, Sendable {
  /// Done, also when there was nothing new.
  case done = 0
  /// Some of it failed; what succeeded is stored and the failures are listed.
  case partial = 1
  /// Wrong usage: an unknown flag, a caption that is too short, a bad date.
  case usage = 64
  /// An answer or an imported file is not what it claims to be.
  case unreadable = 65
  /// The server cannot be reached, fails, or does not have what was asked for.
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

/// An error a person can act on: one sentence of what failed, on what and why, and the cure beside it.
///
/// Code decides by the error's own cases; these words are for people and are pinned whole in tests.
public protocol ExplainedError: Error, CustomStringConvertible {
  /// What failed, on what, and why: no full stop at the end, no token, one line.
  var summary: String { get }
  /// What to do about it, as a clause (`run "media login mastodon.social"`), or nil where nothing helps.
  var cure: String? { get }
  /// The status the command ends with.
  var exitCode: ExitCode { get }
}

extension ExplainedError {
  /// One line: the summary and, where there is one, the cure.
  public var description: String { cure.map { "\(summary): \($0)" } ?? summary }
}
