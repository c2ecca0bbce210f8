import Glibc

/// A thread that whoever began it waits for.
struct JoinedThread: Sendable {
  private let thread: pthread_t

  /// nil where the system gives no thread.
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

  /// Returns when the thread has ended. To be called once.
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
