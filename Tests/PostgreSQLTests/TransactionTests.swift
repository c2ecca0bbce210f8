import Foundation
import PostgreSQL
import PostgreSQLServer
import Synchronization
import Testing

/// Transactions, and statements that are sent without waiting.
@Suite struct TransactionTests {
  private struct Stop: Error {}

  private let address: String
  private let database: PostgreSQLConnection

  init() throws {
    address = try PostgreSQLServer.shared().newDatabase()
    database = try PostgreSQLConnection(address)
    try database.execute("CREATE TABLE pair (key bigint PRIMARY KEY, value text); CREATE TABLE total (n bigint)")
    try database.execute("INSERT INTO total VALUES (0)")
  }

  private func count(_ connection: PostgreSQLConnection? = nil) throws -> Int {
    try (connection ?? database).value("SELECT count(*) FROM pair") ?? -1
  }

  @Test func `a transaction that throws changes nothing`() throws {
    #expect(throws: Stop.self) {
      try database.transaction(.readCommitted) { db in
        try db.run("INSERT INTO pair VALUES (1, 'a')")
        throw Stop()
      }
    }
    #expect(try count() == 0)
    #expect(try database.transaction(.readCommitted) { try $0.run("INSERT INTO pair VALUES (1, 'a')") } == 1)
    #expect(try count() == 1)
  }

  @Test func `a transaction whose failure is ignored is not committed`() throws {
    #expect(throws: PostgreSQLError.noTransaction) {
      try database.transaction(.readCommitted) { db in
        try db.run("INSERT INTO pair VALUES (1, 'a')")
        _ = try? db.run("INSERT INTO pair VALUES (1, 'b')")
        // What it threw shows at the end.
        _ = try? db.run("INSERT INTO pair VALUES (2, 'b')")
      }
    }
    #expect(try count() == 0)
  }

  @Test func `a constraint that is checked at the commit undoes the transaction`() throws {
    try database.execute("ALTER TABLE pair ADD CONSTRAINT once UNIQUE (value) DEFERRABLE INITIALLY DEFERRED")
    let error = #expect(throws: PostgreSQLError.self) {
      try database.transaction(.readCommitted) { try $0.run("INSERT INTO pair VALUES (1, 'a'), (2, 'a')") }
    }
    #expect(error?.isUniqueViolation == true)
    #expect(try count() == 0)
    #expect(!database.isInTransaction)
  }

  @Test func `a snapshot sees no later commit, and refuses to write`() throws {
    let other = try PostgreSQLConnection(address)
    try database.transaction(.snapshot) { db in
      #expect(try count(db) == 0)
      try other.run("INSERT INTO pair VALUES (1, 'a')")
      #expect(try count(db) == 0)
    }
    #expect(try count() == 1)
    #expect(throws: PostgreSQLError.self) {
      try database.transaction(.snapshot) { try $0.run("INSERT INTO pair VALUES (2, 'a')") }
    }
  }

  @Test func `a transaction cannot be opened in another`() throws {
    #expect(throws: PostgreSQLError.self) {
      try database.transaction(.readCommitted) { db in try db.transaction(.readCommitted) { _ in } }
    }
    #expect(!database.isInTransaction)
  }

  @Test func `transactions that lose are repeated until all are in`() throws {
    let address = address
    let failures = Mutex<[any Error]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        let connection = try PostgreSQLConnection(address)
        for _ in 0..<25 {
          try repeating(attempts: 1_000, wait: { _ in sched_yield() }) {
            try connection.transaction(.serializable) { db in
              let old: Int = try db.value("SELECT n FROM total") ?? 0
              try db.run("UPDATE total SET n = $1", [old + 1])
            }
          }
        }
      } catch { failures.withLock { $0.append(error) } }
    }
    #expect(failures.withLock(\.self).isEmpty)
    #expect(try database.value("SELECT n FROM total") == 100)
  }

  @Test func `only what lost against another transaction is repeated`() throws {
    var runs = 0
    #expect(throws: PostgreSQLError.self) {
      try repeating(attempts: 5, wait: { _ in }) {
        runs += 1
        try database.run("SELECT 1 / 0")
      }
    }
    #expect(runs == 1)
    var waits: [Int] = []
    #expect(throws: PostgreSQLError.self) {
      try repeating(attempts: 3, wait: { waits.append($0) }) {
        throw PostgreSQLError.refused(.init(state: "40001", message: ""))
      }
    }
    #expect(waits == [2, 3])
  }

  @Test func `statements of a pipeline are run in their order, however many and large they are`() throws {
    try database.transaction(.readCommitted) { db in
      try db.pipeline { pipeline in
        for key in 0..<1_203 {
          try pipeline.run("INSERT INTO pair VALUES ($1, $2)", [key, String(repeating: "x", count: 10_000)])
        }
        try pipeline.run("UPDATE pair SET value = 'last' WHERE key = $1", [1_202])
      }
      #expect(try count(db) == 1_203)
    }
    #expect(try database.value("SELECT key FROM pair WHERE value = 'last'") == 1_202)
    #expect(try database.value("SELECT count(*) FROM pair WHERE length(value) = 10000") == 1_202)
  }

  @Test func `a pipeline reads long answers while it sends`() throws {
    try database.transaction(.readCommitted) { db in
      try db.pipeline { pipeline in
        for _ in 0..<60 {
          try pipeline.run("SELECT repeat('y', 100000) || $1::text", [String(repeating: "x", count: 100_000)])
        }
      }
    }
    #expect(try database.value("SELECT 1") == 1)
  }

  @Test func `the first failure of a pipeline is thrown, and nothing of it stays`() throws {
    let error = #expect(throws: PostgreSQLError.self) {
      try database.transaction(.readCommitted) { db in
        try db.pipeline { pipeline in
          for key in [1, 2, 1, 3] { try pipeline.run("INSERT INTO pair VALUES ($1, 'a')", [key]) }
          try pipeline.run("SELECT other FROM nothing")
        }
      }
    }
    #expect(error?.isUniqueViolation == true)
    #expect(try count() == 0)
    // What the failure left unprepared is prepared when it is needed.
    try database.transaction(.readCommitted) { db in
      try db.pipeline { try $0.run("INSERT INTO pair VALUES ($1, 'a')", [1]) }
    }
    #expect(try count() == 1)
  }

  @Test func `a pipeline wants a transaction, and one that throws leaves the connection usable`() throws {
    #expect(throws: PostgreSQLError.self) { try database.pipeline { _ in } }
    #expect(throws: Stop.self) {
      try database.transaction(.readCommitted) { db in
        try db.pipeline { pipeline in
          try pipeline.run("INSERT INTO pair VALUES (1, 'a')")
          throw Stop()
        }
      }
    }
    #expect(try count() == 0)
  }

  @Test func `a notification wakes a connection that listens, and many wake it once`() throws {
    let listener = try PostgreSQLConnection(address)
    try listener.execute("LISTEN bell")
    #expect(try !listener.waitForNotification(milliseconds: 0))
    for _ in 0..<3 { try database.execute("NOTIFY bell") }
    #expect(try listener.waitForNotification(milliseconds: 10_000))
    // Those that had not arrived with the first may follow.
    while try listener.waitForNotification(milliseconds: 100) {}
    #expect(try !listener.waitForNotification(milliseconds: 0))
  }
}
