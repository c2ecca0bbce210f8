import Synchronization

/// Lets reads share the writing connection while nothing else uses it.
///
/// Opening a connection costs as much as hundreds of small reads: SQLite reads the whole schema each time. A command
/// that works sequentially never needs a second one. Once a read and another use have coincided, reads get connections
/// of their own.
final class WriterLock: Sendable {
  private let users = Atomic(0)
  private let hasConflicted: Atomic<Bool>

  /// Without `mayShare`, reads use connections of their own from the start.
  init(mayShare: Bool = false) { hasConflicted = Atomic(!mayShare) }

  /// Acquires the connection for reading.
  ///
  /// - Returns: False if it is in use, or was once in use when a read wanted it.
  func acquireForReading() -> Bool {
    if hasConflicted.load(ordering: .relaxed) { return false }
    if users.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged { return true }
    hasConflicted.store(true, ordering: .relaxed)
    return false
  }

  /// Registers a write. The connection's queue serializes writes.
  func acquireForWriting() { users.add(1, ordering: .acquiringAndReleasing) }

  func release() { users.subtract(1, ordering: .acquiringAndReleasing) }
}
