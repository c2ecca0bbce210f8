import Dispatch

/// A serial queue for blocking calls: SQLite, fsync. Tasks of Swift's small thread pool must never block.
///
/// Work runs in the order of its submission, one at a time. The caller's cancellation does not interrupt it, so that a
/// transaction always ends.
package struct BlockingQueue: Sendable {
  private let queue: DispatchQueue

  /// A queue with a name for debuggers.
  package init(_ name: String) { queue = DispatchQueue(label: "media.\(name)") }

  /// Runs blocking work; returns or throws its result.
  package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: work)) }
    }
  }
}
