import Glibc
import Synchronization

/// The terminal settings to restore, accessible to signal handlers.
///
/// A crash must restore the terminal too. Signal handlers may neither lock nor allocate, so everything they need is
/// allocated before they are set.
enum TerminalGuard {
  /// Restores the screen: it turns off everything that this program turns on.
  static let farewell =
    "\u{1B}[?2026l\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  /// Switches to the alternate screen.
  static let screenOn = "\u{1B}[?1049h"
  /// Turns off wrapping and the cursor, and turns on mouse, paste and focus events.
  static let modesOn =
    "\u{1B}[?7l\u{1B}[?25l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[?1004h"

  private static let reported: [Int32] = [SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGINT, SIGHUP, SIGQUIT]
  private static let fatal: [Int32] = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]

  static let terminal = Atomic<Int32>(-1)
  static let wakeup = Atomic<Int32>(-1)
  // Written only while no handler is set or `terminal` is -1. Handlers read it only while `terminal` is set.
  nonisolated(unsafe) static let modes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  // Written before a handler is set, and never changed or freed.
  nonisolated(unsafe) static let farewellBytes: UnsafeMutableBufferPointer<UInt8> = {
    let bytes = Array(farewell.utf8)
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = buffer.initialize(from: bytes)
    return buffer
  }()

  /// Sets the signal handlers. Returns a function that restores the previous ones.
  static func watch(notifying wakeup: Int32) -> () -> Void {
    _ = (modes, farewellBytes)
    self.wakeup.store(wakeup, ordering: .sequentiallyConsistent)
    let before = reported.map { ($0, set($0, report)) } + fatal.map { ($0, set($0, restoreTerminal)) }
    return {
      restore(before)
      self.wakeup.store(-1, ordering: .sequentiallyConsistent)
    }
  }

  /// Sets the handlers of signals to what they were.
  static func restore(_ actions: [(Int32, sigaction)]) {
    for (number, action) in actions {
      var action = action
      sigaction(number, &action, nil)
    }
  }

  /// Sets the handler of a signal. Returns what it was.
  static func set(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) -> sigaction {
    var (action, before) = (sigaction(), sigaction())
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    sigaction(number, &action, &before)
    return before
  }
}

private func report(_ number: Int32) {
  let error = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(TerminalGuard.wakeup.load(ordering: .sequentiallyConsistent), &byte, 1)
  errno = error
}

private func restoreTerminal(_ number: Int32) {
  let terminal = TerminalGuard.terminal.load(ordering: .sequentiallyConsistent)
  if terminal >= 0 {
    _ = write(terminal, TerminalGuard.farewellBytes.baseAddress, TerminalGuard.farewellBytes.count)
    tcsetattr(terminal, TCSANOW, TerminalGuard.modes)
  }
  signal(number, SIG_DFL)
  raise(number)
}
