import Dispatch
import Foundation
import Glibc
import Posts
import Synchronization

/// Turns SIGINT and SIGTERM into the cancellation of the command's work, so that what came is stored before it ends.
///
/// A second signal ends the process at once: the store is safe at any moment, only unfinished pictures are lost.
enum Interruption {
  private static let caught = Mutex<Int32?>(nil)

  /// Whether a signal came.
  static var happened: Bool { caught.withLock { $0 != nil } }

  /// The status to end with.
  static var code: ExitCode { caught.withLock { $0 } == SIGTERM ? .terminated : .interrupted }

  /// Runs work that a signal cancels.
  static func guarding<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task(operation: work)
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        let isFirst = caught.withLock { before in
          defer { before = before ?? number }
          return before == nil
        }
        if isFirst { task.cancel() } else { _exit(128 + number) }
      }
      source.activate()
      return source
    }
    defer { for source in sources { source.cancel() } }
    return try await task.value
  }
}
