import Foundation
import PostgreSQL
import PostgreSQLServer
import Testing

@testable import Storage

/// What a server, or what stands before it, refuses: each is told by its code, with its own cure.
@Suite struct PostgreSQLRefusalTests {
  private let address: String
  private let role = "role\(UInt32.random(in: 0...UInt32.max))"
  private let connection: PostgreSQLConnection

  init() throws {
    address = try PostgreSQLServer.shared().newDatabase()
    connection = try PostgreSQLConnection(address)
    try Self.open(address).close()
  }

  private static func open(_ address: String, for purpose: Store.Purpose = .writing) throws(StorageError) -> Store {
    try Store.open(address, shownAs: "/l", for: purpose)
  }

  /// The address with the login of a role.
  private func asRole(_ options: String, _ grants: String = "") throws -> String {
    try connection.execute("CREATE ROLE \(role) LOGIN \(options); \(grants)")
    return address.replacing("user=media", with: "user=\(role)")
  }

  private func fault(_ body: () throws -> Void) -> ServerFault? {
    do { try body() } catch StorageError.unsuitable("/l", let fault) { return fault } catch {
      Issue.record("\(error)")
    }
    return nil
  }

  @Test func `a role that may not connect, or that has too many connections, is told so`() throws {
    let full = try asRole("CONNECTION LIMIT 0")
    #expect(fault { _ = try Self.open(full) } == .crowded)
    #expect(StorageError.unsuitable(path: "/l", .crowded).exitCode == .tryLater)
    try connection.execute(
      "ALTER ROLE \(role) CONNECTION LIMIT 5; REVOKE CONNECT ON DATABASE \(try name()) FROM PUBLIC")
    guard case .forbidden(let words) = fault({ _ = try Self.open(full) }) else {
      Issue.record("no right is missing")
      return
    }
    #expect(words.contains("permission denied for database") && !words.contains("42501"))
    try connection.execute("ALTER ROLE \(role) NOLOGIN; GRANT CONNECT ON DATABASE \(try name()) TO PUBLIC")
    #expect(throws: StorageError.self) { _ = try Self.open(full) }
    do { _ = try Self.open(full) } catch {
      guard case .loginRefused = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  private func name() throws -> String { try connection.value("SELECT current_database()::text") ?? "" }

  @Test func `a missing database and a missing file of certificates are told apart`() throws {
    #expect(fault { _ = try Self.open("\(address)x") } == .noDatabase)
    let secured = "host=127.0.0.1 port=1 dbname=x sslmode=verify-full sslrootcert=/nowhere/root.crt"
    #expect(fault { _ = try Self.open(secured) } == .noCertificate("/nowhere/root.crt"))
  }

  @Test func `a reader's write, a slow statement and a standby are told apart`() throws {
    let reader = try Self.open(
      try asRole("", "GRANT USAGE ON SCHEMA media TO \(role); GRANT SELECT ON ALL TABLES IN SCHEMA media TO \(role)"))
    defer { reader.close() }
    guard case .forbidden = fault({ try reader.set("colour", to: "blue") }) else {
      Issue.record("a reader may write")
      return
    }
    let slow = try Self.open("\(address) options='-c statement_timeout=2000'")
    defer { slow.close() }
    #expect(fault { _ = try slow.read { try $0.hasRow("SELECT 1 WHERE pg_sleep(20) IS NULL") } } == .timedOut)
    let standby = try Self.open("\(address) options='-c default_transaction_read_only=on'")
    defer { standby.close() }
    #expect(try standby.setting("colour") == nil)
    #expect(fault { try standby.set("colour", to: "blue") } == .readOnly)
  }

  @Test(arguments: ["transaction", "statement"])
  func `a pooler that gives each transaction another connection is refused at the opening`(mode: String) throws {
    let pooler = try Pooler(mode, of: address)
    defer { pooler.end() }
    for purpose in [Store.Purpose.reading, .writing] {
      #expect(fault { _ = try Self.open(pooler.address, for: purpose) } == .pooled)
    }
  }

  @Test func `a pooler that leaves each session its connection is no obstacle`() throws {
    let pooler = try Pooler("session", of: address)
    defer { pooler.end() }
    let store = try Self.open(pooler.address)
    defer { store.close() }
    for number in 0..<5 { try store.set("colour", to: "\(number)") }
    #expect(try store.setting("colour") == "4")
  }
}
