import Dispatch

/// Runs what blocks, such as a write that waits for another process, on threads of its own: those of the language's
/// tasks are few and must not stand still.
struct BlockingWork: Sendable {
  private let queue: DispatchQueue

  init(_ name: String) { queue = DispatchQueue(label: "media.\(name)") }

  /// Runs work after all that was handed in before it.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try work() }) }
    }
  }
}
