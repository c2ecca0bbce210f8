import Glibc
import Synchronization

/// A terminal whose modes are other ones for a while, such as without echo.
///
/// A signal that ends or stops the program gives it its modes back first, and a program that goes on changes them again: a
/// shell has set its own meanwhile. Signal handlers may neither lock nor allocate, so what they
/// need is allocated before they are set.
public enum ChangedModes {
  private static let ending: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  fileprivate static let terminal = Atomic<Int32>(-1)
  // Written only while `terminal` is -1. Handlers read it only while `terminal` is set.
  nonisolated(unsafe) fileprivate static let before = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  nonisolated(unsafe) fileprivate static let changed = UnsafeMutablePointer<termios>.allocate(capacity: 1)

  /// Reads a line of standard input. What is typed at a terminal is not shown.
  public static func readHiddenLine() -> String? {
    with(STDIN_FILENO, TCSAFLUSH, { $0.c_lflag &= ~tcflag_t(ECHO) }, { readLine() }) ?? readLine()
  }

  /// Changes the modes of a terminal while work is done. One such work is done at a time in a process.
  ///
  /// - Parameters:
  ///   - terminal: The file descriptor of the terminal.
  ///   - time: When the modes change, as in `tcsetattr`.
  ///   - change: Changes the modes.
  ///   - work: The work.
  /// - Returns: What the work returned; nil if it was not done, because the descriptor is no terminal's.
  static func with<Value>(
    _ terminal: Int32, _ time: Int32, _ change: (inout termios) -> Void, _ work: () -> Value
  ) -> Value? {
    var original = termios()
    guard tcgetattr(terminal, &original) == 0 else { return nil }
    var modes = original
    change(&modes)
    (before.pointee, changed.pointee) = (original, modes)
    self.terminal.store(terminal, ordering: .sequentiallyConsistent)
    let actions =
      ending.map { ($0, TerminalGuard.set($0, giveModesBack)) }
      + [(SIGTSTP, TerminalGuard.set(SIGTSTP, stop)), (SIGCONT, TerminalGuard.set(SIGCONT, changeModesAgain))]
    defer {
      tcsetattr(terminal, time, &original)
      self.terminal.store(-1, ordering: .sequentiallyConsistent)
      TerminalGuard.restore(actions)
    }
    guard tcsetattr(terminal, time, &modes) == 0 else { return nil }
    return work()
  }
}

private func giveModesBack(_ number: Int32) {
  let terminal = ChangedModes.terminal.load(ordering: .sequentiallyConsistent)
  if terminal >= 0 {
    tcsetattr(terminal, TCSANOW, ChangedModes.before)
    // The prompt's line ends, as it does where keys are shown.
    var end = UInt8(ascii: "\n")
    _ = write(terminal, &end, 1)
  }
  signal(number, SIG_DFL)
  raise(number)
}

private func stop(_ number: Int32) {
  let error = errno
  let terminal = ChangedModes.terminal.load(ordering: .sequentiallyConsistent)
  if terminal >= 0 {
    // A part of a secret is no input of the shell.
    tcflush(terminal, TCIFLUSH)
    tcsetattr(terminal, TCSANOW, ChangedModes.before)
  }
  signal(number, SIG_DFL)
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, number)
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  // It stops here, unless no shell could have it go on.
  raise(number)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
  _ = TerminalGuard.set(number, stop)
  changeModesAgain(number)
  errno = error
}

private func changeModesAgain(_ number: Int32) {
  let error = errno
  let terminal = ChangedModes.terminal.load(ordering: .sequentiallyConsistent)
  if terminal >= 0 { tcsetattr(terminal, TCSANOW, ChangedModes.changed) }
  errno = error
}
