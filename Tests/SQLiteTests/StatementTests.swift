import Rows
import SQLRows
import SQLite
import Testing

/// The arguments of statements.
@Suite struct StatementTests {
  private let database: Connections

  init() throws {
    database = try Connections()
    try database.write { try $0.run("CREATE TABLE pair (key INTEGER NOT NULL, value TEXT) STRICT") }
  }

  @Test func `each kind of argument is of its kind in SQLite, an empty one, too`() throws {
    let arguments: Arguments = [
      "é\u{0}猫", "", [0xFF, 0] as [UInt8], [] as [UInt8], Int64.min, Int.max, Int32(-7), true, 0.1, nil,
    ]
    let parameters = arguments.map { _ in "quote(?)" }.joined(separator: ", ")
    let row = try database.read { try #require(try $0.row("SELECT \(parameters)", arguments)) }
    let quoted = (1..<arguments.count).map { row[$0] as String }
    #expect(
      quoted == ["''", "X'FF00'", "X''", "-9223372036854775808", "9223372036854775807", "-7", "1", "0.1", "NULL"])
    let text = try database.read { try #require(try $0.row("SELECT hex(?)", arguments.prefix(1).map(\.self))) }
    #expect(text[0] as String == "C3A900E78CAB")
  }

  @Test func `a wrong number of arguments is refused, and leaves the statement as it was`() throws {
    try database.write { db in
      let sql = "INSERT INTO pair VALUES (?, ?)"
      for arguments: Arguments in [[], [1], [1, "a", 2]] {
        #expect(throws: SQLiteError.self) { try db.run(sql, arguments) }
      }
      try db.run(sql, [1, "a"])
      #expect(try db.value("SELECT count(*) FROM pair") == 1)
    }
  }

  @Test func `numbered arguments are bound by their numbers, wherever they stand and however often`() throws {
    try database.read { db in
      let row = try #require(try db.row("SELECT $2 || $1 || $2 || $3", ["a", "b", "c"]))
      #expect(row[0] as String == "babc")
      for arguments: Arguments in [["a", "b"], ["a", "b", "c", "d"]] {
        #expect(throws: SQLiteError.self) { try db.hasRow("SELECT $2 || $1 || $3", arguments) }
      }
      #expect(throws: SQLiteError.self) { try db.hasRow("SELECT $3 || $1", ["a", "b", "c"]) }
    }
  }

  @Test func `a statement keeps no earlier arguments`() throws {
    try database.write { db in
      for value in ["a", nil, "b"] { try db.run("INSERT INTO pair VALUES (?, ?)", [1, value]) }
      let values = try db.rows("SELECT value FROM pair ORDER BY rowid").map { $0[0] as String? }
      #expect(values == ["a", nil, "b"])
    }
  }

  @Test func `a statement that failed is run again`() throws {
    try database.write { db in
      let sql = "INSERT INTO pair VALUES (?, ?)"
      #expect(throws: SQLiteError.self) { try db.run(sql, [nil, "a"]) }
      try db.run(sql, [2, "b"])
      let kept = try db.rows("SELECT key, value FROM pair").map { "\($0[0] as Int64)\($0[1] as String)" }
      #expect(kept == ["2b"])
    }
  }

  @Test(arguments: [0, 1, 3, 4, 15, 16, 23, 41])
  func `all rows are inserted, in their order`(count: Int) throws {
    try database.write { db in
      try db.insert("INSERT INTO pair (key, value)", (0..<count).map { [$0, "\($0)"] })
      let kept = try db.rows("SELECT key, value FROM pair ORDER BY rowid").map { "\($0[0] as Int)\($0[1] as String)" }
      #expect(kept == (0..<count).map { "\($0)\($0)" })
    }
  }
}
