import Glibc

/// A thread that its creator joins.
struct JoinedThread: Sendable {
  private let thread: pthread_t

  /// Nil if the system cannot create a thread.
  init?(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body))
    let result = pthread_create(&thread, nil, Self.run, box.toOpaque())
    guard result == 0 else {
      box.release()
      return nil
    }
    self.thread = thread
  }

  /// Waits until the thread has ended. Call it once.
  func join() { pthread_join(thread, nil) }

  private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { box in
    if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body() }
    return nil
  }

  private final class Box: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
