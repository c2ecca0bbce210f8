import Synchronization

/// Who uses the connection that writes, so that it can be read by as well while nobody does.
///
/// To open a connection for reading costs as much as hundreds of small reads: SQLite reads the whole schema for each. A
/// command that does one thing after another never needs a second one. Once reading and writing met, they get one each.
final class WriterTurns: Sendable {
  private let users = Atomic(0)
  private let haveMet: Atomic<Bool>

  /// For who reads by connections of their own from the start, unless one is to do.
  init(mayShare: Bool = false) { haveMet = Atomic(!mayShare) }

  /// Takes the connection for reading; false where somebody uses it, or once did when somebody wanted to read.
  func takeToRead() -> Bool {
    if haveMet.load(ordering: .relaxed) { return false }
    if users.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged { return true }
    haveMet.store(true, ordering: .relaxed)
    return false
  }

  /// Takes it for writing, or waits for it.
  func takeToWrite() { users.add(1, ordering: .acquiringAndReleasing) }

  func giveBack() { users.subtract(1, ordering: .acquiringAndReleasing) }
}
