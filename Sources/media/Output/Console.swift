import Foundation
import Glibc
import Synchronization

/// Results to standard output, messages to standard error.
///
/// A reader that closes its end (`media list | head`) ends the command quietly: writing throws `ClosedPipe`.
struct Console: Sendable {
  /// The reader of standard output has gone.
  struct ClosedPipe: Error {}

  /// Whether only errors are said.
  var isQuiet = false
  /// Whether more is said.
  var isVerbose = false

  /// A line of results.
  func result(_ line: String) throws { try write(line + "\n", to: STDOUT_FILENO) }

  /// Results that bring their own line ends.
  func results(_ text: String) throws { try write(text, to: STDOUT_FILENO) }

  /// A line for the person at the terminal; not with `--quiet`.
  func message(_ line: String) { if !isQuiet { error(line) } }

  /// A line that `--quiet` does not silence.
  func error(_ line: String) { try? write(line + "\n", to: STDERR_FILENO) }

  /// A piece of a live line, or a prompt.
  func live(_ text: String) { try? write(text, to: STDERR_FILENO) }

  /// Whether a person looks at standard output.
  var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  /// Whether a person looks at standard error.
  var messagesAreSeen: Bool { isatty(STDERR_FILENO) == 1 }
  /// Whether a person types.
  var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  private func write(_ text: String, to file: Int32) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        throw ClosedPipe()
      } else if errno != EINTR && errno != EAGAIN {
        throw OutputError(reason: String(cString: strerror(errno)))
      }
    }
  }
}
