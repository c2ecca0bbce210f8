import Blobs
import CSQLite
import Dispatch
import Foundation
import Synchronization

/// A library's connections: one that writes, and some that read beside it. Each is used by one thread at a time, and
/// those that read are opened when they are first needed.
final class Connections: Sendable {
  /// How a file is opened.
  enum Kind {
    /// A library's write-ahead log is made where it has none, and so many may read beside who writes, one at least.
    case logged(readers: Int)
    /// As it is, and only what is asked for is written. It is read by the connection that writes.
    case asItIs
    /// Without a way to write.
    case readOnly
    /// To be read by nobody else meanwhile: where no file beside it can be made. SQLite keeps in memory what others would
    /// have to share. https://sqlite.org/wal.html#use_of_wal_without_shared_memory
    case alone
  }

  /// The file that others may write as well; nil where there is none, in memory or on a disk that does not change.
  let file: String?
  /// The folder that the file lies in: connections are opened there long after the first.
  private let held: HeldFolder?
  /// Whether none of them can write.
  let isReadOnly: Bool
  // Once it is open it is used on the queue alone.
  nonisolated(unsafe) private let first: Database
  private let queue = DispatchQueue(label: "media.sqlite")
  private let readers: Readers?
  private let bells = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

  /// A new store in memory, which goes with it.
  init() throws {
    (file, held, isReadOnly, readers) = (nil, nil, false, nil)
    first = try Database(nil)
  }

  init(_ path: String, _ kind: Kind) throws {
    let (folder, name) = Self.parts(of: path)
    let held = HeldFolder(folder)
    self.held = held
    switch kind {
    case .logged(let count):
      (file, isReadOnly) = (path, false)
      readers = Readers(count) { "\(held.path)/\(name)" }
      first = try Database("\(held.path)/\(name)")
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

  /// Where the file is, whatever its folder is called by now.
  var place: String? { file.map { "\(held?.path ?? Self.parts(of: $0).folder)/\(Self.parts(of: $0).name)" } }

  /// Where the file's folder is.
  var folder: String? { file.map { held?.path ?? Self.parts(of: $0).folder } }

  private static func parts(of path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  /// A store that nobody changes, where not even a lock may be written. https://sqlite.org/uri.html#uriimmutable
  init(unchanging path: String) throws {
    let kept = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%;"))
    let escaped = path.addingPercentEncoding(withAllowedCharacters: kept) ?? path
    (file, held, isReadOnly, readers) = (nil, nil, true, nil)
    first = try Database("file:\(escaped)?immutable=1", .unchanging)
  }

  /// A store that is somebody else's is left as it is, until it is refused.
  private static func makeLog(_ first: Database) throws {
    if try first.value("PRAGMA journal_mode") == "wal" { return }
    let isOurs = try first.value("PRAGMA application_id") == Store.applicationID
    guard try isOurs || first.value("SELECT count(*) FROM sqlite_schema") == 0 else { return }
    guard try first.value("PRAGMA journal_mode = WAL") == "wal" else {
      throw DatabaseError(SQLITE_CANTOPEN, "it can have no write-ahead log")
    }
  }

  /// Those that read go first, as when it is closed.
  deinit { readers?.close() }

  /// Reads what was committed last, which stays as it is meanwhile.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard let readers else { return try use { try $0.reading(body) } }
    return try readers.read(body)
  }

  /// One immediate transaction.
  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try use { try $0.transaction(.immediate, body) }
  }

  /// The connection that writes, without a transaction. Who has it must not ask for it again.
  func use<Value>(_ body: (Database) throws -> Value) throws -> Value {
    dispatchPrecondition(condition: .notOnQueue(queue))
    return try queue.sync {
      let before = first.changingCommits
      defer { if first.changingCommits != before { ring() } }
      return try body(first)
    }
  }

  /// Closes them when those who use them are done. Who comes after is refused; to close them again does nothing.
  func close() {
    // The connection that closes last tidies up, and one that only reads cannot.
    readers?.close()
    queue.sync {
      if !isReadOnly { try? first.checkpoint() }
      first.close()
    }
  }

  // MARK: Telling of changes

  /// Has somebody told of each transaction of these connections that changed rows and was committed.
  func tell(_ listener: AnyObject, _ bell: @escaping @Sendable () -> Void) {
    bells.withLock { $0[ObjectIdentifier(listener)] = bell }
  }

  func tellNoMore(_ listener: AnyObject) {
    bells.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(listener)) }
  }

  private func ring() {
    for bell in bells.withLock({ Array($0.values) }) { bell() }
  }
}

/// Connections that only read.
private final class Readers: Sendable {
  /// A connection that nobody else has: it is taken out of the idle ones under their lock, and put back when it is done.
  private struct Own: @unchecked Sendable {
    let database: Database
  }

  private let path: @Sendable () -> String
  private let count: Int
  private let places: DispatchSemaphore
  private let idle = Mutex<[Own]?>([])
  private let end = Mutex(())

  init(_ count: Int, at path: @escaping @Sendable () -> String) {
    (self.path, self.count) = (path, count)
    places = DispatchSemaphore(value: count)
  }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    places.wait()
    defer { places.signal() }
    let own = try take()
    defer { idle.withLock { $0?.append(own) } }
    return try own.database.reading(body)
  }

  func close() {
    // Two who close would each wait for the places that the other has taken.
    end.withLock { _ in
      for _ in 0..<count { places.wait() }
      let own = idle.withLock { idle in
        defer { idle = nil }
        return idle ?? []
      }
      for connection in own { connection.database.close() }
      for _ in 0..<count { places.signal() }
    }
  }

  private func take() throws -> Own {
    let own: Own? = try idle.withLock { idle in
      guard idle != nil else { throw DatabaseError.closed }
      return idle?.popLast()
    }
    return try own ?? Own(database: Database(path(), .reading))
  }
}
