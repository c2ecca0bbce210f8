import Glibc

/// A running program of others that writes lines: those lines, and its last words on standard error.
package final class LineChild {
  private let process: pid_t
  private let output: PipeEnds, errors: PipeEnds
  private var pending: [UInt8] = []
  /// Whether the line that is being read is too long, so that the rest of it is passed over.
  package private(set) var isPassingOver = false
  private var status: Int32?
  private var words: [UInt8] = []

  /// As many of its last words as are kept.
  private static let mostWords = 16 << 10
  /// How long one look for output waits.
  private static let look: Int32 = 500

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: Its path.
  ///   - arguments: Its arguments, without its own name.
  ///   - environment: Its environment as `NAME=value`.
  ///   - input: Its standard input; /dev/null where nil.
  package init(_ program: String, _ arguments: [String], environment: [String], input: Int32?) throws(Spawning
    .NotStarted)
  {
    (output, errors) = (try PipeEnds(), try PipeEnds())
    process = try Spawning.start(
      program, arguments, environment: environment,
      files: (input, output.writing.descriptor, errors.writing.descriptor))
    output.writing.close()
    errors.writing.close()
    for end in [output.reading, errors.reading] {
      _ = fcntl(end.descriptor, F_SETFL, fcntl(end.descriptor, F_GETFL) | O_NONBLOCK)
    }
  }

  /// Its number, which is also that of its group.
  package var number: pid_t { process }

  /// What it said last, and what was wrong.
  package var lastWords: String { String(decoding: words, as: UTF8.self) }

  /// The lines that came since the last call, after a wait of half a second at most; nil at the end.
  ///
  /// - Parameter longest: A longer line is passed over.
  package func lines(longest: Int) throws -> (lines: [[UInt8]], wroteAnything: Bool)? {
    var files = [
      pollfd(fd: output.reading.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors.reading.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&files, 2, Self.look) > 0 else { return ([], false) }
    var wrote = false
    if files[1].revents != 0, let said = Self.read(errors.reading) {
      wrote = !said.isEmpty
      words = Array((words + said).suffix(Self.mostWords))
      // Its end is no reason to look again at once.
      if said.isEmpty { errors.reading.close() }
    }
    guard files[0].revents != 0, let read = Self.read(output.reading) else { return ([], wrote) }
    guard !read.isEmpty else { return nil }
    return (split(read, longest), true)
  }

  /// The next bytes; none at the end, nil if there are none yet.
  private static func read(_ file: OpenFile) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = retried { Glibc.read(file.descriptor, &buffer, buffer.count) }
    if count < 0 { return errno == EAGAIN ? nil : [] }
    return Array(buffer[..<count])
  }

  private func split(_ bytes: [UInt8], _ longest: Int) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      if !isPassingOver { lines.append(pending + rest[..<end]) }
      (pending, isPassingOver) = ([], false)
      rest = rest[(end + 1)...]
    }
    if !isPassingOver { pending += rest }
    if pending.count > longest { (pending, isPassingOver) = ([], true) }
    return lines
  }

  /// Waits for the program's end, which it has begun by closing its output.
  ///
  /// - Parameter grace: How many seconds it may take before it is told to end, and then before it is ended.
  /// - Returns: Its status.
  package func wait(grace: Double) -> Int32 {
    if !hasEnded(within: grace) { return end(grace: grace) }
    while let said = Self.read(errors.reading), !said.isEmpty { words = Array((words + said).suffix(Self.mostWords)) }
    return reap()
  }

  /// Ends the program and what it started, if it still runs.
  ///
  /// - Parameter grace: How many seconds it may take to end by itself once it is told to.
  /// - Returns: Its status.
  @discardableResult
  package func end(grace: Double) -> Int32 {
    if let status { return status }
    output.reading.close()
    kill(-process, SIGTERM)
    _ = hasEnded(within: grace)
    return reap()
  }

  private func hasEnded(within seconds: Double) -> Bool {
    var info = siginfo_t()
    for _ in 0..<Int(seconds * 100) {
      info.si_signo = 0
      // It stays for `reap`.
      if waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0, info.si_signo == SIGCHLD { return true }
      _ = poll(nil, 0, 10)
    }
    return false
  }

  private func reap() -> Int32 {
    // What it started may have outlived it.
    kill(-process, SIGKILL)
    let ended = Spawning.wait(for: process)
    status = ended
    return ended
  }
}
