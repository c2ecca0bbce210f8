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

  /// Calls `body` with each row as it arrives, so that memory holds one. The connection is busy meanwhile.
  ///
  /// - Throws: `PostgreSQLError`, and what `body` throws: the remaining rows are then dropped.
  package func eachRow(_ sql: String, _ arguments: Arguments = [], _ body: (PostgreSQLRow) throws -> Void) throws {
    try checkState()
    let name = try prepared(sql)
    let parameters = Parameters(arguments)
    let isSent = parameters.withLists { values, lengths, formats in
      driver.call.sendQueryPrepared(handle, name, parameters.count, values, lengths, formats, 1) == 1
    }
    guard isSent, driver.call.setSingleRowMode(handle) == 1 else {
      _ = try answer(nil)
      return
    }
    do {
      while let result = driver.call.getResult(handle) {
        let answer = try answer(result)
        if answer.rowCount == 1 { try body(PostgreSQLRow(answer, 0)) }
      }
    } catch {
      dropResults()
      throw error
    }
  }

  /// Has the server stop, and reads what it had sent.
  private func dropResults() {
    if let cancel = driver.call.getCancel(handle) {
      var reason = [CChar](repeating: 0, count: 256)
      _ = driver.call.cancel(cancel, &reason, 256)
      driver.call.freeCancel(cancel)
    }
    while let result = driver.call.getResult(handle) { driver.call.clear(result) }
  }
}
