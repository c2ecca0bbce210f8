import Dispatch

/// Runs blocking work, such as a write that waits for another process, on its own threads: the threads of Swift tasks are
/// few and must not block.
struct BlockingWork: Sendable {
  private let queue: DispatchQueue

  init(_ name: String) { queue = DispatchQueue(label: "media.\(name)") }

  /// Runs work after all work submitted before.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try work() }) }
    }
  }
}
