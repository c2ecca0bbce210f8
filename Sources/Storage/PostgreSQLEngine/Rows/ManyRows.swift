import PostgreSQL
import Rows

/// A statement that inserts any number of rows: one answer to wait for, one run of each trigger, and one text to prepare.
struct ManyRows {
  private let sql: String
  private let elements: [ColumnArray.Element]

  /// The most rows of one statement, and the most bytes after which no row is added to one.
  private static let (mostRows, mostBytes) = (2_000, 8 << 20)

  /// - Parameters:
  ///   - head: `INSERT INTO tag (name)`. The table is one of the library's.
  ///   - tail: What follows the rows: `ON CONFLICT DO NOTHING`.
  ///   - connection: Knows the types of the columns.
  init(_ head: String, _ tail: String, in connection: PostgreSQLConnection) throws {
    let words = head.split { " \n(".contains($0) }
    let names = head.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }.split { ", \n".contains($0) }.map(String.init)
    guard words.starts(with: ["INSERT", "INTO"]), words.count > 2, !names.isEmpty else {
      throw Contradiction("\(head) does not insert")
    }
    let rows = try connection.rows(
      """
      SELECT attname::text AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
      WHERE attrelid = to_regclass($1::text) AND attnum > 0
      """, [String(words[2])])
    let types = try Dictionary(rows.map { (try $0["name"] as String, try $0["type"] as String) }) { $1 }
    elements = try names.map { name in
      guard let element = types[name].flatMap(ColumnArray.Element.init) else {
        throw Contradiction("a column \(name) of \(words[2]) is not known")
      }
      return element
    }
    let arrays = elements.enumerated().map { "$\($0 + 1)::\($1.rawValue)[]" }.joined(separator: ", ")
    sql = "\(head) SELECT * FROM unnest(\(arrays)) \(tail)"
  }

  /// Hands `run` the statement and its arguments, for as many rows at a time as one statement takes.
  ///
  /// - Parameter rows: Each has as many values as the statement has columns.
  func insert(_ rows: [Arguments], by run: (String, Arguments) throws -> Void) throws {
    var rest = rows[...]
    while !rest.isEmpty {
      let some = rest.prefix(Self.count(of: rest))
      let columns = try elements.indices.map { column in
        try ColumnArray(some.map { $0[column]?.content ?? .null }, of: elements[column]).bytes
      }
      try run(sql, columns)
      rest = rest.dropFirst(some.count)
    }
  }

  /// How many of the rows one statement takes.
  private static func count(of rows: ArraySlice<Arguments>) -> Int {
    var bytes = 0
    let end = rows.prefix(mostRows).firstIndex { row in
      defer { bytes += row.reduce(0) { $0 + size(of: $1) } }
      return bytes > mostBytes
    }
    return (end ?? min(rows.startIndex + mostRows, rows.endIndex)) - rows.startIndex
  }

  private static func size(of argument: (any Argument)?) -> Int {
    switch argument?.content {
    case .text(let text): text.utf8.count
    case .blob(let blob): blob.count
    default: 8
    }
  }
}

extension PostgreSQLSession {
  /// Inserts rows with the same columns.
  func insert(_ rows: InsertedRows) throws {
    guard !rows.rows.isEmpty else { return }
    changesCount = 0
    try insertion(of: rows).insert(rows.rows) { changesCount += try connection.run($0, $1) }
  }

  /// Inserts rows of several tables, and waits once.
  func insert(_ all: [InsertedRows]) throws {
    let all = try all.filter { !$0.rows.isEmpty }.map { ($0.rows, try insertion(of: $0)) }
    guard !all.isEmpty else { return }
    try connection.pipeline { pipeline in
      for (rows, insertion) in all { try insertion.insert(rows) { try pipeline.run($0, $1) } }
    }
  }

  private func insertion(of rows: InsertedRows) throws -> ManyRows {
    let key = "\(rows.head) \(rows.tail)"
    let insertion = try insertions[key] ?? ManyRows(rows.head, rows.tail, in: connection)
    insertions[key] = insertion
    return insertion
  }

  /// Numbers for rows that are to be inserted, in ascending order.
  ///
  /// - Parameter table: A table whose key `id` the server assigns.
  func reserveNumbers(_ count: Int, of table: String) throws -> [Int64] {
    let reserved = try reserves[table, default: NumberReserve(table: table)].numbers(count, in: connection)
    return reserved.sorted()
  }
}

/// The numbers of a table's rows that a connection has for itself. Transactions that insert rows with neighbouring numbers
/// write and read the same pages of indexes, and lose against each other.
struct NumberReserve {
  /// The table.
  let table: String
  private var rest: ArraySlice<Int64> = []
  private var size = 0

  private static let most = 512

  /// No numbers yet.
  init(table: String) { self.table = table }

  /// Takes numbers out. A connection that inserts few rows reserves no more than it needs.
  mutating func numbers(_ count: Int, in connection: PostgreSQLConnection) throws -> ArraySlice<Int64> {
    if rest.count < count {
      let missing = max(count - rest.count, size)
      rest +=
        try connection.values(
          "SELECT nextval('media.\(table)_id_seq') FROM generate_series(1, $1::bigint)", [missing]) as [Int64]
      size = min(max(size * 4, count), Self.most)
    }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
