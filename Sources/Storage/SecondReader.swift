import GRDB
import Synchronization

/// A connection that only reads, for who reads while another connection of this process writes. It is opened when it is
/// first needed.
final class SecondReader: Sendable {
  private let path: String
  private let configuration: Configuration
  private let queue = Mutex<DatabaseQueue?>(nil)

  init(_ path: String, _ configuration: Configuration) {
    self.path = path
    self.configuration = configuration
  }

  /// Reads the newest rows, which stay as they are meanwhile; one reads after another.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try opened().read(body) }

  /// Closes it, where it was opened.
  func close() {
    queue.withLock { queue in
      try? queue?.close()
      queue = nil
    }
  }

  private func opened() throws -> DatabaseQueue {
    try queue.withLock { queue in
      if let queue { return queue }
      let opened = try DatabaseQueue(path: path, configuration: configuration)
      queue = opened
      return opened
    }
  }
}
