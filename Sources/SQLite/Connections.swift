import CSQLite
import Dispatch
import Machine
import Synchronization

/// The connections to a store: one that writes, and some that read beside it. One thread at a time uses each. Readers are
/// opened when they are first needed.
package final class Connections: Sendable {
  /// How a file is opened.
  package enum Kind {
    /// With a write-ahead log, which is created if missing. `readers` connections, at least one, read beside the
    /// writer. A store that has content and another `application_id` is left without one.
    case logged(readers: Int, applicationID: Int = 0)
    /// Unchanged, except for explicit writes. The writing connection also reads.
    case asItIs
    /// Read-only.
    case readOnly
    /// Locked for this process alone, if no file can be created beside it. SQLite then keeps in memory what processes
    /// would share. https://sqlite.org/wal.html#use_of_wal_without_shared_memory
    case alone
  }

  /// The file that others may write as well; nil if there is none: in memory, or on a disk that does not change.
  package let file: String?
  /// The current path of the file's folder: readers are opened there long after the first connection.
  private let currentFolder: @Sendable () -> String
  /// Whether no connection can write.
  package let isReadOnly: Bool
  // After opening, only the queue uses it.
  nonisolated(unsafe) private let first: Connection
  private let queue = DispatchQueue(label: "sqlite.writer")
  private let readers: Readers?
  private let listeners = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

  /// Creates a store in memory, which ends with its connections.
  package init() throws {
    (file, currentFolder, isReadOnly, readers) = (nil, { "." }, false, nil)
    first = try Connection(nil)
  }

  /// Opens a store's file.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - kind: How it is opened.
  ///   - folder: The current path of the file's folder, if that may be renamed while the store is open.
  package init(_ path: String, _ kind: Kind, folder: (@Sendable () -> String)? = nil) throws {
    let (given, name) = Self.parts(of: path)
    let currentFolder = folder ?? { given }
    self.currentFolder = currentFolder
    switch kind {
    case .logged(let count, let applicationID):
      (file, isReadOnly) = (path, false)
      readers = Readers(count) { "\(currentFolder())/\(name)" }
      first = try Connection("\(currentFolder())/\(name)")
      try Self.makeLog(first, applicationID)
      try first.execute("PRAGMA synchronous = NORMAL")
    case .asItIs:
      (file, isReadOnly, readers) = (path, false, nil)
      first = try Connection(path)
    case .readOnly:
      (file, isReadOnly, readers) = (path, true, nil)
      first = try Connection(path, .reading)
    case .alone:
      (file, isReadOnly, readers) = (nil, true, nil)
      first = try Connection(path)
      try first.execute("PRAGMA locking_mode = EXCLUSIVE")
    }
    if !isReadOnly { try first.execute("PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864") }
  }

  /// The file's current path, even if its folder was renamed.
  package var currentPath: String? { file.map { "\(currentFolder())/\(Self.parts(of: $0).name)" } }

  /// The current path of the file's folder.
  package var folder: String? { file.map { _ in currentFolder() } }

  private static func parts(of path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  /// Opens a store that nobody changes, where not even a lock may be written. https://sqlite.org/uri.html#uriimmutable
  package init(unchanging path: String) throws {
    (file, currentFolder, isReadOnly, readers) = (nil, { "." }, true, nil)
    first = try Connection("file:\(path.percentEncoded(keeping: "/"))?immutable=1", .unchanging)
  }

  /// Leaves a store of another program unchanged.
  private static func makeLog(_ first: Connection, _ applicationID: Int) throws {
    if try first.value("PRAGMA journal_mode") == "wal" { return }
    let isOurs = try applicationID != 0 && first.value("PRAGMA application_id") == applicationID
    guard try isOurs || first.value("SELECT count(*) FROM sqlite_schema") == 0 else { return }
    guard try first.value("PRAGMA journal_mode = WAL") == "wal" else {
      throw SQLiteError(SQLITE_CANTOPEN, "it can have no write-ahead log")
    }
  }

  /// Readers close first, as in `close`.
  deinit { readers?.close() }

  /// Reads from a snapshot of the last commit.
  package func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    guard let readers else { return try use { try $0.reading(body) } }
    return try readers.read(body)
  }

  /// Runs one immediate transaction.
  package func write<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try use { try $0.transaction(.immediate, body) }
  }

  /// Uses the writing connection without a transaction. `body` must not call it again.
  package func use<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    dispatchPrecondition(condition: .notOnQueue(queue))
    return try queue.sync {
      let before = first.changingCommits
      defer { if first.changingCommits != before { notifyListeners() } }
      return try body(first)
    }
  }

  /// Closes the connections when their users are done. Later calls fail; closing again does nothing.
  package func close() {
    // The last connection to close cleans up, which a reader cannot.
    readers?.close()
    queue.sync {
      if !isReadOnly { try? first.checkpoint() }
      first.close()
    }
  }

  // MARK: Change notifications

  /// Calls `notify` after each committed transaction of these connections that changed rows.
  package func addListener(_ listener: AnyObject, _ notify: @escaping @Sendable () -> Void) {
    listeners.withLock { $0[ObjectIdentifier(listener)] = notify }
  }

  package func removeListener(_ listener: AnyObject) {
    listeners.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(listener)) }
  }

  private func notifyListeners() {
    for notify in listeners.withLock({ Array($0.values) }) { notify() }
  }
}

/// Connections that only read.
private final class Readers: Sendable {
  /// A connection in use by one thread: it is removed from the idle ones under their lock, and returned after use.
  private struct ReadConnection: @unchecked Sendable {
    let database: Connection
  }

  private let path: @Sendable () -> String
  private let count: Int
  private let slots: DispatchSemaphore
  private let idle = Mutex<[ReadConnection]?>([])
  private let end = Mutex(())

  init(_ count: Int, at path: @escaping @Sendable () -> String) {
    (self.path, self.count) = (path, count)
    slots = DispatchSemaphore(value: count)
  }

  func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    slots.wait()
    defer { slots.signal() }
    let connection = try acquire()
    defer { idle.withLock { $0?.append(connection) } }
    return try connection.database.reading(body)
  }

  func close() {
    // Otherwise two concurrent calls would each wait for the slots that the other has.
    end.withLock { _ in
      for _ in 0..<count { slots.wait() }
      let unused = idle.withLock { idle in
        defer { idle = nil }
        return idle ?? []
      }
      for connection in unused { connection.database.close() }
      for _ in 0..<count { slots.signal() }
    }
  }

  private func acquire() throws -> ReadConnection {
    let connection: ReadConnection? = try idle.withLock { idle in
      guard idle != nil else { throw SQLiteError.closed }
      return idle?.popLast()
    }
    return try connection ?? ReadConnection(database: Connection(path(), .reading))
  }
}
