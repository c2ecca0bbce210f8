import CGNU
import Glibc

/// A thread that nobody joins. Its body reports its own end as its last action.
package enum DetachedThread {
  /// Starts a thread.
  ///
  /// - Parameter name: The name that tools show, at most 15 bytes.
  /// - Returns: False if the system creates no thread. Then the body does not run.
  @discardableResult
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(name, body))
    guard pthread_create(&thread, nil, run, start.toOpaque()) == 0 else {
      start.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { start in
    guard let start else { return nil }
    let own = Unmanaged<Start>.fromOpaque(start).takeRetainedValue()
    pthread_setname_np(pthread_self(), own.name)
    own.body()
    return nil
  }

  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
  }
}
