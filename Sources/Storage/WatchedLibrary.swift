/// The library as the watching thread reads it: through a connection of its own, which sees the commits of all others.
/// A library that is in no file, or in one that does not change, has but one connection.
struct WatchedLibrary {
  private let writer: Connections
  private let own: Database?
  private var version: Int?

  init(_ writer: Connections) throws {
    self.writer = writer
    guard let file = writer.place else {
      own = nil
      return
    }
    own = try Database(file, .reading, patience: 5)
  }

  /// Whether another connection has committed since this was asked last; `rung` says whether this process has.
  mutating func hasCommits(_ rung: Bool) -> Bool {
    guard let own else { return rung }
    // What cannot be asked will fail when it is read, and be said there.
    let present: Int? = try? own.value("PRAGMA data_version")
    defer { version = present }
    return present == nil || present != version
  }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    if let own { return try own.reading(body) }
    return try writer.read(body)
  }

  func explained(_ error: any Error) -> StorageError { Self.explained(error, of: writer) }

  static func explained(_ error: any Error, of writer: Connections) -> StorageError {
    let path = writer.file ?? "the library"
    return switch error {
    case let error as StorageError: error
    case let error as DatabaseError: StorageError(error, path: path)
    default: .io(path: path, reason: String(describing: error))
    }
  }
}
