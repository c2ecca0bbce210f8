import CSQLite
import GRDB

/// What stands in the places of a statement, in their order.
typealias Arguments = [(any Argument)?]

/// What a statement takes as it is.
protocol Argument {
  /// Puts it into a place of a statement, the first of which is 1; SQLite's word on it.
  func bind(to statement: SQLiteStatement, at place: CInt) -> CInt
}

// GRDB's own bindings make a list of a text's bytes first, and an array of what each value is in SQLite.

extension String: Argument {
  func bind(to statement: SQLiteStatement, at place: CInt) -> CInt {
    // Nothing at all would be null.
    if isEmpty { return sqlite3_bind_text(statement, place, "", 0, transient) }
    var text = self
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(statement, place, $0.baseAddress, CInt($0.count), transient)
      }
    }
  }
}

extension [UInt8]: Argument {
  func bind(to statement: SQLiteStatement, at place: CInt) -> CInt {
    if isEmpty { return sqlite3_bind_zeroblob(statement, place, 0) }
    return withUnsafeBytes { sqlite3_bind_blob(statement, place, $0.baseAddress, CInt($0.count), transient) }
  }
}

extension Int64: Argument {
  func bind(to statement: SQLiteStatement, at place: CInt) -> CInt { sqlite3_bind_int64(statement, place, self) }
}

extension Int: Argument {
  func bind(to statement: SQLiteStatement, at place: CInt) -> CInt { Int64(self).bind(to: statement, at: place) }
}

extension Int32: Argument {
  func bind(to statement: SQLiteStatement, at place: CInt) -> CInt { Int64(self).bind(to: statement, at: place) }
}

extension Double: Argument {
  func bind(to statement: SQLiteStatement, at place: CInt) -> CInt { sqlite3_bind_double(statement, place, self) }
}

extension Bool: Argument {
  func bind(to statement: SQLiteStatement, at place: CInt) -> CInt { (self ? 1 : 0).bind(to: statement, at: place) }
}

/// Has SQLite copy the bytes before the call ends (sqlite3_bind_blob(3)); a macro Swift does not see.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Database {
  /// A statement that is compiled once a connection, with its arguments in place. They are there until it is asked for
  /// again.
  func statement(_ sql: String, _ arguments: Arguments = []) throws -> Statement {
    try statement(sql, rows: CollectionOfOne(arguments))
  }

  /// One whose arguments come in rows.
  private func statement(_ sql: String, rows: some Collection<Arguments>) throws -> Statement {
    let statement = try cachedStatement(sql: sql)
    // As far as GRDB knows, it wants none.
    statement.setUncheckedArguments(StatementArguments())
    let raw = statement.sqliteStatement
    var count: CInt = 0
    for arguments in rows {
      for index in arguments.indices {
        count += 1
        let code = arguments[index]?.bind(to: raw, at: count) ?? SQLITE_OK
        guard code == SQLITE_OK else {
          throw DatabaseError(resultCode: ResultCode(rawValue: code), message: lastErrorMessage, sql: sql)
        }
      }
    }
    guard sqlite3_bind_parameter_count(raw) == count else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "\(count) arguments", sql: sql)
    }
    return statement
  }

  /// Runs a statement that is compiled once a connection.
  func run(_ sql: String, _ arguments: Arguments = []) throws {
    try statement(sql, arguments).execute()
  }

  /// Inserts rows of the same columns, many by one statement: each statement keeps a copy of every page of the store that
  /// it changes, until it ends.
  func insert(_ head: String, _ rows: [Arguments]) throws {
    var rest = rows[...]
    for size in [16, 4, 1] {
      guard let width = rest.first?.count, rest.count >= size else { continue }
      let row = "(\(String(repeating: "?, ", count: width - 1))?)"
      let sql = "\(head) VALUES \(String(repeating: "\(row), ", count: size - 1))\(row)"
      while rest.count >= size {
        try statement(sql, rows: rest.prefix(size)).execute()
        rest = rest.dropFirst(size)
      }
    }
  }

  /// The only column of the first row, or nil where there is none or it is null, by a statement that is compiled once a
  /// connection.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ sql: String, _ arguments: Arguments = []
  ) throws -> Value? {
    try Value.fetchOne(statement(sql, arguments))
  }

  /// The first row, by a statement that is compiled once a connection.
  func row(_ sql: String, _ arguments: Arguments = []) throws -> Columns? {
    try ColumnsCursor(statement(sql, arguments)).next()
  }

  /// All rows, by a statement that is compiled once a connection.
  func rows(_ sql: String, _ arguments: Arguments = []) throws -> [Columns] {
    // One by one, for GRDB's own loop over a cursor knows nothing of its type.
    let cursor = try ColumnsCursor(statement(sql, arguments))
    var rows: [Columns] = []
    while let row = try cursor.next() { rows.append(row) }
    return rows
  }

  /// All rows, their values by their columns' names: for wide ones, a few times a command.
  func namedRows(_ sql: String, _ arguments: Arguments = []) throws -> [Row] {
    try Row.fetchAll(statement(sql, arguments))
  }
}

extension String {
  /// Without NUL, at which SQLite's text ends.
  var storable: String { holdsNUL ? String(decoding: utf8.filter { $0 != 0 }, as: UTF8.self) : self }
}
