import Foundation
import Glibc
import Migrations

/// The opening of a library that is there, or may be made.
struct Opening {
  let folder: String
  let path: String
  let purpose: Store.Purpose
  let migrations: [Migration]
  /// The largest store, in bytes, that is looked through after an unclean end.
  let quickSize: Int
  let now: Date

  /// Opens it as its purpose asks.
  func run() throws -> Store {
    switch purpose {
    case .reading: try run(.asItIs)
    case .command: try run(.logged(readers: 1))
    case .writing, .mending: try run(.logged(readers: 3))
    }
  }

  /// Opens it to be read where not even the files that SQLite reads a write-ahead log with can be made. What the log
  /// holds is read, too; where there is no log, and none can be made, the store is whole by itself. nil where it has to be
  /// written first, to bring it to the newest schema.
  func runOnFullDisk() throws -> Store? {
    do { return try run(.alone) } catch let error as StorageError {
      switch error {
      case .full, .readOnly: break
      default: throw error
      }
      return Store.size(of: "\(path)-wal") == 0 ? try? store(Connections(unchanging: path)) : nil
    }
  }

  /// The store behind connections, brought to the newest schema; nothing is checked.
  func store(_ connections: Connections) throws -> Store {
    try Store(connections, path: path, migrations: migrations, isForReading: purpose == .reading, now: nil)
  }

  private func run(_ kind: Connections.Kind) throws -> Store {
    try Store.makeFile(path, in: folder)
    // Who opens goes one after another: of many that prepare a fresh write-ahead log at once, SQLite turns some away.
    let gate = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if gate >= 0 { Glibc.close(gate) } }
    if gate >= 0 { _ = flock(gate, LOCK_EX) }
    let lock = OpenLock(library: folder)
    let isUnclean = lock.map { $0.isMarked || $0.isFirst && Store.size(of: "\(path)-wal") > 0 } ?? false
    if isUnclean { lock?.setMark() }
    let database = try Connections(path, kind)
    let checks = purpose == .writing || purpose == .command
    let isChecked = try !isUnclean || !checks || Self.isSound(database, path, upTo: quickSize)
    if checks { lock?.clearMark() }
    return try Store(
      database, path: path, migrations: migrations, lock: lock, isUnchecked: !isChecked,
      isForReading: purpose == .reading, turns: WriterTurns(mayShare: purpose == .command), now: now)
  }

  /// Whether the store was looked through; throws where it is damaged. SQLite cannot be stopped while it does so: the
  /// size alone says how long it takes, about a second for each GB where the disk is fast.
  private static func isSound(_ database: Connections, _ path: String, upTo limit: Int) throws -> Bool {
    guard Store.size(of: path) + Store.size(of: "\(path)-wal") <= limit else { return false }
    let words: String? = try database.use { try $0.value("PRAGMA quick_check(1)") }
    guard words == "ok" else { throw StorageError.damaged(path: path, reason: words ?? "quick_check says nothing") }
    return true
  }
}
