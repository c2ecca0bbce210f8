import PostgreSQL
import SQLite

/// The newest schema that the program knows. A newer program may migrate a library that this one has open. From then on this
/// one writes nothing: it does not know what its rows would break.
struct KnownSchema: Sendable {
  /// Where the library is, for people.
  let path: String
  /// The version.
  let newest: Int

  /// Asks a server for the version of the library.
  static let versionOfServer = "SELECT version FROM media.library"

  /// - Parameter connection: Inside a transaction beside which nobody else writes.
  /// - Throws: `StorageError.newer` if the library has a schema that the program does not know.
  func expect(_ connection: Connection) throws {
    try refuse(newer: connection.value("PRAGMA user_version") ?? 0)
  }

  /// - Parameter connection: Inside a transaction, unless nothing depends on the answer.
  /// - Throws: `StorageError.newer`.
  func expect(_ connection: PostgreSQLConnection) throws {
    try refuse(newer: connection.value(Self.versionOfServer) ?? 0)
  }

  /// - Parameter answer: What a server answered `versionOfServer` with.
  /// - Throws: `StorageError.newer`.
  func expect(_ answer: String?) throws { try refuse(newer: answer.flatMap { Int($0) } ?? 0) }

  private func refuse(newer version: Int) throws {
    if version > newest { throw StorageError.newer(path: path) }
  }
}
