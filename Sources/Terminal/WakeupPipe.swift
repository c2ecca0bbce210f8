import Glibc

/// Wakes the thread that waits for a terminal. It can be used from any thread and from a signal handler.
public final class WakeupPipe: Sendable {
  let reading: Int32
  let writing: Int32

  /// A pipe without pending wakeups.
  public init() throws(TerminalError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw TerminalError.system("pipe", errno) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (reading, writing) = (ends[0], ends[1])
  }

  /// Wakes the waiting thread.
  public func signal() { write(0) }

  func write(_ byte: UInt8) {
    var byte = byte
    _ = Glibc.write(writing, &byte, 1)
  }

  /// Reads and returns the pending bytes.
  func drain() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = read(reading, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  deinit {
    close(reading)
    close(writing)
  }
}

/// Why a terminal cannot be used.
public enum TerminalError: Error, Equatable {
  /// Standard input and output are not a terminal.
  case none
  /// A system call failed.
  case refused(String, reason: String)

  static func system(_ call: String, _ number: Int32) -> Self {
    .refused(call, reason: String(cString: strerror(number)))
  }
}
