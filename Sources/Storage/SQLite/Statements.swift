import CSQLite

/// What stands in the places of a statement, in their order.
typealias Arguments = [(any Argument)?]

/// What a statement takes as it is.
protocol Argument {
  /// Puts it into a place of a statement, the first of which is 1; SQLite's word on it.
  func bind(to statement: OpaquePointer, at place: CInt) -> CInt
}

extension String: Argument {
  func bind(to statement: OpaquePointer, at place: CInt) -> CInt {
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
  func bind(to statement: OpaquePointer, at place: CInt) -> CInt {
    if isEmpty { return sqlite3_bind_zeroblob(statement, place, 0) }
    return withUnsafeBytes { sqlite3_bind_blob(statement, place, $0.baseAddress, CInt($0.count), transient) }
  }
}

extension Int64: Argument {
  func bind(to statement: OpaquePointer, at place: CInt) -> CInt { sqlite3_bind_int64(statement, place, self) }
}

extension Int: Argument {
  func bind(to statement: OpaquePointer, at place: CInt) -> CInt { Int64(self).bind(to: statement, at: place) }
}

extension Int32: Argument {
  func bind(to statement: OpaquePointer, at place: CInt) -> CInt { Int64(self).bind(to: statement, at: place) }
}

extension Double: Argument {
  func bind(to statement: OpaquePointer, at place: CInt) -> CInt { sqlite3_bind_double(statement, place, self) }
}

extension Bool: Argument {
  func bind(to statement: OpaquePointer, at place: CInt) -> CInt { (self ? 1 : 0).bind(to: statement, at: place) }
}

/// Has SQLite copy the bytes before the call ends; a macro Swift does not see. https://sqlite.org/c3ref/c_static.html
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Database {
  /// Runs a statement, which is compiled once a connection.
  func run(_ sql: String, _ arguments: Arguments = []) throws {
    try withStatement(sql, CollectionOfOne(arguments)) { while try step($0) {} }
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
        try withStatement(sql, rest.prefix(size)) { while try step($0) {} }
        rest = rest.dropFirst(size)
      }
    }
  }

  /// The only column of the first row, or nil where there is none or it is null. A statement that changes rows and tells
  /// of them is for `rows`, which lets it end.
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

  /// The first row, as `value`.
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

  /// What is made of each row, which is gone after: for many rows.
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

  /// All rows, their values by their columns' names: for wide ones, a few times a command.
  func namedRows(_ sql: String, _ arguments: Arguments = []) throws -> [Row] {
    try withStatement(sql, CollectionOfOne(arguments)) { statement in
      var rows: [Row] = []
      while try step(statement) { rows.append(Row(statement, mismatch)) }
      return rows
    }
  }

  /// A statement whose arguments come in rows.
  private func withStatement<Value>(
    _ sql: String, _ rows: some Collection<Arguments>, _ body: (OpaquePointer) throws -> Value
  ) throws -> Value {
    try withStatement(sql) { statement in
      // What it was given does not stay in it: pages and texts are large.
      defer { sqlite3_clear_bindings(statement) }
      var count: CInt = 0
      for arguments in rows {
        // By their places: each would be copied else.
        for place in arguments.indices {
          count += 1
          let code = arguments[place]?.bind(to: statement, at: count) ?? SQLITE_OK
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
  /// Without NUL, at which SQLite's text ends.
  var storable: String { holdsNUL ? String(decoding: utf8.filter { $0 != 0 }, as: UTF8.self) : self }
}
