import Foundation
import PostgreSQL
import PostgreSQLServer
import Posts
import PropertyTesting
import Testing

@testable import Storage

/// Lists of a library in PostgreSQL that is open in several processes.
@Suite struct PostgreSQLObservingTests {
  private typealias Readings = AsyncThrowingStream<PostWindowReading, any Error>.AsyncIterator

  private let address: String
  private let list: Store
  private let other: Store

  init() throws {
    address = try PostgreSQLServer.shared().newDatabase()
    list = try Self.open(address)
    other = try Self.open(address)
  }

  private static func open(_ address: String) throws -> Store {
    try Store.open(address, shownAs: "/l", for: .writing) { _ in sched_yield() }
  }

  /// A standby lists no open transactions. There, 881 is open and 882 is over, and neither counts as seen.
  @Test(arguments: [
    ("881:883:881", 883, [881]), ("881:883:", 881, []), ("883:883:", 883, []), ("5:9:5,7", 9, [5, 7]),
  ])
  func `a snapshot has seen no transaction that may still be open`(text: String, next: Int64, open: [Int64]) {
    #expect(SeenChanges(snapshot: text) == SeenChanges(next: next, open: open))
  }

  private func reading(
    _ readings: inout Readings, until isWanted: (PostWindowReading) -> Bool
  ) async throws -> PostWindowReading? {
    while let next = try await readings.next() { if isWanted(next) { return next } }
    return nil
  }

  private static func save(_ numbers: [Int], of feed: Feed = cats, in store: Store) throws {
    let pull = try store.beginPull(of: feed, goal: PullGoal(pages: 1), now: noon)
    _ = try store.save(page(numbers, next: .end), in: pull, now: noon)
    try store.finishPull(pull, reached: true, now: noon)
  }

  /// Ends all connections of the database but those that are made later.
  private func endConnections() throws {
    let base = try PostgreSQLConnection(address.replacing(/dbname=(\S+)/, with: "dbname=postgres"))
    let name = try #require(address.firstMatch(of: /dbname=(\S+)/)).1
    try base.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [String(name)])
  }

  @Test(.timeLimit(.minutes(5)))
  func `a list follows what others write, also while a transaction stays open`() async throws {
    var readings = list.observe(PostListQuery(tag: "cats")).makeAsyncIterator()
    #expect(try await readings.next()?.rows.isEmpty == true)
    let long = try PostgreSQLConnection(address)
    try long.execute("BEGIN; INSERT INTO media.tag (name) VALUES ('long'); SELECT pg_current_xact_id()")
    try Self.save([1, 2], in: other)
    #expect(try await reading(&readings) { $0.rows.count == 2 } != nil)
    try long.execute(
      "INSERT INTO media.post_tag SELECT currval('media.tag_id_seq'), id, 9, created_at FROM media.post; COMMIT")
    #expect(try await reading(&readings) { $0.rows.allSatisfy { $0.post.tags.contains("long") } } != nil)
    try other.delete([1], now: noon)
    #expect(try await reading(&readings) { $0.rows.count == 1 && $0.total == .exactly(1) } != nil)
    list.close()
    #expect(try await readings.next() == nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a list and its changes outlive the end of their connections`() async throws {
    var readings = list.observe(PostListQuery()).makeAsyncIterator()
    var changes = list.changes(after: nil).makeAsyncIterator()
    #expect(try await readings.next()?.rows.isEmpty == true)
    _ = try await changes.next()
    for round in 1...3 {
      try endConnections()
      try Self.save([round], in: other)
      #expect(try await reading(&readings) { $0.rows.count == round } != nil)
      #expect(try await changes.next() != nil)
    }
    other.close()
    list.close()
  }

  @Test(.timeLimit(.minutes(5)))
  func `a position is good in another process, and tells what came after it`() async throws {
    try Self.save([1], in: list)
    let position = try #require(ChangePosition(list.changePosition().description))
    // Which transactions of the server are open differs from one moment to the next.
    #expect(try other.changePosition().number == position.number)
    try Self.save([2], in: other)
    var changes = other.changes(after: position).makeAsyncIterator()
    let first = try #require(try await changes.next())
    guard case .posts(let posts, _) = first.change else {
      Issue.record("everything changed")
      return
    }
    #expect(posts.count == 1)
    #expect(try list.changePosition().number == first.position.number)
  }

  @Test(.timeLimit(.minutes(5)), arguments: PropertyTest.seeds(sample: 2, whole: 20))
  func `observed windows end equal to a fresh reading, whatever several processes write`(seed: UInt64) async throws {
    let queries = [
      PostListQuery(), PostListQuery(tag: "cats"), PostListQuery(feed: adas), PostListQuery(search: "moon"),
      PostListQuery(grouping: .author),
    ]
    var last = queries.map { _ in PostWindowReading?.none }
    let streams = queries.map { list.observe($0, after: 6) }
    let address = address
    await withTaskGroup(of: (any Error)?.self) { group in
      for writer in 0..<3 {
        group.addTask {
          await withCheckedContinuation { done in
            Thread.detachNewThread {
              do {
                let store = try Self.open(address)
                defer { store.close() }
                var turmoil = Turmoil(seed: seed &* 10 &+ UInt64(writer))
                for _ in 0..<15 {
                  // Without the lock of its feed a pull may be overtaken.
                  do { try turmoil.stir(store) } catch StorageError.overtaken {}
                }
                done.resume(returning: nil)
              } catch { done.resume(returning: error) }
            }
          }
        }
      }
      // On a thread of its own an issue would belong to no test.
      for await case let error? in group { Issue.record("seed \(seed): \(error)") }
    }
    for (index, query) in queries.enumerated() {
      let wanted = try list.window(query, after: 6)
      var readings = streams[index].makeAsyncIterator()
      last[index] = try await reading(&readings) { $0 == wanted }
      #expect(last[index] != nil, "seed \(seed), list \(index)")
    }
    list.close()
  }
}
