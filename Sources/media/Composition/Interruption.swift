import Glibc
import Machine
import Posts
import Synchronization

/// Turns SIGINT and SIGTERM into cancellation of the command's work, so that received data is stored before it ends.
///
/// A second signal exits at once: the store is safe at any moment, only unfinished pictures are lost.
enum Interruption {
  private struct State: Sendable {
    var caught: Int32?
    var cancel: (@Sendable () -> Void)?
  }

  private static let state = Mutex(State())

  /// Whether a signal arrived.
  static var happened: Bool { state.withLock { $0.caught != nil } }

  /// The exit code for the signal.
  static var code: ExitCode { state.withLock { $0.caught } == SIGTERM ? .terminated : .interrupted }

  /// Whether the running task is part of work that a signal cancels.
  @TaskLocal private static var isGuarded = false

  /// Runs work that a signal cancels. It may be called repeatedly, also within such work.
  static func guarding<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    if isGuarded { return try await work() }
    // A signal cancels it, or the end of this task, and it is awaited below.
    let task = Task { try await $isGuarded.withValue(true, operation: work) }
    state.withLock { $0.cancel = { task.cancel() } }
    EndSignals.listen(receive)
    defer { state.withLock { $0.cancel = nil } }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  @Sendable private static func receive(_ number: Int32) {
    let (isFirst, cancel) = state.withLock { state in
      defer { state.caught = state.caught ?? number }
      return (state.caught == nil, state.cancel)
    }
    guard isFirst, let cancel else { _exit(128 + number) }
    cancel()
  }
}
