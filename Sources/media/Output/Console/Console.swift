import FoundationEssentials
import Glibc
import Machine
import Posts
import Terminal

/// Writes results to standard output and messages to standard error. Nothing else in this program writes there. It accepts
/// only `SafeText` text.
///
/// A reader that closes its end (`media list | head`) ends the command quietly: writing throws `ClosedPipe`.
struct Console: Sendable {
  /// The reader has closed standard output.
  struct ClosedPipe: Error {}

  /// Whether only errors are printed.
  var isQuiet = false
  /// Whether more is printed.
  var isVerbose = false
  /// The form of messages.
  var format = LogFormat.asked

  /// Prints a line of results.
  func result(_ line: SafeText) throws { try write("\(line)\n", to: STDOUT_FILENO) }

  /// Prints results that contain their own line ends.
  func results(_ text: SafeText) throws { try write(text, to: STDOUT_FILENO) }

  /// Prints a picture on lines of its own.
  func picture(_ lines: PictureLines) throws { try write(lines.bytes, to: STDOUT_FILENO) }

  /// Prints requested bytes unchanged, and a line end; never to a terminal.
  func verbatim(_ bytes: [UInt8]) throws { try write(bytes + [0x0A], to: STDOUT_FILENO) }

  /// Prints the bytes of a document unchanged; never to a terminal.
  func document(_ bytes: [UInt8]) throws { try write(bytes, to: STDOUT_FILENO) }

  /// Prints a message for the user; not with `--quiet`.
  func message(_ line: SafeText) { if !isQuiet { log(line, line.text.hasPrefix(Self.prefix) ? .notice : .info) } }

  /// Prints a message about a request; not with `--quiet`.
  func request(_ line: SafeText, to host: String?, seconds: Double) {
    if !isQuiet { log(line, .info) { ($0.host, $0.seconds) = (host, seconds) } }
  }

  /// Prints a message that wants attention; not with `--quiet`.
  func warning(_ line: SafeText) { if !isQuiet { log(line, .notice, .warning) } }

  /// Prints an event for a log; with `--quiet` only errors. Nothing in text: sentences for people tell the same.
  func event(_ event: LogLine) { if format == .json, !isQuiet || event.level == .error { write(event) } }

  /// Prints a message even with `--quiet`.
  func error(_ line: SafeText) { log(line, .error) }

  /// Prints how far the work has come, on a line of its own; not with `--quiet`.
  func progress(_ line: SafeText, _ progress: LogLine.Progress) {
    if !isQuiet { log(line, .info) { ($0.event, $0.progress) = (.progress, progress) } }
  }

  /// Prints why the command, or a part of it, fails.
  ///
  /// - Parameter login: The server at which a login resolves it.
  func failure(_ line: SafeText, _ code: ExitCode, login: Server?) {
    log("media: \(line)", .error) { ($0.event, $0.status, $0.login) = (.failure, code.rawValue, login?.name) }
  }

  private static let prefix = "media: "

  /// Whether standard error leads to the journal.
  private static let isJournal = Journal.isReached(
    by: STDERR_FILENO, named: getenv("JOURNAL_STREAM").map { String(cString: $0) })

  private func log(
    _ line: SafeText, _ level: LogLine.Level, _ priority: Journal.Priority? = nil,
    _ fill: (inout LogLine) -> Void = { _ in }
  ) {
    guard format == .json else {
      let text = Self.isJournal ? Journal.lines(line.text, priority ?? level.priority) : line.text
      try? write(Array("\(text)\n".utf8), to: STDERR_FILENO)
      return
    }
    let text = line.text.hasPrefix(Self.prefix) ? String(line.text.dropFirst(Self.prefix.count)) : line.text
    var event = LogLine(time: Date(), level: level, message: text)
    fill(&event)
    write(event)
  }

  private func write(_ event: LogLine) {
    if let line = try? JSONText.line(event) { try? write("\(line)\n", to: STDERR_FILENO) }
  }

  /// Prints a part of a live line, or a prompt.
  func live(_ text: SafeText) { try? write(text, to: STDERR_FILENO) }

  /// Asks the person a question, which they have to agree to by `y`.
  func confirms(_ question: SafeText) -> Bool {
    live("\(question) [y/N] ")
    return Self.isAgreed
  }

  /// Whether the next line of standard input says yes.
  static var isAgreed: Bool { ["y", "yes"].contains(readLine()?.trimmingWhiteSpace.lowercased()) }

  /// Opens standard streams that the caller closed, so that no other file gets their descriptors.
  static func openClosedStreams() {
    for stream in 0...2 as ClosedRange<Int32> where fcntl(stream, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
  }

  /// Whether standard output is a terminal.
  var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  /// Whether standard error is a terminal.
  var messagesAreSeen: Bool { isatty(STDERR_FILENO) == 1 }
  /// Whether standard input is a terminal.
  var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  private func write(_ text: SafeText, to file: Int32) throws { try write(Array(text.text.utf8), to: file) }

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

extension LogLine.Level {
  fileprivate var priority: Journal.Priority {
    switch self {
    case .info: .info
    case .notice: .notice
    case .error: .error
    }
  }
}
