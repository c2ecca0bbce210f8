import Foundation
import Glibc
import Synchronization
import Terminal

/// Results to standard output, messages to standard error: nothing else in this program writes there, and it takes
/// `Inert` text alone.
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
  func result(_ line: Inert) throws { try write("\(line)\n", to: STDOUT_FILENO) }

  /// Results that bring their own line ends.
  func results(_ text: Inert) throws { try write(text, to: STDOUT_FILENO) }

  /// A picture on lines of its own.
  func picture(_ lines: PictureLines) throws { try write(lines.bytes, to: STDOUT_FILENO) }

  /// What was asked for byte for byte, and a line end; never to a terminal.
  func verbatim(_ bytes: [UInt8]) throws { try write(bytes + [0x0A], to: STDOUT_FILENO) }

  /// A line for the person at the terminal; not with `--quiet`.
  func message(_ line: Inert) { if !isQuiet { error(line) } }

  /// A line that `--quiet` does not silence.
  func error(_ line: Inert) { try? write("\(line)\n", to: STDERR_FILENO) }

  /// A piece of a live line, or a prompt.
  func live(_ text: Inert) { try? write(text, to: STDERR_FILENO) }

  /// Opens what the caller closed, so that no file of ours takes the number of a standard stream.
  static func openClosedStreams() {
    for stream in 0...2 as ClosedRange<Int32> where fcntl(stream, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
  }

  /// A line of standard input; one that a person types is not shown.
  static func readHidden() -> String? {
    var before = termios()
    guard tcgetattr(STDIN_FILENO, &before) == 0 else { return readLine() }
    var hidden = before
    hidden.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
    return readLine()
  }

  /// Whether a person looks at standard output.
  var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  /// Whether a person looks at standard error.
  var messagesAreSeen: Bool { isatty(STDERR_FILENO) == 1 }
  /// Whether a person types.
  var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  private func write(_ text: Inert, to file: Int32) throws { try write(Array(text.text.utf8), to: file) }

  private func write(_ bytes: [UInt8], to file: Int32) throws {
    var rest = bytes[...]
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
