import SQLite

/// The library as the watching thread reads it: through its own connection, which sees the commits of all others. A
/// library in memory, or in a file that does not change, has only one connection.
struct WatchedLibrary {
  private let writer: Connections
  private let own: Database?
  private var version: Int?

  init(_ writer: Connections) throws {
    self.writer = writer
    guard let file = writer.currentPath else {
      own = nil
      return
    }
    own = try Database(file, .reading, patience: 5)
  }

  /// Whether another connection has committed since the last call.
  ///
  /// - Parameter hasOwnCommits: Whether this process has committed.
  mutating func hasCommits(_ hasOwnCommits: Bool) -> Bool {
    guard let own else { return hasOwnCommits }
    // If this query fails, the next read fails too and reports the error.
    let present: Int? = try? own.value("PRAGMA data_version")
    defer { version = present }
    return present == nil || present != version
  }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    if let own { return try own.reading(body) }
    return try writer.read(body)
  }

  func explained(_ error: any Error) -> StorageError { Self.explained(error, of: writer) }

  static func explained(_ error: any Error, of writer: Connections) -> StorageError {
    StorageError(error, path: writer.file ?? "the library")
  }
}
