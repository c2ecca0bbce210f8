import SQLite

/// The connections to a library in a SQLite file, or in memory.
final class SQLiteConnections: StoreConnections {
  private let connections: Connections
  private let schema: KnownSchema
  private let lock: OpenLock?
  private let turns: WriterLock

  /// - Parameters:
  ///   - connections: The connections.
  ///   - schema: The newest schema that the program knows.
  ///   - lock: Shows that the library is open.
  ///   - turns: Lets reads share the writing connection.
  init(
    _ connections: Connections, _ schema: KnownSchema, lock: OpenLock? = nil, turns: WriterLock = WriterLock()
  ) {
    (self.connections, self.schema, self.lock, self.turns) = (connections, schema, lock, turns)
  }

  let engine = Engine.sqlite
  var isReadOnly: Bool { connections.isReadOnly }
  var file: String? { connections.file }
  var currentPath: String? { connections.currentPath }
  var folder: String? { connections.folder }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard turns.acquireForReading() else { return try connections.read { try body(Database($0)) } }
    defer { turns.release() }
    return try connections.use { try $0.reading { try body(Database($0)) } }
  }

  func write<Value>(durably: Bool, _ body: (Database) throws -> Value) throws -> Value {
    try alone { connection in
      if durably { try connection.execute("PRAGMA synchronous = FULL") }
      defer { if durably { try? connection.execute("PRAGMA synchronous = NORMAL") } }
      return try connection.transaction(.immediate) {
        try schema.expect($0)
        return try body(Database($0))
      }
    }
  }

  func trial<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try alone { try $0.trial(.immediate) { try body(Database($0)) } }
  }

  func use<Value>(_ body: (Database) throws -> Value) throws -> Value { try alone { try body(Database($0)) } }

  private func alone<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    turns.acquireForWriting()
    defer { turns.release() }
    return try connections.use(body)
  }

  func audit<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard let file = connections.currentPath else { return try use(body) }
    let connection = try Connection(file, .reading)
    // A sort may need as much space as the library.
    try connection.execute("PRAGMA temp_store = FILE")
    return try body(Database(connection))
  }

  func watched() throws -> any WatchedLibrary {
    guard let file = connections.currentPath else { return WatchedMemory(connections) }
    return WatchedFile(try Connection(file, .reading, patience: 5))
  }

  func close() {
    connections.close()
    lock?.release()
  }

  func addListener(_ listener: AnyObject, _ notify: @escaping @Sendable () -> Void) {
    connections.addListener(listener, notify)
  }

  func removeListener(_ listener: AnyObject) { connections.removeListener(listener) }
}
