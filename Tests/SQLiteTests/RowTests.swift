import CSQLite
import Rows
import SQLRows
import SQLite
import Testing

/// Values that are read by name, and what is refused.
@Suite struct RowTests {
  private let database: Connection

  init() throws {
    database = try Connection(nil)
    try database.execute(
      """
      CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT, size INTEGER, weight REAL, body BLOB) STRICT;
      INSERT INTO word VALUES (1, 'é' || char(0) || '猫', -9223372036854775808, 0.5, x'FF00');
      INSERT INTO word VALUES (2, '', 9223372036854775807, 2, x''), (3, NULL, NULL, NULL, NULL);
      """)
  }

  private func read<Value: ColumnValue>(_ column: String, of id: Int, as _: Value.Type = Value.self) throws -> Value? {
    try database.row("SELECT * FROM word WHERE id = ?", [id]) { try $0[column] as Value }
  }

  @Test func `each kind of value comes back as it went in`() throws {
    #expect(try read("text", of: 1) == "é\u{0}猫")
    #expect(try read("size", of: 1) == Int64.min)
    #expect(try read("weight", of: 1) == 0.5)
    #expect(try read("body", of: 1) == [0xFF, 0] as [UInt8])
    #expect(try read("text", of: 2) == "")
    #expect(try read("body", of: 2) == [] as [UInt8])
    #expect(try read("size", of: 2) == Int.max)
    #expect(try read("weight", of: 2) == 2.0)
    #expect(try read("id", of: 2, as: Double.self) == 2)
    #expect(try read("id", of: 2) == true)
    for column in ["text", "size", "weight", "body"] {
      #expect(try database.row("SELECT * FROM word WHERE id = 3") { try $0[column] as String? } == .some(nil))
    }
  }

  private struct Reading: CustomTestStringConvertible, Sendable {
    let column: String
    let row: Int
    let words: String
    let read: @Sendable (Row, String) throws -> Void

    init<Value: ColumnValue & SendableMetatype>(_ column: String, of row: Int, _: Value.Type, _ words: String) {
      (self.column, self.row, self.words) = (column, row, words)
      read = { row, column in _ = try row[column] as Value }
    }

    var testDescription: String { words }
  }

  private static let readings = [
    Reading("size", of: 1, String.self, "column size of word holds INTEGER in place of String"),
    Reading("text", of: 1, Int.self, "column text of word holds TEXT in place of Int"),
    Reading("text", of: 1, Bool.self, "column text of word holds TEXT in place of Bool"),
    Reading("text", of: 1, [UInt8].self, "column text of word holds TEXT in place of Array<UInt8>"),
    Reading("body", of: 1, Double.self, "column body of word holds BLOB in place of Double"),
    Reading("body", of: 1, Int64?.self, "column body of word holds BLOB in place of Optional<Int64>"),
    Reading("weight", of: 1, Int64.self, "column weight of word holds REAL in place of Int64"),
    Reading("size", of: 1, Int32.self, "column size of word holds INTEGER in place of Int32"),
    Reading("size", of: 2, Int32?.self, "column size of word holds INTEGER in place of Optional<Int32>"),
    Reading("text", of: 3, String.self, "column text of word holds NULL in place of String"),
    Reading("size", of: 3, Int64.self, "column size of word holds NULL in place of Int64"),
    Reading("height", of: 1, Int64?.self, "a row has no column height"),
  ]

