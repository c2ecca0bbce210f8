import Foundation
import PostgreSQL
import PostgreSQLServer
import PropertyTesting
import Synchronization
import Testing

@testable import Storage

/// The log of changes in PostgreSQL, with writers that commit in another order than they began.
@Suite struct PostgreSQLFeedTests {
  private let address: String
  private let connection: PostgreSQLConnection

  init() throws {
    address = try PostgreSQLServer.shared().newDatabase()
    connection = try Self.connect(address)
    try PostgreSQLSchema(path: "/l").migrate(connection) { _ in }
  }

  private static func connect(_ address: String) throws -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(address)
    try connection.execute("SET search_path = media; SET jit = off")
    return connection
  }

  private static func insert(_ uri: String, in db: PostgreSQLConnection) throws {
    let time = "2025-01-01T00:00:00.000Z"
    try db.run(
      """
      INSERT INTO post (source, uri, caption, created_at, stored_at, updated_at) VALUES ('s', $1, 'a', '\(time)', '', '')
      """, [uri])
  }

  /// What a list shows of all posts.
  private static func rows(of numbers: Set<Int64>? = nil, in db: PostgreSQLConnection) throws -> [Int64: String] {
    let list = numbers.map { "[\($0.map(String.init).joined(separator: ","))]" }
    let rows = try db.rows(
      """
      SELECT p.id, p.caption || coalesce(s.deleted_at, '') AS text FROM post p LEFT JOIN post_state s ON s.post = p.id
      WHERE $1::text IS NULL OR p.id IN (SELECT value FROM json_numbers($1))
      """, [list])
    return Dictionary(try rows.map { (try $0["id"], try $0["text"]) }) { first, _ in first }
  }

  /// A list that reads only what changed.
  private struct List {
    var rows: [Int64: String]
    var log: SnapshotLog

    init(in db: PostgreSQLConnection) throws {
      (rows, log) = (try PostgreSQLFeedTests.rows(in: db), try SnapshotLog(in: db))
    }

    mutating func follow(in db: PostgreSQLConnection) throws {
      switch try log.next(in: db) {
      case nil: break
      case .everything: rows = try PostgreSQLFeedTests.rows(in: db)
      case .posts(let posts, _):
        for post in posts { rows[post] = nil }
        rows.merge(try PostgreSQLFeedTests.rows(of: posts, in: db)) { _, new in new }
      }
    }
  }

  /// What the writers and the reader of a test share.
  private final class Shared: Sendable {
    let failures = Mutex<[any Error]>([])
    let running = Atomic(6)
  }

  @Test(arguments: PropertyTest.seeds(sample: 2, whole: 20))
  func `old rows and changes make a fresh read, whatever writers of several connections do`(seed: UInt64) throws {
    var list = try connection.transaction(.snapshot) { try List(in: $0) }
    let address = address
    let shared = Shared()
    var polls = 0
    for writer in 0..<6 {
      Thread.detachNewThread {
        do {
          try Self.write(writer, Dice(state: seed &* 100 &+ UInt64(writer)), address)
        } catch { shared.failures.withLock { $0.append(error) } }
        shared.running.subtract(1, ordering: .acquiringAndReleasing)
      }
    }
    repeat {
      polls += 1
      try connection.transaction(.snapshot) { db in
        try list.follow(in: db)
        try #require(try list.rows == Self.rows(in: db), "seed \(seed), poll \(polls)")
      }
    } while shared.running.load(ordering: .acquiring) > 0
    try connection.transaction(.snapshot) { db in
      try list.follow(in: db)
      #expect(try list.rows == Self.rows(in: db), "seed \(seed)")
    }
    #expect(shared.failures.withLock { $0.map { "\($0)" } } == [])
    #expect(!list.rows.isEmpty && polls > 5)
    #expect(try connection.value("SELECT posts FROM total WHERE kind = 'library'") == Self.living(in: connection))
  }

  private static func living(in db: PostgreSQLConnection) throws -> Int? {
    try db.value("SELECT count(*) FROM post p WHERE NOT is_deleted(p.id)")
  }

  private static func write(_ writer: Int, _ start: Dice, _ address: String) throws {
    var dice = start
    let db = try connect(address)
    for step in 0..<40 {
      let length = dice.below(4)
      try repeating(attempts: 100, wait: { _ in sched_yield() }) {
        var dice = dice
        try db.transaction(.readCommitted) { db in
          for part in 0...length {
            switch dice.below(4) {
            case 0, 1: try insert("\(writer) \(step) \(part)", in: db)
            case 2:
              try db.run(
                "UPDATE post SET caption = $1 WHERE id = (SELECT max(id) - $2 FROM post)",
                ["\(writer) \(step)", dice.below(9)])
            default:
              try db.run(
                "INSERT INTO post_state (post, deleted_at) SELECT id, 'x' FROM post ORDER BY id DESC OFFSET 3 LIMIT 1 ON CONFLICT DO NOTHING"
              )
            }
          }
        }
      }
      _ = dice.next()
      if step % 10 == 9 { try db.execute("SELECT sweep(20)") }
    }
  }

  @Test func `a transaction that began first and commits last is seen, and holds up nobody`() throws {
    let (early, late) = (try Self.connect(address), try Self.connect(address))
    var list = try connection.transaction(.snapshot) { try List(in: $0) }
    try early.transaction(.readCommitted) { db in
      try Self.insert("early", in: db)
      try Self.insert("late", in: late)
      try connection.transaction(.snapshot) { try list.follow(in: $0) }
      #expect(list.rows.count == 1)
      let rest = try connection.transaction(.snapshot) { try list.log.next(in: $0) }
      #expect(rest == nil)
    }
    try connection.transaction(.snapshot) { try list.follow(in: $0) }
    #expect(list.rows.count == 2)
  }

  @Test func `a transaction that began before a change is not missed from a stored position`() throws {
    let (early, late) = (try Self.connect(address), try Self.connect(address))
    func read<Value>(_ body: (SnapshotPositions) throws -> Value) throws -> Value {
      try connection.transaction(.snapshot) { try body(SnapshotPositions(connection: $0)) }
    }
    try Self.insert("first", in: late)
    var position = try read { try $0.current() }
    #expect(try read { try $0.changes(after: position) } == nil)
    let numbers = try early.transaction(.readCommitted) { db in
      try Self.insert("early", in: db)
      try Self.insert("late", in: late)
      let change = try #require(try read { try $0.changes(after: position) })
      position = try #require(ChangePosition(change.position.description))
      #expect(!position.open.isEmpty)
      #expect(try read { try $0.changes(after: position) } == nil)
      return try (db.value("SELECT max(id) FROM post WHERE uri = 'early'") as Int64?)
    }
    let last = try #require(try read { try $0.changes(after: position) })
    #expect(last.change == .posts([try #require(numbers)], authors: []))
    #expect(try read { try $0.changes(after: last.position) } == nil)
    // Transactions of other databases of the server count in a position, so that two may differ and mean the same.
    let current = try read { try $0.current() }
    #expect(try read { try $0.changes(after: current) } == nil)
  }

  @Test(.timeLimit(.minutes(5))) func `a position of another log, and one older than what is kept, read everything`()
    throws
  {
    func changes(after position: ChangePosition?) throws -> LibraryChange? {
      try connection.transaction(.snapshot) { try SnapshotPositions(connection: $0).changes(after: position)?.change }
    }
    try Self.insert("first", in: connection)
    let position = try connection.transaction(.snapshot) { try SnapshotPositions(connection: $0).current() }
    for other in [
      nil, ChangePosition(number: position.number, mark: position.mark ^ 1), ChangePosition(number: 0, mark: 0),
      ChangePosition(number: .max, mark: .max),
    ] { #expect(try changes(after: other) == .everything) }
    var list = try connection.transaction(.snapshot) { try List(in: $0) }
    for number in 0..<30 { try Self.insert("\(number)", in: connection) }
    guard case .posts(let posts, _)? = try changes(after: position) else {
      Issue.record("the changes are not listed")
      return
    }
    #expect(posts.count == 30)
    // What a transaction of any database of the server may still have to see is kept.
    while try connection.value("SELECT count(*) FROM change") ?? 99 > 6 { try connection.execute("SELECT sweep(5)") }
    #expect(try changes(after: position) == .everything)
    let rest = try connection.transaction(.snapshot) { try list.log.next(in: $0) }
    #expect(rest == .everything)
  }

  @Test func `another identity of the library makes positions void`() throws {
    try Self.insert("first", in: connection)
    let position = try connection.transaction(.snapshot) { try SnapshotPositions(connection: $0).current() }
    try connection.run("UPDATE library SET identity = gen_random_uuid()")
    let change = try connection.transaction(.snapshot) {
      try SnapshotPositions(connection: $0).changes(after: position)
    }
    #expect(change?.change == .everything)
  }

  @Test func `writers do not wait for each other's totals`() throws {
    let other = try Self.connect(address)
    try other.execute("SET lock_timeout = '5s'")
    try connection.transaction(.readCommitted) { db in
      try Self.insert("mine", in: db)
      try Self.insert("theirs", in: other)
    }
    try connection.execute("SELECT sweep()")
    #expect(try connection.value("SELECT posts FROM total WHERE kind = 'library'") == 2)
  }

  @Test func `a post that is tagged while it is deleted is counted nowhere`() throws {
    try Self.insert("one", in: connection)
    try connection.run("INSERT INTO tag (name) VALUES ('cats')")
    let tag = "INSERT INTO post_tag (tag, post, position, created_at) SELECT 1, max(id), 0, '' FROM post"
    let delete = "INSERT INTO post_state (post, deleted_at) SELECT max(id), 'x' FROM post"
    for (first, second) in [(tag, delete), (delete, tag)] {
      try connection.execute("DELETE FROM post_state; DELETE FROM post_tag")
      let (address, ended) = (address, DispatchSemaphore(value: 0))
      try connection.transaction(.readCommitted) { db in
        try db.run(first)
        let watcher = try Self.connect(address)
        Thread.detachNewThread {
          defer { ended.signal() }
          _ = try? Self.connect(address).run(second)
        }
        // The other one waits for a lock, or is through.
        while try watcher.hasRow("SELECT 1 FROM pg_locks WHERE NOT granted") == false,
          ended.wait(timeout: .now() + 0.01) == .timedOut
        { sched_yield() }
      }
      ended.wait()
      #expect(try connection.values("SELECT kind FROM total WHERE posts <> 0") == [] as [String], "\(first)")
    }
  }
}
