import Dispatch
import Glibc
import Machine
import Synchronization

/// Turns SIGINT and SIGTERM into an end: the work is cancelled, and the library is closed, so that the next command need not
/// check it. A second signal, or work that does not end within three seconds, ends the program at once.
final class Ending: Sendable {
  private let caught = Mutex<Int32?>(nil)

  /// The exit code for the signal; nil if none came.
  var code: Int32? { caught.withLock { $0.map { 128 + $0 } } }

  init(
    cancelling work: Task<Void, any Error>, telling manager: ServiceManager,
    closing close: @escaping @Sendable () -> Void
  ) {
    EndSignals.listen { number in
      self.receive(number)
      manager.notify(.stopping)
      work.cancel()
      DispatchQueue.global().asyncAfter(deadline: .now() + 3) {
        close()
        _exit(128 + number)
      }
    }
  }

  private func receive(_ number: Int32) {
    let isSecond = caught.withLock { caught in
      defer { caught = caught ?? number }
      return caught != nil
    }
    if isSecond { _exit(128 + number) }
  }
}
