import Glibc
import Machine
import Synchronization

/// A program that runs as a child of the gallery, never through a shell. Its end, even by a crash, does not touch the
/// gallery.
final class ChildCommand: Sendable {
  /// What a child printed, or that time has passed.
  enum Output: Sendable, Equatable {
    /// A line of standard output.
    case result(String)
    /// A line of standard error.
    case message(String)
    /// What was ready to be read is read.
    case pause
  }

  /// Its process identifier, which is also that of its group.
  let id: pid_t
  private let results: OpenFile
  private let messages: OpenFile
  private let state: Mutex<State>

  private struct State {
    /// The writing end of its standard input; nil if that is /dev/null or was closed.
    var input: OpenFile?
    /// When the child is killed if it does not end before.
    var killedAt: ContinuousClock.Instant?
    /// Whether its status was read. Another process may have its number then.
    var isReaped = false
  }

  /// How often the end of the child is looked for while it prints nothing.
  private static let tick: Int32 = 200

  /// Starts a program with this program's environment.
  ///
  /// - Parameters:
  ///   - program: Its path.
  ///   - arguments: Its arguments, without its own name.
  ///   - hasInput: Whether `type` sends it text. If not, its standard input is /dev/null.
  init(_ program: String, _ arguments: [String], hasInput: Bool = false) throws(Spawning.NotStarted) {
    let (results, messages) = (try PipeEnds(), try PipeEnds())
    let input = hasInput ? try PipeEnds() : nil
    defer { withExtendedLifetime((results, messages, input)) {} }
    id = try Spawning.start(
      program, arguments,
      files: (input?.reading.descriptor, results.writing.descriptor, messages.writing.descriptor))
    (self.results, self.messages) = (results.reading, messages.reading)
    state = Mutex(State(input: input?.writing))
  }

  /// Reads what the child prints until it ends. Must be called once, on a thread that may block.
  ///
  /// - Returns: Its status; the number of the signal that ended it, plus 128.
  func run(_ onOutput: (Output) -> Void) -> Int32 {
    var files = [results, messages].map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    var lines = [LineReader(), LineReader()]
    var hasEnded = false
    while files.contains(where: { $0.fd >= 0 }) {
      let isReady = poll(&files, nfds_t(files.count), hasEnded ? 0 : Self.tick) > 0
      for index in files.indices where files[index].fd >= 0 && files[index].revents != 0 {
        let isOpen = Self.read(files[index].fd) { bytes in
          lines[index].append(bytes) { onOutput(index == 0 ? .result($0) : .message($0)) }
        }
        if !isOpen { files[index].fd = -1 }
      }
      onOutput(.pause)
      // A program that the child left behind may hold the pipes open.
      if hasEnded, !isReady { break }
      hasEnded = hasEnded || Self.hasEnded(id)
      killIfLate()
    }
    for index in lines.indices { lines[index].finish { onOutput(index == 0 ? .result($0) : .message($0)) } }
    return wait()
  }

  /// Sends a line to its standard input.
  func type(_ line: String) {
    state.withLock { state in
      // A pipe takes so short a line at once.
      try? state.input?.write("\(line)\n".utf8)
    }
  }

  /// Asks it to end, and kills it with its group if it does not end in time.
  ///
  /// - Parameter grace: How long it may take.
  func end(within grace: Duration) {
    state.withLock { state in
      guard !state.isReaped else { return }
      let moment = ContinuousClock().now + grace
      state.killedAt = state.killedAt.map { min($0, moment) } ?? moment
      kill(id, SIGTERM)
    }
  }

  private func killIfLate() {
    state.withLock { state in
      guard let moment = state.killedAt, ContinuousClock().now >= moment, !state.isReaped else { return }
      kill(-id, SIGKILL)
    }
  }

  private func wait() -> Int32 {
    // It may have closed its outputs long before its end.
    while !Self.hasEnded(id) {
      killIfLate()
      poll(nil, 0, Self.tick)
    }
    return state.withLock { state in
      defer { (state.isReaped, state.input) = (true, nil) }
      return Spawning.wait(for: id)
    }
  }

  /// Whether a child has ended. It keeps its number.
  private static func hasEnded(_ id: pid_t) -> Bool {
    var facts = siginfo_t()
    let code = waitid(P_PID, id_t(id), &facts, WEXITED | WNOHANG | WNOWAIT)
    return code < 0 ? errno != EINTR : facts.si_signo != 0
  }

  /// Reads what is there. Returns false at the end.
  private static func read(_ file: Int32, _ body: (ArraySlice<UInt8>) -> Void) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = Glibc.read(file, &bytes, bytes.count)
    if count > 0 { body(bytes[..<count]) }
    return count > 0 || (count < 0 && [EINTR, EAGAIN].contains(errno))
  }
}
