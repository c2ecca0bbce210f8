import Migrations
import PostgreSQL

/// Makes a library in a PostgreSQL database, and brings it to the newest schema.
///
/// Everything is in the schema `media`. The row of `media.library` has the version of the last applied migration. Whoever
/// applies some holds it, so that two processes never apply the same one.
struct PostgreSQLSchema {
  /// Where the library is, for people.
  let path: String
  /// Whether a missing library is created.
  var creates = true
  var migrations = Migration.postgreSQL

  /// The oldest server that has all that the schema uses.
  static let oldestServer = 140_000

  /// Applies the missing migrations, in one transaction.
  ///
  /// - Parameters:
  ///   - isForReading: Whether nothing may be changed.
  ///   - wait: Waits before attempt `n` of what lost against another process.
  /// - Throws: `StorageError`.
  func migrate(_ connection: PostgreSQLConnection, isForReading: Bool = false, wait: (Int) -> Void) throws {
    try checkServer(connection)
    switch try state(connection) {
    case .library(let version) where migrations.missing(at: version).isEmpty:
      if !isForReading { try connection.run("SELECT media.adopt()") }
      return
    case .library where isForReading: throw StorageError.unsuitable(path: path, .outdated)
    case .empty where isForReading || !creates: throw StorageError.unsuitable(path: path, .empty)
    default: break
    }
    for attempt in 1... {
      do {
        return try connection.transaction(.readCommitted, apply)
      } catch let error as PostgreSQLError where Self.hasLost(error) && attempt < Self.attempts {
        wait(attempt + 1)
      } catch let error as PostgreSQLError where error.state == Self.insufficientPrivilege {
        let isEmpty = try state(connection) == .empty
        throw StorageError.unsuitable(path: path, isEmpty ? .empty : .outdated)
      }
    }
  }

  private enum State: Equatable {
    /// There is no schema `media`.
    case empty
    /// A library of a version.
    case library(version: Int)
  }

  private static let attempts = 20
  private static let insufficientPrivilege = "42501"

  /// Whether another process made the library at the same moment.
  private static func hasLost(_ error: PostgreSQLError) -> Bool {
    // duplicate_schema, duplicate_table
    error.isWorthRepeating || error.isUniqueViolation || ["42P06", "42P07"].contains(error.state)
  }

  private func checkServer(_ connection: PostgreSQLConnection) throws {
    let version = connection.serverVersion
    guard version >= Self.oldestServer else {
      throw StorageError.unsuitable(path: path, .old(version: "\(version / 10_000).\(version % 10_000)"))
    }
    let encoding: String = try connection.value("SHOW server_encoding") ?? ""
    guard encoding == "UTF8" else { throw StorageError.unsuitable(path: path, .encoding(encoding)) }
  }

  private func state(_ connection: PostgreSQLConnection) throws -> State {
    let sql = "SELECT to_regclass('media.library') IS NOT NULL FROM pg_namespace WHERE nspname = 'media'"
    guard let isLibrary: Bool = try connection.value(sql) else { return .empty }
    guard isLibrary else { throw StorageError.unsuitable(path: path, .foreign) }
    return .library(version: try version(connection, "SELECT version FROM media.library"))
  }

  private func version(_ connection: PostgreSQLConnection, _ sql: String) throws -> Int {
    guard let version: Int = try connection.value(sql) else { throw StorageError.unsuitable(path: path, .foreign) }
    try migrations.expect(version, path)
    return version
  }

  private func apply(_ connection: PostgreSQLConnection) throws {
    let isEmpty = try state(connection) == .empty
    // Programs that have the library open have written before the migration, or learn of it.
    if !isEmpty { try connection.execute("LOCK TABLE media.turn IN EXCLUSIVE MODE") }
    let applied = try isEmpty ? 0 : version(connection, "SELECT version FROM media.library FOR UPDATE")
    for migration in migrations.missing(at: applied) { try connection.execute(migration.sql) }
    try connection.run("UPDATE media.library SET version = $1", [migrations.newest])
  }
}
