import PostgreSQL
import PostgreSQLServer
import Rows
import Testing

/// A connection to a server that runs.
@Suite struct ConnectionTests {
  private let address: String
  private let database: PostgreSQLConnection

  init() throws {
    address = try PostgreSQLServer.shared().newDatabase()
    database = try PostgreSQLConnection(address)
    try database.execute("CREATE TABLE pair (key bigint PRIMARY KEY, value text)")
  }

  @Test func `each kind of argument is read as it was written, an empty one, too`() throws {
    try database.execute(
      "CREATE TABLE kind (t text, e text, b bytea, z bytea, i bigint, j integer, o boolean, r double precision, n text)"
    )
    let arguments: Arguments = [
      "é猫\u{1F600}", "", [0xFF, 0, 1] as [UInt8], [] as [UInt8], Int64.min, Int32(-7), true, 0.1, nil,
    ]
    try database.run("INSERT INTO kind VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)", arguments)
    let row = try #require(try database.rows("SELECT * FROM kind").first)
    #expect(try row["t"] == "é猫\u{1F600}")
    #expect(try row["e"] == "")
    #expect(try row["b"] == [0xFF, 0, 1] as [UInt8])
    #expect(try row["z"] == [] as [UInt8])
    #expect(try row["i"] == Int64.min)
    #expect(try row["j"] == Int32(-7))
    #expect(try row["o"] == true)
    #expect(try row["r"] == 0.1)
    #expect(try (row["n"] as String?) == nil)
  }

  @Test func `a zero character in a text becomes a replacement character`() throws {
    try database.run("INSERT INTO pair VALUES ($1, $2)", [1, "a\0b"])
    #expect(try database.value("SELECT value FROM pair") == "a\u{FFFD}b")
  }

  @Test func `numbers are read at the limits of their types`() throws {
    let row = try #require(
      try database.rows(
        """
        SELECT (-32768)::int2 a, (-2147483648)::int4 b, (-9223372036854775807 - 1)::int8 c, 4294967295::oid d,
          1.5::float4 e, 'NaN'::float8 f, pg_current_xact_id() g
        """
      ).first)
    #expect(try row["a"] == -32_768)
    #expect(try row["b"] == Int32.min)
    #expect(try row["c"] == Int64.min)
    #expect(try row["d"] == 4_294_967_295)
    #expect(try row["e"] == 1.5)
    let (large, transaction): (Double, Int) = (try row["f"], try row["g"])
    #expect(large.isNaN && transaction > 0)
  }

  @Test func `a value of another type than asked for is an error, and so are NULL and a missing column`() throws {
    try database.run("INSERT INTO pair VALUES (1, NULL)")
    let row = try #require(try database.rows("SELECT key, value, 1.5::numeric many FROM pair").first)
    #expect(throws: ColumnError.self) { try row["key"] as String }
    #expect(throws: ColumnError.self) { try row["value"] as String }
    #expect(throws: ColumnError.self) { try row["other"] as Int }
    #expect(throws: PostgreSQLError.self) { try row["many"] as Double }
    #expect(try row["key"] == 1)
  }

  @Test func `a wrong number of arguments is refused, and the connection stays usable`() throws {
    for arguments: Arguments in [[], [1], [1, "a", 2]] {
      #expect(throws: PostgreSQLError.self) { try database.run("INSERT INTO pair VALUES ($1, $2)", arguments) }
    }
    #expect(try database.run("INSERT INTO pair VALUES ($1, $2)", [1, "a"]) == 1)
  }

  @Test func `a refusal says its code and message, without the row's values`() throws {
    try database.run("INSERT INTO pair VALUES (1, 'secret')")
    let error = #expect(throws: PostgreSQLError.self) { try database.run("INSERT INTO pair VALUES (1, 'secret')") }
    #expect(error?.isUniqueViolation == true && error?.isWorthRepeating == false && error?.isLostConnection == false)
    #expect(error.map { "\($0)".contains("pair_pkey") && !"\($0)".contains("secret") } == true)
  }

  @Test func `rows stay readable after their connection has ended`() throws {
    try database.run("INSERT INTO pair VALUES (1, 'a')")
    let rows = try database.rows("SELECT * FROM pair")
    database.close()
    database.close()
    #expect(try rows.first?["value"] == "a")
    #expect(throws: PostgreSQLError.self) { try database.rows("SELECT 1") }
  }

  @Test func `a statement is prepared anew after a migration changed what it returns`() throws {
    try database.run("INSERT INTO pair VALUES (1, 'a')")
    #expect(try database.rows("SELECT * FROM pair").count == 1)
    try PostgreSQLConnection(address).execute("ALTER TABLE pair ADD COLUMN more integer DEFAULT 7")
    #expect(try database.rows("SELECT * FROM pair").first?["more"] == 7)
  }

  @Test func `more statements than stay prepared can be run`() throws {
    for number in 0..<1_100 { #expect(try database.value("SELECT \(number)::bigint") == number) }
    #expect(try database.value("SELECT count(*) FROM pg_prepared_statements") ?? 0 <= 501)
  }

  @Test func `the server keeps no statements of transactions that failed`() throws {
    for number in 0..<20 {
      #expect(throws: PostgreSQLError.self) {
        try database.transaction(.readCommitted) { db in
          for index in 0..<10 { _ = try db.value("SELECT \(number * 10 + index)::bigint") as Int? }
          try db.pipeline { try $0.run("SELECT 1 / $1::int", [0]) }
        }
      }
    }
    let count: Int? = try database.transaction(.readCommitted) { db in
      try db.value("SELECT count(*) FROM pg_prepared_statements")
    }
    #expect(count == 1)
  }

  @Test func `a connection string that cannot be read is refused without a word of it`() throws {
    for info in ["host", "postgresql://u:hunter2@[::1", "pass word=hunter2", "port='hunter2"] {
      let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(info) }
      #expect(error == .badConnectionString)
      #expect(error.map { !"\($0)".contains("hunter2") } == true)
    }
  }

  @Test func `an absent server is told from one that refuses the login or has no such database`() throws {
    for info in ["host=/nowhere dbname=x", "host=127.0.0.1 port=1 password=hunter2"] {
      let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(info) }
      guard case .noConnection(let reason) = error else {
        Issue.record("\(info): \(String(describing: error))")
        continue
      }
      #expect(!reason.isEmpty && !reason.contains("\n") && !reason.contains("hunter2"))
    }
    for info in [address + "x", address + " user=nobody password=hunter2"] {
      let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(info) }
      guard case .connectionRefused(let refusal) = error else {
        Issue.record("\(info): \(String(describing: error))")
        continue
      }
      let reason = refusal.message
      #expect(["3D000", "28000"].contains(refusal.state))
      #expect(!reason.isEmpty && !reason.contains("\n") && !reason.contains("hunter2"))
    }
  }

  @Test func `a connection that the server ends says so, and another one works`() throws {
    let other = try PostgreSQLConnection(address)
    let id = try #require(try other.value("SELECT pg_backend_pid()") as Int?)
    #expect(try database.value("SELECT pg_terminate_backend($1::int)", [id]) == true)
    let error = #expect(throws: PostgreSQLError.self) { try other.run("SELECT 1") }
    #expect(error?.isLostConnection == true)
    #expect(throws: PostgreSQLError.self) { try other.run("SELECT 1") }
    #expect(try PostgreSQLConnection(address).value("SELECT 1") == 1)
  }
}
