import Glibc
import Migrations

// The library in a PostgreSQL database.

extension Store {
  /// Opens the library in a database and migrates it to the newest schema.
  ///
  /// - Parameters:
  ///   - address: The database's address.
  ///   - purpose: What the library is opened for. A missing library is created unless that is reading.
  ///   - creates: Whether a missing library is created at all.
  /// - Returns: The open store.
  /// - Throws: `StorageError` if the library cannot be opened. No message holds a password.
  public static func open(
    library address: LibraryAddress, for purpose: Purpose = .writing, creates: Bool = true
  ) throws(StorageError) -> Store {
    try open(address.connection, shownAs: address.shown, for: purpose, creates: creates)
  }

  /// Opens the library behind a connection string.
  static func open(
    _ info: String, shownAs path: String, for purpose: Purpose, creates: Bool = true,
    wait: @escaping @Sendable (Int) -> Void = pause
  ) throws(StorageError) -> Store {
    let isForReading = purpose == .reading
    do {
      let session = try PostgreSQLSession.connected(info, wait: wait)
      if try PoolerCheck.sharesConnections(session, { try PostgreSQLSession(info) }) {
        throw StorageError.unsuitable(path: path, .pooled)
      }
      try PostgreSQLSchema(path: path, creates: creates).migrate(
        session.connection, isForReading: isForReading, wait: wait)
      session.connection.close()
    } catch { throw StorageError(error, path: path) }
    let schema = KnownSchema(path: path, newest: Migration.postgreSQL.newest)
    return Store(
      PostgreSQLConnections(info, schema, isForReading: isForReading, wait: wait), path: path,
      isForReading: isForReading)
  }

  /// Waits before attempt `n`: longer after each, and never as long as another process.
  @Sendable static func pause(_ attempt: Int) {
    _ = poll(nil, 0, Int32.random(in: 1...1 << min(attempt, 9)))
  }
}
