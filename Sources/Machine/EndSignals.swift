import Dispatch
import Glibc
import Synchronization

/// The signals by which a person or the system ends a program: SIGINT and SIGTERM.
package enum EndSignals {
  // The sources stay alive: after a signal source is released, a new one does not receive the signal.
  private static let sources = Mutex<[any DispatchSourceSignal]>([])

  /// Receives the signals, which no longer end the program. Only the first call counts.
  ///
  /// - Parameter receive: Called on a thread of its own with the number of the signal.
  package static func listen(_ receive: @escaping @Sendable (Int32) -> Void) {
    sources.withLock { sources in
      guard sources.isEmpty else { return }
      sources = [SIGINT, SIGTERM].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { receive(number) }
        source.activate()
        return source
      }
    }
  }
}
