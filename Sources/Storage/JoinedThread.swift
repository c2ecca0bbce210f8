import Glibc

/// A thread that whoever began it waits for.
struct JoinedThread: Sendable {
  private let thread: pthread_t

  /// nil where the system gives no thread.
  init?(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body))
    let result = pthread_create(&thread, nil, { argument in
      guard let argument else { return nil }
      Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
      return nil
    }, box.toOpaque())
    guard result == 0 else {
      box.release()
      return nil
    }
    self.thread = thread
  }

  /// Returns when the thread has ended. To be called once.
  func join() { pthread_join(thread, nil) }

  private final class Box: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
