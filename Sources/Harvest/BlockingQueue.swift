import Dispatch

/// A thread for calls that block: SQLite, fsync. The tasks of Swift's small thread pool must never do so themselves.
///
/// Work runs in the order it came, one at a time, and is never cut short by the caller's cancellation: what a
/// transaction began it ends.
struct BlockingQueue: Sendable {
  private let queue: DispatchQueue

  /// A queue with a name for debuggers.
  init(_ name: String) { queue = DispatchQueue(label: "media.\(name)") }

  /// Runs blocking work and hands back what it returns or throws.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: work)) }
    }
  }
}
