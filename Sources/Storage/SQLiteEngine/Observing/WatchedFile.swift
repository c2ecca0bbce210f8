import SQLite

/// A library in a file, read through a connection that sees the commits of all others.
final class WatchedFile: WatchedLibrary {
  private let connection: Connection
  private var version: Int?

  init(_ connection: Connection) { self.connection = connection }

  func hasCommits(_ hasOwnCommits: Bool) -> Bool {
    // If this query fails, the next read fails too and reports the error.
    let present: Int? = try? connection.value("PRAGMA data_version")
    defer { version = present }
    return present == nil || present != version
  }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try connection.reading { try body(Database($0)) }
  }
}

/// A library in memory, or in a file that does not change. It has only one connection.
final class WatchedMemory: WatchedLibrary {
  private let connections: Connections

  init(_ connections: Connections) { self.connections = connections }

  func hasCommits(_ hasOwnCommits: Bool) -> Bool { hasOwnCommits }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try connections.read { try body(Database($0)) }
  }
}
