import GRDB
import Synchronization

/// A connection that only reads, for who reads while another connection of this process writes. It is opened when it is
/// first needed.
final class SecondReader: Sendable {
  private enum State {
    case unopened
    case open(DatabaseQueue)
    case closed
  }

  private let path: String
  private let configuration: Configuration
  private let state = Mutex(State.unopened)

  init(_ path: String, _ configuration: Configuration) {
    self.path = path
    self.configuration = configuration
  }

  /// Reads the newest rows, which stay as they are meanwhile; one reads after another.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try opened().read(body) }

  /// Closes it; whoever reads after that is refused.
  func close() {
    state.withLock { state in
      if case .open(let queue) = state { try? queue.close() }
      state = .closed
    }
  }

  private func opened() throws -> DatabaseQueue {
    try state.withLock { state in
      switch state {
      case .open(let queue): return queue
      case .closed: throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the library is closed")
      case .unopened:
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        state = .open(queue)
        return queue
      }
    }
  }
}
