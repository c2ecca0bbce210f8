import FoundationEssentials
import Migrations
import Posts
import SQLite

// The library's rows. Every write is one transaction: all of a call's changes are stored, or none.

/// The posts, authors, picture states and coverage of one library. It is a value: copies use the same file.
///
/// Pulls are written with SQLite's `synchronous = NORMAL`: a killed process loses nothing, and a power loss may lose
/// the last pages, each with its cursor, so that they are pulled again. What a person did is synced to the disk before
/// the call returns.
public struct Store: Sendable {
  let writer: Connections
  let path: String
  /// Whether writes are refused, although the connection could write.
  private let isForReading: Bool
  /// Whether a full check is due: the last process to write exited without closing, and the library is too large to be
  /// checked while a command waits.
  public private(set) var isUnchecked = false
  private var lock: OpenLock?
  /// Limits how many rows of the feeds' records move in one transaction.
  var moves = MoveLimit()
  let watcher: LibraryWatcher
  private let turns: WriterLock

  /// Opens the store of a connection and migrates it to the newest schema.
  init(_ writer: Connections) throws(StorageError) {
    try self.init(writer, path: "the library", migrations: Migration.all, now: nil)
  }

  init(
    _ writer: Connections,
    path: String,
    migrations: [Migration],
    lock: OpenLock? = nil,
    isUnchecked: Bool = false,
    isForReading: Bool = false,
    turns: WriterLock = WriterLock(),
    now: Date?
  ) throws(StorageError) {
    self.writer = writer
    self.turns = turns
    self.path = path
    self.lock = lock
    self.isUnchecked = isUnchecked
    self.isForReading = isForReading
    watcher = LibraryWatcher(writer)
    try migrate(migrations, now: now)
  }

  /// The same library with another watcher.
  init(watching store: Store, _ watcher: LibraryWatcher) {
    (writer, path, lock, turns) = (store.writer, store.path, store.lock, store.turns)
    (isForReading, moves) = (store.isForReading, store.moves)
    self.watcher = watcher
  }

  /// Whether the library was closed.
  public var isClosed: Bool { watcher.registry.isClosed }

  /// Closes the library. What was written is synced and is in one file again, unless another process has it open.
  ///
  /// Every later read or write fails, and the streams of observers end. Closing it again does nothing.
  public func close() {
    guard watcher.stop() else { return }
    writer.close()
    lock?.release()
  }

  func read<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    let isShared = turns.acquireForReading()
    defer { if isShared { turns.release() } }
    do {
      return if isShared { try writer.use { try $0.reading(body) } } else { try writer.read(body) }
    } catch { throw explained(error) }
  }

  /// Runs one immediate transaction.
  func write<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    try refuseWhereRead()
    turns.acquireForWriting()
    defer { turns.release() }
    do { return try writer.write(body) } catch { throw explained(error) }
  }

  /// Runs one immediate transaction, which is synced to the disk before this returns.
  func writeDurably<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    try refuseWhereRead()
    turns.acquireForWriting()
    defer { turns.release() }
    do {
      return try writer.use { db in
        try db.execute("PRAGMA synchronous = FULL")
        defer { try? db.execute("PRAGMA synchronous = NORMAL") }
        return try db.transaction(.immediate, body)
      }
    } catch { throw explained(error) }
  }

  /// Uses the writing connection without a transaction.
  func alone<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    try refuseWhereRead()
    return try aside(body)
  }

  /// Uses the writing connection for what stores nothing, also where the store is open to be read.
  func aside<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    turns.acquireForWriting()
    defer { turns.release() }
    do { return try writer.use(body) } catch { throw explained(error) }
  }

  private func refuseWhereRead() throws(StorageError) {
    if isForReading { throw .openedForReading(path: path) }
  }

  func explained(_ error: any Error) -> StorageError { StorageError(error, path: path) }
}
