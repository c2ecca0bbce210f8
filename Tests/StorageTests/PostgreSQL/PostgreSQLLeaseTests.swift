import Foundation
import PostgreSQL
import PostgreSQLServer
import Synchronization
import Testing

@testable import Storage

@Suite struct PostgreSQLLeaseTests {
  private let address: String
  private let connection: PostgreSQLConnection

  init() throws {
    address = try PostgreSQLServer.shared().newDatabase()
    connection = try PostgreSQLConnection(address)
    try PostgreSQLSchema(path: "/l").migrate(connection) { _ in }
  }

  private var leases: LeaseTable { LeaseTable(connection: connection) }
  private static let life = Duration.seconds(600)

  private func take(_ name: String, in table: LeaseTable? = nil, by holder: String = "a") throws -> Lease? {
    try (table ?? leases).take([name], most: 1, by: holder, for: Self.life).first
  }

  /// What a machine that slept for an hour finds.
  private func sleep() throws {
    try connection.run("UPDATE media.lease SET until = clock_timestamp() - interval '1 hour'")
  }

  @Test func `a lease that is held is given to nobody else, until it is given back`() throws {
    let other = LeaseTable(connection: try PostgreSQLConnection(address))
    let mine = try #require(try take("feed a", by: "newton, process 1"))
    #expect(try take("feed a", in: other) == nil)
    #expect(try other.holder(of: "feed a")?.name == "newton, process 1")
    #expect(try other.holder(of: "feed b") == nil)
    try leases.release(mine)
    let theirs = try #require(try take("feed a", in: other))
    #expect(theirs.fence > mine.fence)
    try leases.release(mine)
    #expect(try other.confirm(theirs))
  }

  @Test func `who wakes up after its lease was taken is refused, and harms nobody`() throws {
    let other = LeaseTable(connection: try PostgreSQLConnection(address))
    let mine = try #require(try take("feed a"))
    try sleep()
    #expect(try leases.holder(of: "feed a") == nil)
    let theirs = try #require(try take("feed a", in: other, by: "b"))
    #expect(try !leases.extend(mine, for: Self.life))
    let isMine = try connection.transaction(.readCommitted) { try LeaseTable(connection: $0).confirm(mine) }
    #expect(!isMine)
    try leases.release(mine)
    #expect(try other.extend(theirs, for: Self.life))
    #expect(try other.confirm(theirs))
  }

  @Test func `a lease that ended and that nobody took is extended`() throws {
    let mine = try #require(try take("feed a"))
    try sleep()
    #expect(try leases.extend(mine, for: Self.life))
    #expect(try take("feed a") == nil)
  }

  @Test func `nobody takes an ended lease from under a transaction that confirmed it`() throws {
    let other = LeaseTable(connection: try PostgreSQLConnection(address))
    let mine = try #require(try take("feed a"))
    try sleep()
    try connection.transaction(.readCommitted) { db in
      let isMine = try LeaseTable(connection: db).confirm(mine)
      let theirs = try take("feed a", in: other)
      #expect(isMine && theirs == nil)
    }
    #expect(try take("feed a", in: other) != nil)
  }

  @Test func `the first free ones are taken, in order, and no more than wanted`() throws {
    _ = try take("b")
    let taken = try leases.take(["a", "b", "c'\"\\", "d"], most: 2, by: "a", for: Self.life)
    #expect(taken.map(\.name) == ["a", "c'\"\\"])
  }

  @Test func `many workers take each lease once`() throws {
    let address = address
    let taken = Mutex<[String]>([])
    let failures = Mutex<[String]>([])
    let names = (0..<60).map { "picture \($0)" }
    DispatchQueue.concurrentPerform(iterations: 6) { worker in
      do {
        let table = LeaseTable(connection: try PostgreSQLConnection(address))
        while true {
          let batch = try table.take(names, most: 3, by: "\(worker)", for: Self.life)
          if batch.isEmpty { return }
          taken.withLock { $0 += batch.map(\.name) }
        }
      } catch { failures.withLock { $0.append("\(error)") } }
    }
    #expect(failures.withLock(\.self) == [])
    #expect(taken.withLock { $0.sorted() } == names.sorted())
  }
}
