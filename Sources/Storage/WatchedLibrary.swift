import GRDB

/// The library as the watching thread reads it: through a connection of its own, which sees the commits of all others.
/// A library that is in no file, or in one that does not change, has but one connection.
struct WatchedLibrary {
  private let writer: any DatabaseWriter
  private let own: DatabaseQueue?
  private var version: Int?

  init(_ writer: any DatabaseWriter) throws {
    self.writer = writer
    guard let file = writer.file else {
      own = nil
      return
    }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.label = "media watcher"
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA temp_store = MEMORY") }
    own = try DatabaseQueue(path: file, configuration: configuration)
  }

  /// Whether another connection has committed since this was asked last; `rung` says whether this process has.
  mutating func hasCommits(_ rung: Bool) -> Bool {
    guard let own else { return rung }
    // What cannot be asked will fail when it is read, and be said there.
    let present = try? own.unsafeRead { try Int.fetchOne($0.cachedStatement(sql: "PRAGMA data_version")) }
    defer { version = present ?? nil }
    return present == nil || present != version
  }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    if let own { return try own.read(body) }
    return try writer.read(body)
  }

  func explained(_ error: any Error) -> StorageError { Self.explained(error, of: writer) }

  static func explained(_ error: any Error, of writer: any DatabaseWriter) -> StorageError {
    let path = writer.file ?? "the library"
    return switch error {
    case let error as StorageError: error
    case let error as DatabaseError: StorageError(error, path: path)
    default: .io(path: path, reason: String(describing: error))
    }
  }
}
