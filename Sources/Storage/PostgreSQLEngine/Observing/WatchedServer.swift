import PostgreSQL

/// A library in PostgreSQL as the watching thread reads it, through a connection of its own. It listens to the bells of
/// other processes. If none comes through, it finds their commits when it looks by itself.
final class WatchedServer: WatchedLibrary {
  private let connect: () throws -> PostgreSQLSession
  private var session: PostgreSQLSession
  private var version: String?

  init(_ connect: @escaping () throws -> PostgreSQLSession) throws {
    self.connect = connect
    session = try Self.listening(connect)
  }

  private static func listening(_ connect: () throws -> PostgreSQLSession) throws -> PostgreSQLSession {
    let session = try connect()
    // A standby refuses it.
    try? session.connection.execute("LISTEN \(Bell.channel)")
    return session
  }

  let signalsCommits = true

  func wait(_ watcher: DirectoryWatcher, milliseconds: Int32) -> Bool {
    let connection = session.connection
    // One may have come with the answer to the last query.
    if connection.takeNotifications() { return true }
    let isWoken = watcher.wait(milliseconds: milliseconds, orFor: connection.socket)
    return connection.takeNotifications() || isWoken
  }

  func hasCommits(_ hasOwnCommits: Bool) -> Bool {
    // If this query fails, the next read fails too and reports the error.
    let present: String? = try? session.connection.value("SELECT CAST(pg_current_snapshot() AS text)")
    defer { version = present }
    return present == nil || present != version
  }

  /// A connection that ended is replaced. If it ends meanwhile, this fails.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    if !session.connection.isAlive { session = try Self.listening(connect) }
    return try session.connection.transaction(.snapshot) { _ in try body(Database(session)) }
  }

  func mayRecover(from error: any Error) -> Bool { (error as? PostgreSQLError)?.isLostConnection ?? false }
}
