import Glibc
import Synchronization

/// What has to be put back in a terminal, where a signal's handler finds it.
///
/// A crash, too, must leave the terminal as it was found: handlers may touch neither locks nor memory that is made anew,
/// so everything they need is made before they are set.
enum TerminalGuard {
  /// What leaves the screen as it was: whatever this program switches on is switched off here.
  static let farewell =
    "\u{1B}[?2026l\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
  /// The other screen.
  static let screenOn = "\u{1B}[?1049h"
  /// No wrapping at the edge, the mouse, pastes and focus told.
  static let modesOn =
    "\u{1B}[?7l\u{1B}[?25l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[?1004h"

  private static let told: [Int32] = [SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGINT, SIGHUP, SIGQUIT]
  private static let deadly: [Int32] = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]

  static let terminal = Atomic<Int32>(-1)
  static let bell = Atomic<Int32>(-1)
  // Written while no handler is set or the terminal is not ours; handlers read it only while it is.
  nonisolated(unsafe) static let modes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  nonisolated(unsafe) static let farewellBytes: UnsafeMutableBufferPointer<UInt8> = {
    let bytes = Array(farewell.utf8)
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = buffer.initialize(from: bytes)
    return buffer
  }()

  /// Sets the handlers, and returns what puts the former ones back.
  static func watch(ringing bell: Int32) -> () -> Void {
    _ = (modes, farewellBytes)
    self.bell.store(bell, ordering: .sequentiallyConsistent)
    let before = told.map { ($0, set($0, tell)) } + deadly.map { ($0, set($0, rescue)) }
    return {
      for (number, action) in before {
        var action = action
        sigaction(number, &action, nil)
      }
      self.bell.store(-1, ordering: .sequentiallyConsistent)
    }
  }

  private static func set(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) -> sigaction {
    var (action, before) = (sigaction(), sigaction())
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    sigaction(number, &action, &before)
    return before
  }
}

private func tell(_ number: Int32) {
  let error = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(TerminalGuard.bell.load(ordering: .sequentiallyConsistent), &byte, 1)
  errno = error
}

private func rescue(_ number: Int32) {
  let terminal = TerminalGuard.terminal.load(ordering: .sequentiallyConsistent)
  if terminal >= 0 {
    _ = write(terminal, TerminalGuard.farewellBytes.baseAddress, TerminalGuard.farewellBytes.count)
    tcsetattr(terminal, TCSANOW, TerminalGuard.modes)
  }
  signal(number, SIG_DFL)
  raise(number)
}
