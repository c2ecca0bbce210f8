import CSQLite
import FoundationEssentials
import Glibc
import Machine
import Migrations
import SQLite

// The library on the disk: one folder that only its owner can access.

extension Store {
  /// What a library is opened for.
  public enum Purpose: Sendable {
    /// A missing library counts as empty and is not created.
    case reading
    /// A missing library is created.
    case writing
    /// As for writing, for sequential use: reads share the writing connection while nothing is written.
    case command
    /// As for writing. A damaged library is opened too, if possible.
    case mending
  }

  /// The largest store, in bytes, that is checked after an unclean exit before a command writes.
  static let quickSize = 256 << 20

  /// Opens the library in a folder and migrates it to the newest schema. A library with content is backed up beside itself
  /// before a migration.
  ///
  /// If a process exits without closing, the next open for writing checks the store, once. A store that is too large for
  /// that is `isUnchecked`.
  ///
  /// - Parameters:
  ///   - folder: The library's folder.
  ///   - purpose: What the library is opened for.
  ///   - now: The date of the backup.
  /// - Returns: The open store.
  /// - Throws: `StorageError` if the library cannot be opened, is damaged, or is on a network file system.
  public static func open(
    library folder: String,
    for purpose: Purpose = .writing,
    now: Date
  ) throws(StorageError) -> Store {
    try open(library: folder, for: purpose, migrations: Migration.all, now: now)
  }

  static func open(
    library folder: String,
    for purpose: Purpose,
    migrations: [Migration],
    on fileSystem: FileSystem? = nil,
    quickSize: Int = quickSize,
    now: Date
  ) throws(StorageError) -> Store {
    let path = "\(folder)/\(fileName)"
    _ = isConfigured
    let opening = Opening(
      folder: folder, path: path, purpose: purpose, migrations: migrations, quickSize: quickSize, now: now)
    do {
      if purpose == .reading, access(path, F_OK) != 0, errno == ENOENT { return try opening.store(Connections()) }
      try refuseNetwork(fileSystem ?? FileSystem(of: folder), folder)
      if purpose == .reading, !mayWrite(path, in: folder) { return try opening.store(readOnly(path)) }
      do { return try opening.run() } catch {
        guard purpose == .reading, StorageError(error, path: path) == .full(path: path),
          let store = try opening.runOnFullDisk()
        else { throw error }
        return store
      }
    } catch { throw StorageError(error, path: path) }
  }

  private static func refuseNetwork(_ fileSystem: FileSystem?, _ folder: String) throws(StorageError) {
    switch fileSystem?.verdict {
    case .remote(let name): throw .remote(path: folder, fileSystem: name)
    case .untried(let name):
      if !FileSystem.sharesMemory(in: folder) { throw .remote(path: folder, fileSystem: name) }
    case .fit, nil: break
    }
  }

  // MARK: Where nothing may be written

  private static func mayWrite(_ path: String, in folder: String) -> Bool {
    access(folder, W_OK) == 0 && access(path, W_OK) == 0
  }

  /// SQLite reads a store in WAL mode only with files beside it. If none exist and none can be created, the store is
  /// complete in itself and is read as immutable.
  private static func readOnly(_ path: String) throws -> Connections {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw refusal(path) }
    defer { Glibc.close(file) }
    try checkHead(of: file, path)
    return try size(of: "\(path)-wal") > 0 ? Connections(store: path, .readOnly) : Connections(unchanging: path)
  }

  static func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// SQLite's global settings, made once before its first use.
  private static let isConfigured: Bool = {
    sqlite_shim_disable_memory_statistics()
    // A new post with its triggers changes some thirty pages in one statement. From 128 KiB on, each of these journals would be
    // mapped and unmapped.
    sqlite_shim_keep_statement_journals(120 << 10)
    return true
  }()

  /// SQLite gives its side files the mode of the main file, so the main file needs the right mode from the start.
  static func makeFile(_ path: String, in folder: String) throws(StorageError) {
    if let code = makeFolders(folder) { throw refusal(folder, code) }
    let file = retried { Glibc.open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600) }
    guard file >= 0 else { throw refusal(path) }
    defer { Glibc.close(file) }
    try checkHead(of: file, path)
    closeToOthers(file, path)
  }

  /// Makes a store private again if its owner, another program or a copy made it readable to others. A store of another
  /// owner keeps its mode.
  private static func closeToOthers(_ file: Int32, _ path: String) {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & 0o077 != 0, status.st_uid == geteuid() else { return }
    fchmod(file, status.st_mode & 0o700)
    for side in ["-wal", "-shm"] { chmod(path + side, status.st_mode & 0o700) }
  }

  private static func checkHead(of file: Int32, _ path: String) throws(StorageError) {
    var head = [UInt8](repeating: 0, count: 16)
    let count = pread(file, &head, 16, 0)
    guard count == 0 || (count == 16 && head.starts(with: "SQLite format 3\0".utf8)) else {
      throw .notALibrary(path: path)
    }
  }

  static func refusal(_ path: String, _ code: Int32 = errno) -> StorageError {
    switch code {
    case EROFS, EACCES, EPERM: .readOnly(path: path)
    case _ where FullDisk.isReason(code): .full(path: path)
    default: .io(path: path, reason: String(cString: strerror(code)))
    }
  }
}
