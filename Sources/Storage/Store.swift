import Foundation
import GRDB
import Migrations
import Posts

// The library's rows. Every write is one transaction: what a call did is there whole, or not at all.

/// Posts, authors, pictures' states and coverage of one library. A value: copies speak to the same file.
///
/// What is pulled is written with SQLite's `synchronous = NORMAL`: a killed process loses nothing, a loss of power may
/// lose the last pages, each with its cursor, so that they are pulled again. What a person did is synced to the disk
/// before the call returns.
public struct Store: Sendable {
  let writer: any DatabaseWriter
  let path: String
  /// Whether the last process to write did not end as it should, and the library is too large to be looked through while
  /// a command waits: a whole check is due.
  public private(set) var isUnchecked = false
  private var lock: OpenLock?
  let watcher: Watcher
  private let turns: WriterTurns
  private let second: SecondReader?

  /// The store behind a connection, brought to the newest schema.
  public init(_ writer: any DatabaseWriter) throws(StorageError) {
    try self.init(writer, path: "the library", migrations: Migration.all, now: nil)
  }

  init(
    _ writer: any DatabaseWriter,
    path: String,
    migrations: [Migration],
    lock: OpenLock? = nil,
    isUnchecked: Bool = false,
    turns: WriterTurns = WriterTurns(),
    second: SecondReader? = nil,
    now: Date?
  ) throws(StorageError) {
    self.writer = writer
    self.turns = turns
    self.second = second
    self.path = path
    self.lock = lock
    self.isUnchecked = isUnchecked
    watcher = Watcher(writer)
    try migrate(migrations, now: now)
  }

  /// The same library, watched by somebody else.
  init(watching store: Store, _ watcher: Watcher) {
    (writer, path, lock, turns, second) = (store.writer, store.path, store.lock, store.turns, store.second)
    self.watcher = watcher
  }

  /// Closes the library: what was written is synced and stands in one file again, unless another process has it open.
  /// Nothing can be read or written after, and the streams of those who look at it end. To close it again does nothing.
  public func close() {
    guard watcher.stop() else { return }
    // The connection that closes last tidies up, and one that only reads cannot: the readers have to go first.
    (writer as? DatabasePool)?.releaseMemory()
    second?.close()
    _ = try? writer.writeWithoutTransaction { try $0.checkpoint(.passive) }
    try? writer.close()
    lock?.release()
  }

  func read<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    let isShared = turns.takeToRead()
    defer { if isShared { turns.giveBack() } }
    do {
      guard isShared else { return try second?.read(body) ?? writer.read(body) }
      return try writer.writeWithoutTransaction { db in try db.inOneThatOnlyReads(body) }
    } catch { throw explained(error) }
  }

  /// One immediate transaction.
  func write<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    turns.takeToWrite()
    defer { turns.giveBack() }
    do { return try writer.write(body) } catch { throw explained(error) }
  }

  /// One immediate transaction that is on the disk when this returns.
  func writeDurably<Value>(_ body: (Database) throws -> Value) throws(StorageError) -> Value {
    turns.takeToWrite()
    defer { turns.giveBack() }
    do {
      return try writer.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA synchronous = FULL")
        defer { try? db.execute(sql: "PRAGMA synchronous = NORMAL") }
        return try db.inOne(.immediate, body)
      }
    } catch { throw explained(error) }
  }

  func explained(_ error: any Error) -> StorageError {
    switch error {
    case let error as StorageError: error
    case let error as DatabaseError: StorageError(error, path: path)
    default: .io(path: path, reason: String(describing: error))
    }
  }
}

extension DatabaseWriter {
  /// The file that others may write as well; nil where there is none, in memory or on a disk that does not change.
  var file: String? {
    guard let path = (self as? DatabasePool)?.path ?? (self as? DatabaseQueue)?.path else { return nil }
    return path == ":memory:" || path.hasPrefix("file:") ? nil : path
  }
}

extension Database {
  /// One transaction of a kind.
  fileprivate func inOne<Value>(_ kind: TransactionKind, _ body: (Database) throws -> Value) throws -> Value {
    var value: Value?
    try inTransaction(kind) {
      value = try body(self)
      return .commit
    }
    guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT, message: "nothing was committed") }
    return value
  }

  /// One transaction of which nothing stays, and that fails where it wrote something. Telling SQLite that nothing may be
  /// written, by `query_only`, would have it compile every statement anew, before and after.
  fileprivate func inOneThatOnlyReads<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let before = totalChangesCount
    var value: Value?
    try inTransaction(.deferred) {
      value = try body(self)
      return .rollback
    }
    guard let value, totalChangesCount == before else {
      throw DatabaseError(resultCode: .SQLITE_READONLY, message: "a reader wanted to write")
    }
    return value
  }
}
