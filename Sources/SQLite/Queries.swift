import CSQLite
import Rows

extension Connection {
  /// Runs a statement, which stays compiled.
  package func run(_ sql: String, _ arguments: Arguments = []) throws {
    try withStatement(sql, CollectionOfOne(arguments)) { while try $0.step() {} }
  }

  /// Inserts rows with the same columns, many in one statement: each statement keeps a copy of every page that it
  /// changes until it ends.
  ///
  /// - Parameters:
  ///   - head: The statement without its rows.
  ///   - rows: The values of each row.
  ///   - tail: What follows the rows: `ON CONFLICT DO NOTHING`.
  package func insert(_ head: String, _ rows: [Arguments], _ tail: String = "") throws {
    var rest = rows[...]
    for size in [16, 4, 1] {
      guard let width = rest.first?.count, rest.count >= size else { continue }
      let row = "(\(String(repeating: "?, ", count: width - 1))?)"
      let sql = "\(head) VALUES \(String(repeating: "\(row), ", count: size - 1))\(row) \(tail)"
      while rest.count >= size {
        try withStatement(sql, rest.prefix(size)) { while try $0.step() {} }
        rest = rest.dropFirst(size)
      }
    }
  }

  /// The only column of the first row; nil if there is no row, or if it is NULL. Use `values` for a statement that
  /// changes rows and returns them: it runs the statement to its end.
  package func value<Value: ColumnValue>(_ sql: String, _ arguments: Arguments = []) throws -> Value? {
    try row(sql, arguments) { try $0.onlyValue() as Value? } ?? nil
  }

  /// The only column of all rows.
  package func values<Value: ColumnValue>(_ sql: String, _ arguments: Arguments = []) throws -> [Value] {
    try rows(sql, arguments) { try $0.onlyValue() }
  }

  /// Whether there is a row.
  package func hasRow(_ sql: String, _ arguments: Arguments = []) throws -> Bool {
    try withStatement(sql, CollectionOfOne(arguments)) { try $0.step() }
  }

  /// The first row as `body` reads it; nil if there is no row. The same restriction as for `value` applies.
  @discardableResult
  package func row<Value>(
    _ sql: String, _ arguments: Arguments = [], _ body: (Row) throws -> Value
  ) throws -> Value? {
    try withStatement(sql, CollectionOfOne(arguments)) { try $0.step() ? try body(Row($0)) : nil }
  }

  /// The first row; nil if there is none. The same restriction as for `value` applies.
  package func row<Value: RowDecodable>(_ sql: String, _ arguments: Arguments = []) throws -> Value? {
    try row(sql, arguments) { try Value($0) }
  }

  /// All rows, each as `body` reads it. A row cannot be read after `body` has returned.
  @discardableResult
  package func rows<Value>(
    _ sql: String, _ arguments: Arguments = [], _ body: (Row) throws -> Value
  ) throws -> [Value] {
    try withStatement(sql, CollectionOfOne(arguments)) { statement in
      var values: [Value] = []
      while try statement.step() { values.append(try body(Row(statement))) }
      return values
    }
  }

  /// All rows.
  package func rows<Value: RowDecodable>(_ sql: String, _ arguments: Arguments = []) throws -> [Value] {
    try rows(sql, arguments) { try Value($0) }
  }

  /// Calls `body` with the only column of each row, a whole number. Where there are very many, `rows` takes four times as long.
  package func eachNumber(_ sql: String, _ arguments: Arguments = [], _ body: (Int64) -> Void) throws {
    try withStatement(sql, CollectionOfOne(arguments)) { try $0.eachNumber(body) }
  }

  /// Binds rows of arguments to a statement.
  private func withStatement<Value>(
    _ sql: String, _ rows: some Collection<Arguments>, _ body: (Statement) throws -> Value
  ) throws -> Value {
    try withStatement(sql) { statement in
      try statement.bind(rows)
      return try body(statement)
    }
  }
}
