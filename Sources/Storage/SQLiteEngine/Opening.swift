import Blobs
import FoundationEssentials
import Glibc
import Migrations
import SQLite

/// Opens a library that exists or may be created.
struct Opening {
  let folder: String
  let path: String
  let purpose: Store.Purpose
  let migrations: [Migration]
  /// The largest store, in bytes, that is checked after an unclean exit.
  let quickSize: Int
  let now: Date

  /// Opens it for its purpose.
  func run() throws -> Store {
    switch purpose {
    case .reading: try run(.asItIs)
    case .command: try run(.logged(readers: 1, applicationID: Store.applicationID))
    case .writing, .mending: try run(.logged(readers: 3, applicationID: Store.applicationID))
    }
  }

  /// Opens it for reading if not even the files that SQLite needs to read a write-ahead log can be created. The log's
  /// content is read too. If there is no log, and none can be created, the store is complete in itself. Nil if it must be
  /// written first, to migrate it.
  func runOnFullDisk() throws -> Store? {
    do { return try run(.alone) } catch let error as StorageError {
      switch error {
      case .full, .readOnly: break
      default: throw error
      }
      return Store.size(of: "\(path)-wal") == 0 ? try? store(Connections(unchanging: path)) : nil
    }
  }

  /// The store behind connections, migrated to the newest schema, without a check.
  func store(_ connections: Connections) throws -> Store {
    try Store(connections, path: path, migrations: migrations, isForReading: purpose == .reading, now: nil)
  }

  private func run(_ kind: Connections.Kind) throws -> Store {
    try Store.makeFile(path, in: folder)
    // Serialize opens with a file lock: SQLite rejects some of many processes that create the WAL at the same time.
    let lockFile = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if lockFile >= 0 { Glibc.close(lockFile) } }
    if lockFile >= 0 { _ = flock(lockFile, LOCK_EX) }
    let lock = OpenLock(library: folder)
    let isUnclean = lock.map { $0.isMarked || $0.isFirst && Store.size(of: "\(path)-wal") > 0 } ?? false
    if isUnclean { lock?.setMark() }
    let database = try Connections(store: path, kind)
    let checks = purpose == .writing || purpose == .command
    let isChecked = try !isUnclean || !checks || Self.isSound(database, path, upTo: quickSize)
    if checks { lock?.clearMark() }
    return try Store(
      database, path: path, migrations: migrations, lock: lock, isUnchecked: !isChecked,
      isForReading: purpose == .reading, turns: WriterLock(mayShare: purpose == .command), now: now)
  }

  /// Whether the store was checked. Throws if it is damaged. SQLite cannot be stopped during a check, so the size alone
  /// limits its duration: about a second for each GB on a fast disk.
  private static func isSound(_ database: Connections, _ path: String, upTo limit: Int) throws -> Bool {
    guard Store.size(of: path) + Store.size(of: "\(path)-wal") <= limit else { return false }
    let result: String? = try database.use { try $0.value("PRAGMA quick_check(1)") }
    guard result == "ok" else { throw StorageError.damaged(path: path, reason: result ?? "quick_check says nothing") }
    return true
  }
}

extension Connections {
  /// Opens a store whose folder stays open: it may be renamed, and readers are opened in it later.
  convenience init(store path: String, _ kind: Kind) throws {
    let folder = OpenDirectory(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    try self.init(path, kind) { folder.path }
  }
}
