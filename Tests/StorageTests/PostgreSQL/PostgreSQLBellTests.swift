import Foundation
import PostgreSQL
import PostgreSQLServer
import Synchronization
import Testing

@testable import Storage

@Suite struct PostgreSQLBellTests {
  @Test func `a bell is heard by another connection, also when it ends at once`() throws {
    let address = try PostgreSQLServer.shared().newDatabase()
    let listener = try PostgreSQLConnection(address)
    try listener.execute("LISTEN media")
    for _ in 0..<3 {
      let bell = Bell { try PostgreSQLConnection(address) }
      bell.ring()
      bell.stop()
      #expect(try listener.waitForNotification(milliseconds: 30_000))
    }
  }

  @Test func `many rings are few notifications, and the last one comes after the last ring`() throws {
    let address = try PostgreSQLServer.shared().newDatabase()
    let (listener, writer) = (try PostgreSQLConnection(address), try PostgreSQLConnection(address))
    try writer.execute("CREATE TABLE pair (n bigint)")
    try listener.execute("LISTEN media")
    let connections = Atomic(0)
    let bell = Bell {
      connections.add(1, ordering: .relaxed)
      return try PostgreSQLConnection(address)
    }
    for number in 0..<500 {
      try writer.run("INSERT INTO pair VALUES ($1)", [number])
      bell.ring()
    }
    bell.stop()
    var heard = 0
    while try listener.waitForNotification(milliseconds: heard == 0 ? 30_000 : 200) { heard += 1 }
    #expect((1..<250).contains(heard))
    #expect(try listener.value("SELECT count(*) FROM pair") == 500)
    #expect(connections.load(ordering: .relaxed) == 1)
  }

  @Test func `a bell without a server rings in vain and harms nobody`() {
    let bell = Bell { throw PostgreSQLError.noConnection(reason: "none") }
    for _ in 0..<3 { bell.ring() }
    bell.stop()
    bell.ring()
    bell.stop()
  }
}
