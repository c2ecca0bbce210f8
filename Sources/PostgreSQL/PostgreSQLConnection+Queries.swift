import CPostgreSQL
import Rows

extension PostgreSQLConnection {
  /// Runs a statement, which stays prepared.
  ///
  /// - Returns: How many rows it inserted, changed or deleted.
  @discardableResult
  package func run(_ sql: String, _ arguments: Arguments = []) throws(PostgreSQLError) -> Int {
    try ask(sql, arguments).affected
  }

  /// The only column of the first row; nil if there is no row, or if it is NULL.
  package func value<Value: ColumnValue>(_ sql: String, _ arguments: Arguments = []) throws -> Value? {
    try rows(sql, arguments).first?.onlyValue() as Value?? ?? nil
  }

  /// The only column of all rows.
  package func values<Value: ColumnValue>(_ sql: String, _ arguments: Arguments = []) throws -> [Value] {
    try rows(sql, arguments).map { try $0.onlyValue() }
  }

  /// Whether there is a row.
  package func hasRow(_ sql: String, _ arguments: Arguments = []) throws(PostgreSQLError) -> Bool {
    try ask(sql, arguments).rowCount > 0
  }

  /// All rows.
  package func rows(_ sql: String, _ arguments: Arguments = []) throws(PostgreSQLError) -> [PostgreSQLRow] {
    let answer = try ask(sql, arguments)
    return (0..<answer.rowCount).map { PostgreSQLRow(answer, $0) }
  }

  /// All rows, each decoded.
  package func rows<Value: RowDecodable>(_ sql: String, _ arguments: Arguments = []) throws -> [Value] {
    try rows(sql, arguments).map { try Value($0) }
  }

  /// The first row, decoded; nil if there is none.
  package func row<Value: RowDecodable>(_ sql: String, _ arguments: Arguments = []) throws -> Value? {
    try rows(sql, arguments).first.map { try Value($0) }
  }
}
