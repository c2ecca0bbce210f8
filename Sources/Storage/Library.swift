import CSQLite
import Foundation
import Glibc
import Migrations
import Posts

// The library's place on the disk: one folder that only its owner can enter.

extension Store {
  /// What a library is opened for.
  public enum Purpose: Sendable {
    /// A library that does not exist is empty, and is not made.
    case reading
    /// A library that does not exist is made.
    case writing
    /// As for writing, by who does one thing after another: reads go by the connection that writes while nobody writes.
    case command
    /// As for writing; a library that is damaged is opened all the same, where that is possible.
    case mending
  }

  /// The largest store, in bytes, that is looked through before a command that writes goes on after an unclean end.
  static let quickSize = 256 << 20

  /// Opens the library in a folder and brings it to the newest schema; before that, a library that holds something is
  /// copied beside itself. `now` dates the copy.
  ///
  /// After a process that did not end as it should, whoever opens to write first looks through the store, once; one that
  /// is too large for that is `isUnchecked`.
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
    let path = "\(folder)/media.sqlite"
    _ = isConfigured
    do {
      if purpose == .reading, access(path, F_OK) != 0, errno == ENOENT {
        return try Store(Connections(), path: path, migrations: migrations, now: nil)
      }
      try refuseNetwork(fileSystem ?? FileSystem(of: folder), folder)
      if purpose == .reading, !mayWrite(path, in: folder) {
        return try Store(readOnly(path), path: path, migrations: migrations, now: nil)
      }
      try makeFile(path, in: folder)
      // Who opens goes one after another: of many that prepare a fresh write-ahead log at once, SQLite turns some away.
      let gate = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      defer { if gate >= 0 { Glibc.close(gate) } }
      if gate >= 0 { _ = flock(gate, LOCK_EX) }
      let lock = OpenLock(library: folder)
      let isUnclean = lock.map { $0.isMarked || $0.isFirst && size(of: "\(path)-wal") > 0 } ?? false
      if isUnclean { lock?.setMark() }
      let kind: Connections.Kind =
        switch purpose {
        case .reading: .asItIs
        case .command: .logged(readers: 1)
        case .writing, .mending: .logged(readers: 3)
        }
      let database = try Connections(path, kind)
      let checks = purpose == .writing || purpose == .command
      let isChecked = try !isUnclean || !checks || isSound(database, path, upTo: quickSize)
      if checks { lock?.clearMark() }
      return try Store(
        database, path: path, migrations: migrations, lock: lock, isUnchecked: !isChecked,
        turns: WriterTurns(mayShare: purpose == .command), now: now)
    } catch {
      switch error {
      case let error as StorageError: throw error
      case let error as DatabaseError: throw StorageError(error, path: path)
      default: throw .io(path: path, reason: String(describing: error))
      }
    }
  }

  /// Whether the store was looked through; throws where it is damaged. SQLite cannot be stopped while it does so: the
  /// size alone says how long it takes, about a second for each GB where the disk is fast.
  private static func isSound(_ database: Connections, _ path: String, upTo limit: Int) throws -> Bool {
    guard size(of: path) + size(of: "\(path)-wal") <= limit else { return false }
    let words: String? = try database.use { try $0.value("PRAGMA quick_check(1)") }
    guard words == "ok" else { throw StorageError.damaged(path: path, reason: words ?? "quick_check says nothing") }
    return true
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

  /// SQLite reads a store with a write-ahead log only with help of files beside it. Where none can be made, and none is
  /// there, the store is whole by itself and is read as one that does not change.
  private static func readOnly(_ path: String) throws -> Connections {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw refusal(path) }
    defer { Glibc.close(file) }
    try checkHead(of: file, path)
    if size(of: "\(path)-wal") > 0 { return try Connections(path, .readOnly) }
    let kept = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%;"))
    let escaped = path.addingPercentEncoding(withAllowedCharacters: kept) ?? path
    return try Connections("file:\(escaped)?immutable=1", .unchanging)
  }

  private static func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// SQLite's own settings, made once and before its first use.
  private static let isConfigured: Bool = {
    sqlite_door_count_no_memory()
    return true
  }()

  /// SQLite gives its side files the mode of the main one, so that one has to be right from the start.
  private static func makeFile(_ path: String, in folder: String) throws(StorageError) {
    try makeFolders(folder)
    var file: Int32
    repeat { file = Glibc.open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600) } while file < 0 && errno == EINTR
    guard file >= 0 else { throw refusal(path) }
    defer { Glibc.close(file) }
    try checkHead(of: file, path)
  }

  private static func checkHead(of file: Int32, _ path: String) throws(StorageError) {
    var head = [UInt8](repeating: 0, count: 16)
    let count = pread(file, &head, 16, 0)
    guard count == 0 || (count == 16 && head.starts(with: "SQLite format 3\0".utf8)) else {
      throw .notALibrary(path: path)
    }
  }

  private static func makeFolders(_ folder: String) throws(StorageError) {
    if mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = folder.dropLast(folder.hasSuffix("/") ? 1 : 0).lastIndex(of: "/"),
      slash > folder.startIndex
    else { throw refusal(folder) }
    try makeFolders(String(folder[..<slash]))
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw refusal(folder) }
  }

  static func refusal(_ path: String) -> StorageError {
    switch errno {
    case EROFS, EACCES, EPERM: .readOnly(path: path)
    case ENOSPC, EDQUOT: .full(path: path)
    default: .io(path: path, reason: String(cString: strerror(errno)))
    }
  }
}
