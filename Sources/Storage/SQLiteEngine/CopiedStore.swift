import Glibc
import Machine
import Migrations
import SQLite

// Folders that hold a copy of a store.

extension Store {
  /// Opens a store that `copy(to:)` made, just to be read, without a lock and without a file beside it: it may lie where
  /// no library may, such as on a network file system. Nobody may write to it meanwhile.
  ///
  /// - Parameter folder: The folder of the copy.
  /// - Returns: The open store; nil if an earlier version of the program wrote it.
  /// - Throws: `StorageError` if there is none, or if this program opens no store of that version.
  public static func openCopy(in folder: String) throws(StorageError) -> Store? {
    try openCopy(in: folder, migrations: Migration.all)
  }

  static func openCopy(in folder: String, migrations: [Migration]) throws(StorageError) -> Store? {
    let path = "\(folder)/\(fileName)"
    do {
      guard access(path, R_OK) == 0 else { throw refusal(path) }
      // A program that used the copy as a library was killed: what it wrote is still in its log.
      if size(of: "\(path)-wal") > 0 { try Connection(path).close() }
      let connections = try Connections(unchanging: path)
      let found = try connections.use { try version(of: Database($0), path, migrations) }
      guard migrations.missing(at: found).isEmpty else { return nil }
      return try Store(connections, path: path, migrations: migrations, isForReading: true, now: nil)
    } catch { throw StorageError(error, path: path) }
  }

  /// Gives the store that was copied to one folder the place of another folder's store, in one step.
  ///
  /// - Parameters:
  ///   - source: The folder of the copy, on the same file system.
  ///   - folder: The folder that gets it. It may hold a store already.
  /// - Throws: `StorageError.busy` if a program has the store open that would be replaced.
  public static func move(copyFrom source: String, to folder: String) throws(StorageError) {
    let path = "\(folder)/\(fileName)"
    // The same lock as when a library is opened: nobody opens the store that goes.
    let lock = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw refusal(folder) }
    defer { Glibc.close(lock) }
    _ = retried { flock(lock, LOCK_EX) }
    try removeLog(of: path, in: folder)
    guard rename("\(source)/\(fileName)", path) == 0 else { throw refusal(path) }
    try sync(folder: folder)
  }

  /// A log of the store that goes would be taken for the new one's.
  private static func removeLog(of path: String, in folder: String) throws(StorageError) {
    let open = Glibc.open("\(folder)/locks/open", O_RDONLY | O_CLOEXEC)
    defer { if open >= 0 { Glibc.close(open) } }
    if open >= 0, flock(open, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw .busy(path: folder) }
    guard access("\(path)-wal", F_OK) == 0 || access("\(path)-shm", F_OK) == 0 else { return }
    do {
      // Only the last connection can give the log up.
      let database = try Connection(path, patience: 1)
      defer { database.close() }
      guard try database.value("PRAGMA journal_mode = DELETE") == "delete" else {
        throw StorageError.busy(path: folder)
      }
    } catch { throw StorageError(error, path: folder) }
  }
}
