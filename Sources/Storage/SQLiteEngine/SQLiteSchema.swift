import FoundationEssentials
import Glibc
import Machine
import Migrations
import SQLite

// Migrates a library to the newest schema. `user_version` is the version of the last applied migration.

extension Store {
  /// Opens the store of a connection and migrates it to the newest schema.
  init(_ connections: Connections) throws(StorageError) {
    try self.init(connections, path: "the library", migrations: Migration.all, now: nil)
  }

  /// Opens the store of connections and migrates it to the newest schema.
  init(
    _ connections: Connections,
    path: String,
    migrations: [Migration],
    lock: OpenLock? = nil,
    isUnchecked: Bool = false,
    isForReading: Bool = false,
    turns: WriterLock = WriterLock(),
    now: Date?
  ) throws(StorageError) {
    self.init(
      SQLiteConnections(
        connections, KnownSchema(path: path, newest: migrations.newest), lock: lock, turns: turns), path: path,
      isUnchecked: isUnchecked, isForReading: isForReading)
    try migrate(migrations, now: now)
  }

  /// SQLite's application id of a library: `medi`.
  static let applicationID = 0x6D65_6469

  /// Applies the missing migrations in one transaction, so that two processes never apply the same one.
  func migrate(_ migrations: [Migration], now: Date?) throws(StorageError) {
    let version = try use { db in try Self.version(of: db, path, migrations) }
    guard let next = migrations.missing(at: version).first else { return }
    guard !writer.isReadOnly else { throw .readOnly(path: path) }
    let copy = if version > 0, let now { try copyAside(before: next, now: now) } else { nil as String? }
    do throws(StorageError) {
      do { try writer.write { db in try apply(migrations, in: db) } } catch { throw explained(error) }
    } catch {
      // The library is unchanged. The copy is redundant and occupies space that may be needed.
      if let copy { unlink(copy) }
      throw error
    }
  }

  private func apply(_ migrations: [Migration], in db: Database) throws {
    for migration in migrations.missing(at: try Self.version(of: db, path, migrations)) {
      try db.execute(migration.sql)
      try db.execute("PRAGMA user_version = \(migration.version)")
    }
  }

  /// The version of a library, from which these migrations lead to the newest one; 0 of an empty file.
  static func version(of db: Database, _ path: String, _ migrations: [Migration]) throws -> Int {
    let version = try db.value("PRAGMA user_version") ?? 0
    let application = try db.value("PRAGMA application_id") ?? 0
    if application != applicationID {
      let tables = try db.value("SELECT count(*) FROM sqlite_schema") ?? 0
      guard application == 0, version == 0, tables == 0 else { throw StorageError.notALibrary(path: path) }
    }
    if version != 0 { try migrations.expect(version, path) }
    return version
  }

  /// Makes a dated copy beside the store, readable only by its owner: `media-before-v002_….sqlite`. It gets that name
  /// only when it is complete and synced. A draft that a killed process left is replaced.
  ///
  /// - Returns: The copy's path.
  private func copyAside(before step: Migration, now: Date) throws(StorageError) -> String {
    let stamp = UTC.text(now).prefix(19).filter { $0 != "-" && $0 != ":" }
    let stem = path.hasSuffix(".sqlite") ? String(path.dropLast(".sqlite".count)) : path
    let copy = "\(stem)-before-\(step.name)-\(stamp)Z.sqlite"
    let draft = "\(stem).part"
    // The process that opens a library has locked its folder, so no other process owns a draft in it.
    discard(draft)
    let file = Glibc.open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw Self.refusal(draft) }
    defer { Glibc.close(file) }
    do throws(StorageError) {
      try use { db in try db.run("VACUUM INTO ?", [draft]) }
      guard fsync(file) == 0, rename(draft, copy) == 0 else { throw Self.refusal(copy) }
      // The copy is there, whether or not a loss of power may take its name.
      _ = syncFolder(PathText.parent(of: path))
    } catch {
      discard(draft)
      throw error
    }
    return copy
  }

  private func discard(_ draft: String) {
    unlink(draft)
    unlink("\(draft)-journal")
  }

  private func use<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    do { return try writer.use(body) } catch { throw explained(error) }
  }
}
