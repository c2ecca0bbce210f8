import CSQLite
import Dispatch
import Folders
import Foundation
import Rows
import SQLRows
import SQLite
import Synchronization
import Testing

/// What a library's connections promise to their users.
@Suite(.timeLimit(.minutes(5))) struct ConnectionsTests {
  private let scratch: Scratch
  private let path: String

  init() throws {
    scratch = try Scratch()
    path = "\(scratch.path)/some.sqlite"
  }

  private func opened(readers: Int = 2) throws -> Connections {
    let connections = try Connections(path, .logged(readers: readers))
    try connections.write { try $0.execute("CREATE TABLE IF NOT EXISTS word (text TEXT UNIQUE) STRICT") }
    return connections
  }

  private func words(_ connections: Connections) throws -> [String] {
    try connections.read { try $0.values("SELECT text FROM word ORDER BY rowid") }
  }

  @Test func `a failed transaction leaves nothing, and the next one succeeds`() throws {
    let connections = try opened()
    defer { connections.close() }
    #expect(throws: SQLiteError.self) {
      try connections.write { db in
        try db.run("INSERT INTO word VALUES ('a')")
        try db.run("INSERT INTO word VALUES ('a')")
      }
    }
    #expect(throws: CancellationError.self) {
      try connections.write { db in
        try db.run("INSERT INTO word VALUES ('b')")
        throw CancellationError()
      }
    }
    #expect(try words(connections) == [])
    try connections.write { try $0.run("INSERT INTO word VALUES ('c')") }
    #expect(try words(connections) == ["c"])
  }

  @Test func `a transaction that cannot be committed is rolled back`() throws {
    let connections = try opened()
    defer { connections.close() }
    try connections.use { db in
      try db.execute("CREATE TABLE name (word TEXT REFERENCES word (text) DEFERRABLE INITIALLY DEFERRED)")
    }
    let insertion = "INSERT INTO name VALUES (?)"
    #expect(throws: SQLiteError.self) { try connections.write { try $0.run(insertion, ["nobody"]) } }
    try connections.use { #expect(!$0.isInTransaction) }
    try connections.write { db in
      try db.run(insertion, ["a"])
      try db.run("INSERT INTO word VALUES ('a')")
    }
    #expect(try connections.read { try $0.values("SELECT word FROM name") } == ["a"])
  }

  /// A full disk, a lost file and the like: SQLite has rolled everything back before the caller sees the error.
  @Test func `a transaction that SQLite has ended does not count as committed`() throws {
    let connections = try opened()
    defer { connections.close() }
    #expect(throws: SQLiteError.self) {
      try connections.write { db in
        try db.run("INSERT INTO word VALUES ('a')")
        try? db.run("INSERT OR ROLLBACK INTO word VALUES ('a')")
        try? db.run("INSERT INTO word VALUES ('would stay by itself')")
        try? db.execute("INSERT INTO word VALUES ('this, too')")
      }
    }
    #expect(try words(connections) == [])
    try connections.write { try $0.run("INSERT INTO word VALUES ('b')") }
    #expect(try words(connections) == ["b"])
  }

  @Test(arguments: [true, false]) func `a reader cannot write, and leaves no files`(hasReaders: Bool) throws {
    try opened().close()
    let connections = try hasReaders ? opened() : Connections(path, .asItIs)
    defer { connections.close() }
    #expect(throws: SQLiteError.self) { try connections.read { try $0.run("INSERT INTO word VALUES ('a')") } }
    #expect(try words(connections) == [])
  }

  @Test func `a read transaction sees the state at its beginning`() throws {
    let connections = try opened()
    defer { connections.close() }
    try connections.read { db in
      let question = "SELECT count(*) FROM word"
      #expect(try db.value(question) == 0)
      try connections.write { try $0.run("INSERT INTO word VALUES ('a')") }
      #expect(try db.value(question) == 0)
      #expect(try words(connections) == ["a"])
    }
  }

  @Test func `the number of concurrent readers is limited, and others wait`() throws {
    let connections = try opened(readers: 2)
    defer { connections.close() }
    let (now, most, failures) = (Counter(), Counter(), Counter())
    DispatchQueue.concurrentPerform(iterations: 40) { _ in
      do {
        try connections.read { db in
          most.raise(to: now.add(1))
          _ = try db.value("SELECT count(*) FROM word") as Int?
          now.add(-1)
        }
      } catch { failures.add(1) }
    }
    #expect(failures.count == 0)
    #expect((1...2).contains(most.count))
    let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { file in
      let linkTarget = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)")
      return linkTarget?.hasSuffix("\((scratch.path as NSString).lastPathComponent)/some.sqlite") == true
    }
    #expect((2...3).contains(files))
  }

  @Test func `closing waits for readers, and refuses later ones`() async throws {
    let connections = try opened()
    let (begun, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let ends = Counter()
    async let read = withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            try connections.read { db in
              begun.signal()
              goesOn.wait()
              // The close has begun.
              Thread.sleep(forTimeInterval: 0.1)
              #expect(ends.count == 0)
              return try db.value("SELECT count(*) FROM word") as Int?
            }
          })
      }
    }
    async let end: Void = withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        begun.wait()
        // The store is about to be closed, or is being closed, when the read continues.
        goesOn.signal()
        connections.close()
        ends.add(1)
        continuation.resume()
      }
    }
    #expect(try await read == 0)
    await end
    connections.close()
    #expect(throws: SQLiteError.self) { try words(connections) }
    #expect(throws: SQLiteError.self) { try connections.write { try $0.run("INSERT INTO word VALUES ('a')") } }
    #expect(throws: SQLiteError.self) { try connections.use { try $0.execute("VACUUM") } }
    // The last close has merged all into one file.
    #expect(scratch.names == ["some.sqlite"])
  }

  @Test func `a statement may run inside itself`() throws {
    let connections = try opened()
    defer { connections.close() }
    try connections.write { db in
      for word in ["a", "b", "c"] { try db.run("INSERT INTO word VALUES (?)", [word]) }
      let question = "SELECT text FROM word ORDER BY text"
      let pairs = try db.rows(question) { outer in
        let first: String = try outer["text"]
        return try db.rows(question) { "\(first)\(try $0["text"] as String)" }
      }
      #expect(pairs.joined().joined(separator: " ") == "aa ab ac ba bb bc ca cb cc")
    }
  }

  @Test(arguments: ["SELECT 1; SELECT 2", "", " ", "-- nothing", "SELECT"])
  func `text that is not exactly one statement is refused`(sql: String) throws {
    let database = try Connection(nil)
    #expect(throws: SQLiteError.self) { try database.run(sql) }
    #expect(try database.value("SELECT 1 ;\n") == 1)
  }

  @Test func `listeners are notified of changes, and of nothing else`() throws {
    let connections = try opened()
    defer { connections.close() }
    let (first, second) = (Counter(), Counter())
    for listener in [first, second] {
      connections.addListener(listener) { [weak listener] in listener?.add(1) }
    }
    _ = try words(connections)
    try connections.use { _ = try $0.reading { try $0.row("SELECT 1") } }
    #expect(first.count == 0)
    try connections.write { try $0.run("INSERT INTO word VALUES ('a')") }
    #expect((first.count, second.count) == (1, 1))
    #expect(throws: SQLiteError.self) {
      try connections.write { db in
        try db.run("INSERT INTO word VALUES ('z')")
        try db.run("INSERT INTO word VALUES ('a')")
      }
    }
    try connections.use { db in try db.trial(.immediate) { try $0.run("INSERT INTO word VALUES ('z')") } }
    #expect((first.count, second.count) == (1, 1))
    connections.removeListener(first)
    try connections.write { try $0.run("INSERT INTO word VALUES ('b')") }
    #expect((first.count, second.count) == (1, 2))
  }

  @Test func `a lock of another process is waited for up to the busy timeout`() throws {
    let connections = try opened()
    defer { connections.close() }
    let other = try Connection(path, patience: 0)
    defer { other.close() }
    try connections.write { db in
      try db.run("INSERT INTO word VALUES ('a')")
      let refusal = #expect(throws: SQLiteError.self) { try other.transaction(.immediate) { _ in } }
      #expect(refusal?.code == SQLITE_BUSY)
    }
    try other.transaction(.immediate) { try $0.run("INSERT INTO word VALUES ('b')") }
    #expect(try words(connections) == ["a", "b"])
  }

  @Test func `a lock that is released in time causes no failure`() async throws {
    let (connections, other) = (try opened(), try opened())
    defer {
      connections.close()
      other.close()
    }
    let isHeld = DispatchSemaphore(value: 0)
    async let held: Void = withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            try other.write { db in
              try db.run("INSERT INTO word VALUES ('a')")
              isHeld.signal()
              Thread.sleep(forTimeInterval: 0.1)
            }
          })
      }
    }
    async let waited: Void = withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        isHeld.wait()
        continuation.resume(with: Result { try connections.write { try $0.run("INSERT INTO word VALUES ('b')") } })
      }
    }
    try await held
    try await waited
    #expect(try words(connections) == ["a", "b"])
  }

  @Test func `a reader that begins after the folder was renamed sees later writes`() throws {
    let folder = "\(scratch.path)/old"
    let current = LockedPath(folder)
    #expect(mkdir(folder, 0o700) == 0)
    let connections = try Connections("\(folder)/some.sqlite", .logged(readers: 1), folder: { current.path })
    defer { connections.close() }
    try connections.write { try $0.execute("CREATE TABLE word (text TEXT) STRICT; INSERT INTO word VALUES ('a')") }
    #expect(rename(folder, "\(scratch.path)/new") == 0)
    current.path = "\(scratch.path)/new"
    #expect(connections.currentPath == "\(scratch.path)/new/some.sqlite")
    #expect(mkdir(folder, 0o700) == 0)
    try Connections("\(folder)/some.sqlite", .logged(readers: 1)).close()
    #expect(try words(connections) == ["a"])
    try connections.write { try $0.run("INSERT INTO word VALUES ('b')") }
    #expect(try words(connections) == ["a", "b"])
  }

  @Test func `a library that is released without being closed leaves one file`() throws {
    do {
      let connections = try opened()
      try connections.write { try $0.run("INSERT INTO word VALUES ('a')") }
      #expect(try words(connections) == ["a"])
    }
    #expect(scratch.names == ["some.sqlite"])
  }

  @Test func `connections may be closed concurrently while others read`() throws {
    for _ in 1...20 {
      let connections = try opened(readers: 3)
      let all = DispatchGroup()
      for number in 1...8 {
        all.enter()
        Thread.detachNewThread {
          if number > 5 { connections.close() } else { while (try? words(connections)) != nil {} }
          all.leave()
        }
      }
      try #require(all.wait(timeout: .now() + 60) == .success)
    }
  }

  @Test func `double-quoted names are never text, and foreign keys are enforced`() throws {
    let database = try Connection(nil)
    #expect(throws: SQLiteError.self) { try database.value("SELECT \"no column\"") as String? }
    #expect(try database.value("PRAGMA foreign_keys") == 1)
  }

  @Test func `a path with any characters opens a store that does not change`() throws {
    let odd = "\(scratch.path)/a b?#%41;é~_"
    #expect(mkdir(odd, 0o700) == 0)
    let connections = try Connections("\(odd)/some.sqlite", .asItIs)
    try connections.write { try $0.execute("CREATE TABLE word (text TEXT) STRICT; INSERT INTO word VALUES ('a')") }
    connections.close()
    let unchanging = try Connections(unchanging: "\(odd)/some.sqlite")
    defer { unchanging.close() }
    #expect(try words(unchanging) == ["a"])
  }

  @Test(arguments: [(0, "delete"), (7, "delete"), (9, "wal")])
  func `a store with content gets a log only if its application is the expected one`(id: Int, mode: String) throws {
    let first = try Connections(path, .asItIs)
    try first.use { try $0.execute("PRAGMA application_id = 9; CREATE TABLE word (text TEXT) STRICT") }
    first.close()
    let connections = try Connections(path, .logged(readers: 1, applicationID: id))
    defer { connections.close() }
    #expect(try connections.use { try $0.value("PRAGMA journal_mode") } == mode)
  }

  @Test func `text that is not valid UTF-8 is read with replacements`() throws {
    let text: String? = try Connection(nil).value("SELECT CAST(x'61FF62' AS TEXT)")
    #expect(text == "a\u{FFFD}b")
  }
}

/// The path of a folder that is renamed.
private final class LockedPath: Sendable {
  private let value: Mutex<String>

  init(_ path: String) { value = Mutex(path) }

  var path: String {
    get { value.withLock(\.self) }
    set { value.withLock { $0 = newValue } }
  }
}

private final class Counter: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .acquiring) }

  @discardableResult
  func add(_ number: Int) -> Int { value.add(number, ordering: .acquiringAndReleasing).newValue }

  func raise(to number: Int) { value.max(number, ordering: .acquiringAndReleasing) }
}
