import Machine
import Synchronization

/// The executors for reading the library: a few, so that a slow reading does not hold up the others.
final class Readers: Sendable {
  private let executors = (1...4).map { BlockingExecutor("gallery.reader\($0)") }
  private let count = Atomic<Int>(0)

  /// The next executor in turn.
  func next() -> BlockingExecutor {
    executors[(count.wrappingAdd(1, ordering: .relaxed).oldValue & .max) % executors.count]
  }
}
