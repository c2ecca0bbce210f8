import Blobs
import CSQLite
import Glibc
import Machine
import SQLite

// Copies the store while others write.

extension Store {
  /// What the store holds now. The cost does not grow with the library, but for counting its blobs.
  public func state() throws(StorageError) -> StoreState {
    // The version comes first: what is written after it makes the next one differ.
    let version = writer.engine == .sqlite ? currentVersion() : try serverVersion()
    return try read { db in try Self.state(in: db, version) }
  }

  /// Copies the store into a folder, as it is at one moment. Others may read and write meanwhile. When this returns, the
  /// copy survives a loss of power.
  ///
  /// A store on a server throws `StorageError.copiedByServer`: its records can be merged into another store.
  ///
  /// A copy is a store of its own: once the blobs that it names are beside it, its folder is a library.
  ///
  /// - Parameters:
  ///   - folder: A folder without a store. If the copy fails, it holds none either.
  ///   - onStep: Receives how much is copied, of how much.
  /// - Returns: The state of the copy.
  public func copy(
    to folder: String, onStep: (_ done: Int, _ known: Int) -> Void = { _, _ in }
  ) throws(StorageError) -> StoreState {
    guard writer.engine == .sqlite else { throw .copiedByServer(path: path) }
    let path = "\(folder)/\(Self.fileName)"
    let file = Glibc.open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw Self.refusal(path) }
    defer { Glibc.close(file) }
    do throws(StorageError) {
      let version = currentVersion()
      let state = try read { db in
        // Reading it begins the snapshot that is copied.
        let state = try Self.state(in: db, version)
        do { try Self.copy(db, to: path, onStep) } catch let error as SQLiteError {
          throw StorageError(error, path: error.isOfSource ? self.path : path)
        }
        return state
      }
      guard fsync(file) == 0 else { throw Self.refusal(path) }
      try Self.sync(folder: folder)
      return state
    } catch {
      unlink(path)
      throw error
    }
  }

  /// The blobs that the store names, ordered by name; their headers are left out.
  ///
  /// - Parameters:
  ///   - last: The blob to continue after; nil begins.
  ///   - limit: The maximum number.
  public func blobs(after last: BlobID?, limit: Int) throws(StorageError) -> [StoredBlob] {
    try read { db in
      let next = "SELECT sha256, bytes FROM blob WHERE sha256 > $1 ORDER BY sha256 LIMIT $2"
      return try db.rows(next, [last?.hex ?? "", limit]) {
        (name: try $0["sha256"] as String, byteCount: try $0.number("bytes") as Int)
      }.compactMap { row in BlobID(row.name).map { StoredBlob(id: $0, byteCount: row.byteCount) } }
    }
  }

  /// Whether a picture, a file or an avatar that counts as stored has this blob.
  public func isShown(_ blob: BlobID) throws(StorageError) -> Bool {
    try read { db in try db.hasRow("SELECT 1 FROM blob WHERE sha256 = $1 AND \(BlobRow.isShown)", [blob.hex]) }
  }

  static let fileName = "media.sqlite"

  /// No journal and no syncs: a copy that is cut off is made anew, and a whole one is synced once.
  private static func copy(_ db: Database, to path: String, _ onStep: (Int, Int) -> Void) throws {
    let target = try Connection(path)
    defer { target.close() }
    try target.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    try db.sqlite.copy(to: target, onStep: onStep)
  }

  /// Makes the log of changes of a library that nobody watches go on from a number.
  ///
  /// - Parameter number: The number that the last change is to have.
  /// - Throws: `StorageError` if the library cannot be written.
  package func beginChanges(at number: Int64) throws(StorageError) {
    try write { db in
      try db.run("DELETE FROM change")
      if number > 0 { try db.run("INSERT INTO change (id, post) VALUES ($1, 0)", [number]) }
    }
  }

  private static func state(in db: Database, _ version: String?) throws -> StoreState {
    StoreState(
      version: version, changes: try NumberLog.newest(in: db),
      blobs: try db.value("SELECT count(*) FROM blob") ?? 0)
  }

  /// A rename or a new file survives a power loss only after this. Some file systems do not support it.
  static func sync(folder: String) throws(StorageError) {
    if let code = syncFolder(folder) { throw refusal(folder, code) }
  }
}

extension SQLiteError {
  /// Whether only reading the source of a copy can fail in this way.
  fileprivate var isOfSource: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
}

// MARK: The version

extension Store {
  /// Which transactions of the server have ended. Those of its other databases count, too. A standby's snapshots do not
  /// tell, so it says how far it follows.
  private func serverVersion() throws(StorageError) -> String? {
    try read { db in
      try db.value(
        """
        SELECT CAST(identity AS text) || ' ' || CASE WHEN pg_is_in_recovery() THEN CAST(pg_last_wal_replay_lsn() AS text)
          ELSE CAST(pg_current_snapshot() AS text) END
        FROM media.library
        """)
    }
  }
}

extension Store {
  /// Names the files' content. Once all commits are in the store's file, that file alone tells; else the log does as well,
  /// by the salts of its header and the number of its frames (https://sqlite.org/walformat.html). Files are asked without
  /// opening those on which SQLite has locks, which closing would release.
  private func currentVersion() -> String? {
    guard !writer.isReadOnly, let path = writer.currentPath,
      let log = try? alone({ db in try db.sqlite.measuredCheckpoint() })
    else { return nil }
    var status = stat()
    guard stat(path, &status) == 0, Self.isSettled(status.st_mtim) else { return nil }
    let file = "\(status.st_ino).\(status.st_size).\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    if log.copied >= log.logged { return file }
    return Self.salts(ofLog: "\(path)-wal").map { "\(file)-\($0).\(log.logged)" }
  }

  /// Whether a later write is certain to give the file another time. The kernel's times of files stand still for some
  /// milliseconds; those of simple file systems for two seconds, and have no fraction.
  private static func isSettled(_ time: timespec) -> Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let age = Double(now.tv_sec - time.tv_sec) + Double(now.tv_nsec - time.tv_nsec) / 1e9
    return age > (time.tv_nsec == 0 ? 2 : 0.02)
  }

  private static func salts(ofLog path: String) -> String? {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { Glibc.close(file) }
    var head = [UInt8](repeating: 0, count: 32)
    guard pread(file, &head, 32, 0) == 32 else { return nil }
    return head[12..<24].map { String($0, radix: 16) }.joined(separator: "_")
  }
}
