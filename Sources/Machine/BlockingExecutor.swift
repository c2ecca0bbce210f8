import Dispatch

/// Runs calls that block, such as SQLite, fsync and writes to a terminal, away from the threads of Swift tasks. Those are as
/// few as the processor's cores, and one that blocks delays every task.
///
/// Each executor serves one concern, such as the pages of one pull. What it promises:
/// - Order: its calls run one at a time, in the order of their submission; the calls of one actor in the order in which the
///   actor made them. Executors do not wait for each other.
/// - Bounds: it uses at most one thread, and none while it is idle. Each task has at most one call in it, because it waits
///   for the result.
/// - Cancellation: cancelling the calling task neither interrupts nor drops its call, so that a transaction always ends, and
///   the caller learns how. A call that may be dropped checks `Task.isCancelled` before it is submitted.
/// - End: an executor needs no shutdown. A call that was submitted runs even if the executor is released, and its caller has
///   waited for it.
///
/// A call must not wait for another call of its own executor.
public struct BlockingExecutor: Sendable {
  private let queue: DispatchQueue

  /// Creates an executor.
  ///
  /// - Parameter name: Its name in debuggers.
  public init(_ name: String) { queue = DispatchQueue(label: "media.\(name)") }

  /// Runs a call after all calls submitted before.
  ///
  /// - Parameter work: The call. It runs exactly once.
  /// - Returns: The call's result.
  /// - Throws: The call's error.
  public nonisolated(nonsending) func run<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
      queue.async { continuation.resume(returning: Result(catching: work)) }
    }
    return try result.get()
  }
}
