import Foundation
import GRDB
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
  }

  /// Opens the library in a folder and brings it to the newest schema; before that, a library that holds something is
  /// copied beside itself. `now` dates the copy.
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
    now: Date
  ) throws(StorageError) -> Store {
    let path = "\(folder)/media.sqlite"
    do {
      if purpose == .reading, access(path, F_OK) != 0, errno == ENOENT {
        return try Store(DatabaseQueue(), path: path, migrations: migrations, now: nil)
      }
      try makeFile(path, in: folder)
      // Who opens goes one after another: of many that prepare a fresh write-ahead log at once, SQLite turns some away.
      let gate = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      defer { if gate >= 0 { Glibc.close(gate) } }
      if gate >= 0 { _ = flock(gate, LOCK_EX) }
      let pool = try DatabasePool(path: path, configuration: configuration)
      return try Store(pool, path: path, migrations: migrations, now: now)
    } catch {
      switch error {
      case let error as StorageError: throw error
      case let error as DatabaseError: throw StorageError(error, path: path)
      default: throw .io(path: path, reason: String(describing: error))
      }
    }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "media"
    configuration.busyMode = .timeout(30)
    configuration.maximumReaderCount = 3
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
      if !db.configuration.readonly {
        try db.execute(sql: "PRAGMA cache_size = -8000")
        try db.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
        try db.execute(sql: "PRAGMA journal_size_limit = 67108864")
      }
    }
    return configuration
  }

  /// SQLite gives its side files the mode of the main one, so that one has to be right from the start.
  private static func makeFile(_ path: String, in folder: String) throws(StorageError) {
    try makeFolders(folder)
    let file = Glibc.open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw refusal(path) }
    defer { Glibc.close(file) }
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

  private static func refusal(_ path: String) -> StorageError {
    switch errno {
    case EROFS, EACCES, EPERM: .readOnly(path: path)
    case ENOSPC, EDQUOT: .full(path: path)
    default: .io(path: path, reason: String(cString: strerror(errno)))
    }
  }
}
