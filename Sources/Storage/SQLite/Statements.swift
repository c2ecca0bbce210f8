import CSQLite

/// The arguments of a statement, in order.
typealias Arguments = [(any Argument)?]

/// A type that can be bound to a statement.
protocol Argument {
  /// Binds it to a parameter of a statement, whose first index is 1.
  ///
  /// - Returns: SQLite's result code.
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt
}

extension String: Argument {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    // A null pointer would bind NULL.
    if isEmpty { return sqlite3_bind_text(statement, index, "", 0, transient) }
    var text = self
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(statement, index, $0.baseAddress, CInt($0.count), transient)
      }
    }
  }
}

extension [UInt8]: Argument {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    if isEmpty { return sqlite3_bind_zeroblob(statement, index, 0) }
    return withUnsafeBytes { sqlite3_bind_blob(statement, index, $0.baseAddress, CInt($0.count), transient) }
  }
}

extension Int64: Argument {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt { sqlite3_bind_int64(statement, index, self) }
}

extension Int: Argument {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt { Int64(self).bind(to: statement, at: index) }
}

extension Int32: Argument {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt { Int64(self).bind(to: statement, at: index) }
}

extension Double: Argument {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt { sqlite3_bind_double(statement, index, self) }
}

extension Bool: Argument {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt { (self ? 1 : 0).bind(to: statement, at: index) }
}

/// Makes SQLite copy the bytes before the call ends; Swift does not import this macro.
/// https://sqlite.org/c3ref/c_static.html
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Database {
  /// Runs a statement, which stays compiled.
  func run(_ sql: String, _ arguments: Arguments = []) throws {
    try withStatement(sql, CollectionOfOne(arguments)) { while try step($0) {} }
  }

  /// Inserts rows with the same columns, many in one statement: each statement keeps a copy of every page that it
  /// changes until it ends.
  func insert(_ head: String, _ rows: [Arguments]) throws {
    var rest = rows[...]
    for size in [16, 4, 1] {
      guard let width = rest.first?.count, rest.count >= size else { continue }
      let row = "(\(String(repeating: "?, ", count: width - 1))?)"
      let sql = "\(head) VALUES \(String(repeating: "\(row), ", count: size - 1))\(row)"
      while rest.count >= size {
        try withStatement(sql, rest.prefix(size)) { while try step($0) {} }
        rest = rest.dropFirst(size)
      }
    }
  }

  /// The only column of the first row; nil if there is no row, or if it is NULL. Use `rows` for a statement that
  /// changes rows and returns them: it runs the statement to its end.
  func value<Value: ColumnValue>(_ sql: String, _ arguments: Arguments = []) throws -> Value? {
    try withStatement(sql, CollectionOfOne(arguments)) { statement in
      guard try step(statement) else { return nil }
      let value: Value? = PassingColumns(statement, mismatch)[0]
      try mismatch.check()
      return value
    }
  }

  /// The only column of all rows.
  func values<Value: ColumnValue>(_ sql: String, _ arguments: Arguments = []) throws -> [Value] {
    try map(sql, arguments) { $0[0] }
  }

  /// The first row, with the same restriction as `value`.
  func row(_ sql: String, _ arguments: Arguments = []) throws -> Columns? {
    try withStatement(sql, CollectionOfOne(arguments)) { try step($0) ? Columns($0, mismatch) : nil }
  }

  /// All rows.
  func rows(_ sql: String, _ arguments: Arguments = []) throws -> [Columns] {
    try withStatement(sql, CollectionOfOne(arguments)) { statement in
      var rows: [Columns] = []
      while try step(statement) { rows.append(Columns(statement, mismatch)) }
      return rows
    }
  }

  /// Maps each row, which is invalid after `body` returns: for many rows.
  func map<Value>(
    _ sql: String, _ arguments: Arguments = [], _ body: (PassingColumns) throws -> Value
  ) throws -> [Value] {
    try withStatement(sql, CollectionOfOne(arguments)) { statement in
      var values: [Value] = []
      while try step(statement) { values.append(try body(PassingColumns(statement, mismatch))) }
      try mismatch.check()
      return values
    }
  }

  /// All rows, with their values by column name: for wide rows, read a few times per command.
  func namedRows(_ sql: String, _ arguments: Arguments = []) throws -> [Row] {
    try withStatement(sql, CollectionOfOne(arguments)) { statement in
      var rows: [Row] = []
      while try step(statement) { rows.append(Row(statement, mismatch)) }
      return rows
    }
  }

  /// Binds rows of arguments to a statement.
  private func withStatement<Value>(
    _ sql: String, _ rows: some Collection<Arguments>, _ body: (OpaquePointer) throws -> Value
  ) throws -> Value {
    try withStatement(sql) { statement in
      // Release the arguments: pages and texts are large.
      defer { sqlite3_clear_bindings(statement) }
      var count: CInt = 0
      for arguments in rows {
        // By index: iterating would copy each argument.
        for position in arguments.indices {
          count += 1
          let code = arguments[position]?.bind(to: statement, at: count) ?? SQLITE_OK
          guard code == SQLITE_OK else { throw DatabaseError(code) }
        }
      }
      guard sqlite3_bind_parameter_count(statement) == count else {
        throw DatabaseError(SQLITE_MISUSE, "\(count) arguments")
      }
      return try body(statement)
    }
  }
}

extension String {
  /// The string without NUL, which ends a text in SQLite.
  var storable: String { holdsNUL ? String(decoding: utf8.filter { $0 != 0 }, as: UTF8.self) : self }
}
