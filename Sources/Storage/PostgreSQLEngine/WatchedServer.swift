import PostgreSQL

/// A library in PostgreSQL as the watching thread reads it, through a connection of its own.
final class WatchedServer: WatchedLibrary {
  private let session: PostgreSQLSession
  private var version: String?

  init(_ session: PostgreSQLSession) { self.session = session }

  func hasCommits(_ hasOwnCommits: Bool) -> Bool {
    // If this query fails, the next read fails too and reports the error.
    let present: String? = try? session.connection.value("SELECT CAST(pg_current_snapshot() AS text)")
    defer { version = present }
    return present == nil || present != version
  }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try session.connection.transaction(.snapshot) { _ in try body(Database(session)) }
  }
}
