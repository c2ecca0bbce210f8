import Dispatch
import Synchronization

/// A child process and the thread that waits for its answers, so that no thread of Swift's tasks does.
final class DerivativeWorker: Sendable {
  private let child: Mutex<DerivativeChild>
  private let queue = DispatchQueue(label: "media.derivatives.child")

  init(_ program: WorkerChild.Program) { child = Mutex(DerivativeChild(program)) }

  /// The child process; nil if none runs.
  var process: Int32? { child.withLock(\.process) }

  /// Runs a call on the worker's thread.
  func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  /// Makes derivatives of a file.
  func make(
    _ sizes: Set<Derivatives.Size>, of path: String
  ) throws(DerivativeError) -> [Derivatives.Size: DerivativeFile] {
    let result: Result<[Derivatives.Size: DerivativeFile], DerivativeError> = child.withLock { child in
      do throws(DerivativeError) { return .success(try child.make(sizes, of: path)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Ends the child if it has not been used since a time. One that is being used stays.
  func endChild(unusedSince time: ContinuousClock.Instant) {
    _ = child.withLockIfAvailable { $0.end(unusedSince: time) }
  }
}
