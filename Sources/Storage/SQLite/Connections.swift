import Blobs
import CSQLite
import Dispatch
import FoundationEssentials
import Synchronization

/// A library's connections: one that writes, and some that read beside it. One thread at a time uses each. Readers are
/// opened when they are first needed.
final class Connections: Sendable {
  /// How a file is opened.
  enum Kind {
    /// With a write-ahead log, which is created if missing. `readers` connections, at least one, read beside the
    /// writer.
    case logged(readers: Int)
    /// Unchanged, except for explicit writes. The writing connection also reads.
    case asItIs
    /// Read-only.
    case readOnly
    /// Locked for this process alone, if no file can be created beside it. SQLite then keeps in memory what processes
    /// would share. https://sqlite.org/wal.html#use_of_wal_without_shared_memory
    case alone
  }

  /// The file that others may write as well; nil if there is none: in memory, or on a disk that does not change.
  let file: String?
  /// The file's folder, kept open: readers are opened there long after the first connection.
  private let openFolder: OpenDirectory?
  /// Whether no connection can write.
  let isReadOnly: Bool
  // After opening, only the queue uses it.
  nonisolated(unsafe) private let first: Database
  private let queue = DispatchQueue(label: "media.sqlite")
  private let readers: Readers?
  private let listeners = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

  /// Creates a store in memory, which ends with its connections.
  init() throws {
    (file, openFolder, isReadOnly, readers) = (nil, nil, false, nil)
    first = try Database(nil)
  }

  init(_ path: String, _ kind: Kind) throws {
    let (folder, name) = Self.parts(of: path)
    let openFolder = OpenDirectory(folder)
    self.openFolder = openFolder
    switch kind {
    case .logged(let count):
      (file, isReadOnly) = (path, false)
      readers = Readers(count) { "\(openFolder.path)/\(name)" }
      first = try Database("\(openFolder.path)/\(name)")
      try Self.makeLog(first)
      try first.execute("PRAGMA synchronous = NORMAL")
    case .asItIs:
      (file, isReadOnly, readers) = (path, false, nil)
      first = try Database(path)
    case .readOnly:
      (file, isReadOnly, readers) = (path, true, nil)
      first = try Database(path, .reading)
    case .alone:
      (file, isReadOnly, readers) = (nil, true, nil)
      first = try Database(path)
      try first.execute("PRAGMA locking_mode = EXCLUSIVE")
    }
    if !isReadOnly { try first.execute("PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864") }
  }

  /// The file's current path, even if its folder was renamed.
  var currentPath: String? {
    file.map { "\(openFolder?.path ?? Self.parts(of: $0).folder)/\(Self.parts(of: $0).name)" }
  }

  /// The current path of the file's folder.
  var folder: String? { file.map { openFolder?.path ?? Self.parts(of: $0).folder } }

  private static func parts(of path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  /// Opens a store that nobody changes, where not even a lock may be written. https://sqlite.org/uri.html#uriimmutable
  init(unchanging path: String) throws {
    (file, openFolder, isReadOnly, readers) = (nil, nil, true, nil)
    first = try Database("file:\(Self.escaped(path))?immutable=1", .unchanging)
  }

  /// A path within a URI. Only these characters mean something there. https://sqlite.org/uri.html#the_uri_path
  private static func escaped(_ path: String) -> String {
    let marks = ["%": "%25", "?": "%3F", "#": "%23"]
    return path.unicodeScalars.map { marks[String($0)] ?? String($0) }.joined()
  }

  /// Leaves a store of another program unchanged; opening refuses it later.
  private static func makeLog(_ first: Database) throws {
    if try first.value("PRAGMA journal_mode") == "wal" { return }
    let isOurs = try first.value("PRAGMA application_id") == Store.applicationID
    guard try isOurs || first.value("SELECT count(*) FROM sqlite_schema") == 0 else { return }
    guard try first.value("PRAGMA journal_mode = WAL") == "wal" else {
      throw DatabaseError(SQLITE_CANTOPEN, "it can have no write-ahead log")
    }
  }

  /// Readers close first, as in `close`.
  deinit { readers?.close() }

  /// Reads from a snapshot of the last commit.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard let readers else { return try use { try $0.reading(body) } }
    return try readers.read(body)
  }

  /// Runs one immediate transaction.
  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try use { try $0.transaction(.immediate, body) }
  }

  /// Uses the writing connection without a transaction. `body` must not call it again.
  func use<Value>(_ body: (Database) throws -> Value) throws -> Value {
    dispatchPrecondition(condition: .notOnQueue(queue))
    return try queue.sync {
      let before = first.changingCommits
      defer { if first.changingCommits != before { notifyListeners() } }
      return try body(first)
    }
  }

  /// Closes the connections when their users are done. Later calls fail; closing again does nothing.
  func close() {
    // The last connection to close cleans up, which a reader cannot.
    readers?.close()
    queue.sync {
      if !isReadOnly { try? first.checkpoint() }
      first.close()
    }
  }

  // MARK: Change notifications

  /// Calls `notify` after each committed transaction of these connections that changed rows.
  func addListener(_ listener: AnyObject, _ notify: @escaping @Sendable () -> Void) {
    listeners.withLock { $0[ObjectIdentifier(listener)] = notify }
  }

  func removeListener(_ listener: AnyObject) {
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
    let database: Database
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

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
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
      guard idle != nil else { throw DatabaseError.closed }
      return idle?.popLast()
    }
    return try connection ?? ReadConnection(database: Database(path(), .reading))
  }
}
