import Folders
import Foundation
import Migrations
import PostgreSQL
import PostgreSQLServer
import SQLite
import Synchronization
import Testing

@testable import Storage

/// A library that a newer program migrates while this one has it open.
struct NewerMeanwhileTests {
  /// The migration of the newer program, which counts the posts.
  private static let counting = "CREATE TABLE counted AS SELECT count(*) AS posts FROM post"

  /// Lets two writers add posts to a library that is migrated meanwhile. Each goes on until it is refused.
  private func expectRefused(_ store: Store, path: String, migrate: @escaping @Sendable () throws -> Void) throws {
    defer { store.close() }
    let added = Atomic(0)
    let isOver = Atomic(false)
    let failures = Mutex<[any Error]>([])
    // Threads of their own: a pool of as few as the cores may have none left for the writers that the migration waits for.
    let threads = DispatchGroup()
    for index in 0..<3 {
      threads.enter()
      Thread.detachNewThread {
        defer { threads.leave() }
        do {
          if index == 0 {
            while added.load(ordering: .relaxed) < 20, failures.withLock(\.isEmpty) { sched_yield() }
            defer { isOver.store(true, ordering: .relaxed) }
            return try migrate()
          }
          // Somebody whom nothing refuses has tried often enough after it.
          var rest = 50
          while rest > 0 {
            if isOver.load(ordering: .relaxed) { rest -= 1 }
            // Writers that never pause would keep the migration waiting.
            poll(nil, 0, 2)
            try store.add(post(100 + added.add(1, ordering: .relaxed).newValue), id: UUID(), pictures: [], now: noon)
          }
        } catch { failures.withLock { $0.append(error) } }
      }
    }
    threads.wait()
    #expect(failures.withLock { $0.map { "\($0)" } } == Array(repeating: "\(StorageError.newer(path: path))", count: 2))
    // What was written before the migration is all that there is, and it can be read.
    let counts = try store.read { db -> [Int?] in
      [try db.value("SELECT posts FROM counted"), try db.value("SELECT count(*) FROM post")]
    }
    #expect(counts[0] == counts[1])
    #expect(try store.posts(PostQuery(limit: nil)).count == counts[1])
    #expect(throws: StorageError.newer(path: path)) { try store.delete([1], now: noon) }
  }

  @Test func `in a folder, whoever has it open writes nothing after the migration, and is told to update`() throws {
    let scratch = try Scratch()
    let newer = Migration.all + [Migration(to: 900, name: "v900_counted", sql: Self.counting)]
    let store = try Store.open(library: scratch.path, now: noon)
    try expectRefused(store, path: "\(scratch.path)/media.sqlite") {
      try Store.open(library: scratch.path, for: .command, migrations: newer, now: noon).close()
    }
  }

  @Test func `on a server, whoever has it open writes nothing after the migration, and is told to update`() throws {
    let address = try PostgreSQLServer.shared().newDatabase()
    let sql = "SET LOCAL search_path TO media; \(Self.counting)"
    let newer = Migration.postgreSQL + [Migration(to: 900, name: "p900_counted", sql: sql)]
    let store = try Store.open(address, shownAs: "/l", for: .writing)
    try expectRefused(store, path: "/l") {
      let connection = try PostgreSQLConnection(address)
      defer { connection.close() }
      try PostgreSQLSchema(path: "/l", migrations: newer).migrate(connection) { _ in sched_yield() }
    }
  }

  @Test func `a read that needs what a newer program removed says that the library is newer`() throws {
    let address = try PostgreSQLServer.shared().newDatabase()
    let store = try Store.open(address, shownAs: "/l", for: .writing)
    defer { store.close() }
    let connection = try PostgreSQLConnection(address)
    defer { connection.close() }
    try connection.execute("ALTER TABLE media.follow RENAME TO followed")
    #expect(throws: StorageError.unsuitable(path: "/l", .foreign)) { try store.follows() }
    try connection.execute("UPDATE media.library SET version = version + 1")
    #expect(throws: StorageError.newer(path: "/l")) { try store.follows() }
  }
}
