import CSQLite
import Rows

/// A compiled statement of a connection. It throws after it is finalized, which its connection does at the latest when it
/// closes.
package final class Statement {
  private let handle: OpaquePointer
  private var isFinalized = false
  /// The names of its columns, read once.
  private var names: [String] = []
  /// How often SQLite had compiled the statement when the names were read. It does so again after a schema change, which
  /// may change the columns of `SELECT *`.
  private var compilations: CInt = -1
  /// Identifies the current row. A row that has passed has another number.
  fileprivate var rowNumber = 0
  private var isRunning = false
  /// The index of the column that is probably read next: most readers read in the order of the columns.
  private var next = 0

  /// The parameters' numbers in the order of their names, `$1` first; empty if SQLite numbered them so anyway, by where they
  /// stand.
  private let parameters: [CInt]

  init(_ handle: OpaquePointer) {
    self.handle = handle
    let count = sqlite3_bind_parameter_count(handle)
    let numbers = (0..<count).map { index in
      sqlite3_bind_parameter_name(handle, index + 1).flatMap { Int(String(cString: $0).dropFirst()) }
    }
    let isInOrder = numbers.enumerated().allSatisfy { $1 == nil || $1 == $0 + 1 }
    parameters = isInOrder ? [] : numbers.indices.map { CInt((numbers.firstIndex(of: $0 + 1) ?? -1) + 1) }
  }

  deinit { finalize() }

  /// Whether it has stepped and is not at its end.
  var isBusy: Bool { !isFinalized && sqlite3_stmt_busy(handle) != 0 }

  /// Steps to the next row.
  ///
  /// - Returns: False if there is none.
  package func step() throws -> Bool {
    guard !isFinalized else { throw SQLiteError.closed }
    rowNumber += 1
    next = 0
    switch sqlite3_step(handle) {
    case SQLITE_ROW:
      if !isRunning { readNames() }
      isRunning = true
      return true
    case SQLITE_DONE: return false
    default: throw SQLiteError(last: sqlite3_db_handle(handle))
    }
  }

  /// Steps through all rows, and calls `body` with the first column of each, a whole number.
  func eachNumber(_ body: (Int64) -> Void) throws {
    guard !isFinalized else { throw SQLiteError.closed }
    var code = sqlite3_step(handle)
    while code == SQLITE_ROW {
      body(sqlite3_column_int64(handle, 0))
      code = sqlite3_step(handle)
    }
    guard code == SQLITE_DONE else { throw SQLiteError(last: sqlite3_db_handle(handle)) }
  }

  /// Binds rows of arguments to its parameters, one after another.
  func bind(_ rows: some Collection<Arguments>) throws {
    guard !isFinalized else { throw SQLiteError.closed }
    var count: CInt = 0
    for arguments in rows {
      // By index: iterating would copy each argument.
      for position in arguments.indices {
        count += 1
        let number = parameters.indices.contains(Int(count) - 1) ? parameters[Int(count) - 1] : count
        let code = arguments[position]?.content.bind(to: handle, at: number) ?? SQLITE_OK
        guard code == SQLITE_OK else { throw SQLiteError(code) }
      }
    }
    guard sqlite3_bind_parameter_count(handle) == count else {
      throw SQLiteError(SQLITE_MISUSE, "\(count) arguments")
    }
  }

  /// Ends its run, and releases its arguments: pages and texts are large.
  func reset() {
    guard !isFinalized else { return }
    rowNumber += 1
    isRunning = false
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  func finalize() {
    guard !isFinalized else { return }
    isFinalized = true
    sqlite3_finalize(handle)
  }

  // MARK: Columns of the current row

  private func readNames() {
    let current = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
    guard current != compilations else { return }
    compilations = current
    names = []
    for index in 0..<sqlite3_column_count(handle) {
      let name = String(cString: sqlite3_column_name(handle, index))
      // Of two columns with one name, the first is read.
      names.append(names.contains(name) ? "" : name)
    }
  }

  fileprivate func checkRow(_ number: Int) throws {
    guard !isFinalized, number == rowNumber else { throw SQLiteError(SQLITE_MISUSE, "the row has passed") }
  }

  fileprivate var columnCount: Int { names.count }

  fileprivate func index(of column: String) throws -> Int {
    if next < names.count, names[next] == column {
      next += 1
      return next - 1
    }
    guard let index = names.firstIndex(of: column) else { throw ColumnError(missing: column) }
    next = index + 1
    return index
  }

  fileprivate func content(at index: Int) -> ColumnContent {
    let index = CInt(index)
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT:
      // Get the bytes before their count, which then belongs to this encoding.
      let bytes = sqlite3_column_text(handle, index)
      let text = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, index)))
      return .text(String(decoding: text, as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(handle, index)
      return .blob(Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, index)))))
    default: return .null
    }
  }

  fileprivate func mismatch(at index: Int, _ content: ColumnContent, _ type: Any.Type) -> ColumnError {
    let table = sqlite3_column_table_name(handle, CInt(index)).map { String(cString: $0) }
    return ColumnError(column: names[index], of: table, holds: content, inPlaceOf: type)
  }
}

/// The current row of a statement. Reading it after the statement's next step throws.
@usableFromInline
package struct Row: RowReading {
  private let statement: Statement
  private let number: Int

  init(_ statement: Statement) { (self.statement, number) = (statement, statement.rowNumber) }

  @inlinable
  package func value<Value: ColumnValue>(_ column: String) throws -> Value {
    let content = try content(of: column)
    guard let value = Value(content) else { throw mismatch(column, content, Value.self) }
    return value
  }

  @usableFromInline
  func content(of column: String) throws -> ColumnContent {
    try statement.checkRow(number)
    return try statement.content(at: statement.index(of: column))
  }

  @usableFromInline
  func mismatch(_ column: String, _ content: ColumnContent, _ type: Any.Type) -> any Error {
    do { return try statement.mismatch(at: statement.index(of: column), content, type) } catch { return error }
  }

  /// The value of its only column.
  func onlyValue<Value: ColumnValue>() throws -> Value {
    try statement.checkRow(number)
    guard statement.columnCount == 1 else {
      throw SQLiteError(SQLITE_MISUSE, "\(statement.columnCount) columns in place of one")
    }
    let content = statement.content(at: 0)
    guard let value = Value(content) else { throw statement.mismatch(at: 0, content, Value.self) }
    return value
  }

  /// What all its columns hold, in order.
  package var contents: [ColumnContent] {
    get throws {
      try statement.checkRow(number)
      return (0..<statement.columnCount).map(statement.content)
    }
  }
}
