import Glibc

/// The service manager that started this program, such as systemd (sd_notify(3)). Without one, nothing is told.
package struct ServiceManager: Sendable {
  /// What it is told.
  package enum State: Sendable, Hashable {
    /// The program does what it was started for.
    case ready
    /// The program ends, because it was asked to.
    case stopping
    /// The program still works. Without this a watchdog starts it again.
    case alive
    /// One sentence for a person who looks at the service. Other users of the machine can read it.
    case status(String)

    fileprivate var line: String {
      switch self {
      case .ready: "READY=1"
      case .stopping: "STOPPING=1"
      case .alive: "WATCHDOG=1"
      case .status(let sentence): "STATUS=\(sentence.split(whereSeparator: \.isNewline).joined(separator: " "))"
      }
    }
  }

  /// How often it wants to hear that the program still works; nil if it does not.
  package let interval: Duration?
  private let socket: String?

  /// Finds it by the environment: `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
  package init(_ environment: [String: String], process: Int32 = getpid()) {
    socket = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    // Variables that a child inherited are meant for its parent.
    let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
    // Twice in the time after which it gives up, as sd_watchdog_enabled(3) advises.
    let patience = isMeant ? environment["WATCHDOG_USEC"].flatMap(Int64.init) : nil
    interval = patience.flatMap { $0 > 0 ? .microseconds(max(1, $0 / 2)) : nil }
  }

  /// Tells it something. A manager that does not listen is no failure of this program.
  package func notify(_ states: State...) {
    guard let socket else { return }
    let sender = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard sender >= 0 else { return }
    defer { close(sender) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(socket.utf8)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    withUnsafeMutableBytes(of: &address.sun_path) { room in
      room.copyBytes(from: path)
      // A name in the abstract space begins with a zero byte.
      if path.first == UInt8(ascii: "@") { room[0] = 0 }
    }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    let message = Array(states.map(\.line).joined(separator: "\n").utf8)
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(sender, message, message.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0, size)
      }
    }
  }

  /// Tells it that the program still works, until the task is cancelled. A program whose tasks no longer run falls silent.
  package func stayAlive(_ wait: @Sendable (Duration) async throws -> Void) async {
    guard socket != nil, let interval else { return }
    while !Task.isCancelled {
      notify(.alive)
      try? await wait(interval)
    }
  }
}