  @Test(arguments: readings)
  private func `another kind of value is an error that names its column`(_ reading: Reading) throws {
    let error = #expect(throws: ColumnError.self) {
      try database.row("SELECT * FROM word WHERE id = ?", [reading.row]) { try reading.read($0, reading.column) }
    }
    #expect(error?.description == reading.words)
    // The connection remains usable.
    #expect(try database.value("SELECT count(*) FROM word") == 3)
  }

  @Test func `the result of an expression has no table, and its own name`() throws {
    let error = #expect(throws: ColumnError.self) {
      try database.row("SELECT length(text) AS length FROM word") { try $0["length"] as String }
    }
    #expect(error?.description == "column length of a row holds INTEGER in place of String")
  }

  @Test func `columns are read in any order, and as often as one likes`() throws {
    let sizes = try database.rows("SELECT id, text, size FROM word WHERE id < 3 ORDER BY id") { row in
      let last: Int64 = try row["size"]
      let (first, again): (Int, Int) = try (row["id"], row["id"])
      let text: String = try row["text"]
      #expect(first == again)
      return "\(first) \(text.utf8.count) \(last)"
    }
    #expect(sizes == ["1 6 -9223372036854775808", "2 0 9223372036854775807"])
  }

  @Test func `of two columns with one name the first is read, wherever reading begins`() throws {
    let question = "SELECT 1 AS a, 2 AS b, 3 AS a"
    let (first, second): (Int, Int) = try #require(try database.row(question) { try ($0["a"], $0["b"]) })
    #expect((first, second) == (1, 2))
    let last: Int? = try database.row(question) { row in
      let _: Int = try row["b"]
      return try row["a"]
    }
    #expect(last == 1)
    #expect(try database.row(question) { try $0["a"] } == 1)
  }

  @Test func `a row that has passed cannot be read`() throws {
    var kept: [Row] = []
    try database.rows("SELECT text FROM word") { row in
      if let last = kept.last { #expect(throws: SQLiteError.self) { try last["text"] as String? } }
      kept.append(row)
    }
    for row in kept { #expect(throws: SQLiteError.self) { try row["text"] as String? } }
    try database.rows("SELECT text FROM word") { _ in
      for row in kept { #expect(throws: SQLiteError.self) { try row["text"] as String? } }
    }
    database.close()
    for row in kept { #expect(throws: SQLiteError.self) { try row.contents } }
  }

  @Test func `a statement that is compiled anew after a schema change has the new columns`() throws {
    let question = "SELECT * FROM word WHERE id = 1"
    #expect(try database.row(question) { try $0["size"] } == Int64.min)
    try database.execute("ALTER TABLE word DROP COLUMN text; ALTER TABLE word ADD COLUMN height INTEGER DEFAULT 5")
    #expect(try database.row(question) { try $0["size"] } == Int64.min)
    #expect(try database.row(question) { try $0["height"] } == 5)
    #expect(throws: ColumnError(missing: "text")) { try database.row(question) { try $0["text"] as String? } }
  }

  @Test func `a single value has a single column`() throws {
    #expect(throws: SQLiteError.self) { try database.value("SELECT id, text FROM word") as Int64? }
    #expect(try database.value("SELECT text FROM word WHERE id = 3") as String? == nil)
    #expect(try database.value("SELECT text FROM word WHERE id = 4") as String? == nil)
    #expect(throws: ColumnError.self) { try database.values("SELECT text FROM word") as [String] }
    #expect(try database.values("SELECT text FROM word ORDER BY id DESC LIMIT 2") as [String?] == [nil, ""])
    #expect(try database.hasRow("SELECT text FROM word WHERE id = 3"))
    #expect(try !database.hasRow("SELECT text FROM word WHERE id = 4"))
  }

  private struct Word: RowDecodable, Equatable {
    let id: Int64
    let text: String?

    init(_ row: some RowReading) throws { (id, text) = try (row["id"], row["text"]) }
  }

  @Test func `a type that knows its columns is read from them`() throws {
    let words: [Word] = try database.rows("SELECT text, id FROM word WHERE id > 1 ORDER BY id")
    #expect(words.map(\.id) == [2, 3])
    #expect(words.map(\.text) == ["", nil])
    let none: Word? = try database.row("SELECT id, text FROM word WHERE id = 4")
    #expect(none == nil)
  }

  @Test(arguments: [false, true])
  func `a connection that is closed while a statement runs ends it, with an error`(isNested: Bool) throws {
    let question = "SELECT id FROM word"
    #expect(throws: SQLiteError.closed) {
      try database.rows(question) { row in
        if isNested {
          try database.rows(question) { _ in database.close() }
        } else {
          database.close()
        }
      }
    }
    #expect(throws: SQLiteError.closed) { try database.rows(question) { _ in } }
    database.close()
  }

  @Test func `an error of a reader ends the statement, and the next run begins at the first row`() throws {
    let question = "SELECT id FROM word ORDER BY id"
    #expect(throws: CancellationError.self) {
      try database.rows(question) { row in if try row["id"] == 2 { throw CancellationError() } }
    }
    #expect(try database.values(question) == [1, 2, 3])
  }
}
