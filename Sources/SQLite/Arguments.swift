import CSQLite

/// The arguments of a statement, in order.
package typealias Arguments = [(any Argument)?]

/// A type that can be bound to a statement.
package protocol Argument {
  /// Binds it to a parameter of a statement, whose first index is 1.
  ///
  /// - Returns: SQLite's result code.
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt
}

extension String: Argument {
  package func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
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
  package func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    if isEmpty { return sqlite3_bind_zeroblob(statement, index, 0) }
    return withUnsafeBytes { sqlite3_bind_blob(statement, index, $0.baseAddress, CInt($0.count), transient) }
  }
}

extension Int64: Argument {
  package func bind(to statement: OpaquePointer, at index: CInt) -> CInt { sqlite3_bind_int64(statement, index, self) }
}

extension Int: Argument {
  package func bind(to statement: OpaquePointer, at index: CInt) -> CInt { Int64(self).bind(to: statement, at: index) }
}

extension Int32: Argument {
  package func bind(to statement: OpaquePointer, at index: CInt) -> CInt { Int64(self).bind(to: statement, at: index) }
}

extension Double: Argument {
  package func bind(to statement: OpaquePointer, at index: CInt) -> CInt { sqlite3_bind_double(statement, index, self) }
}

extension Bool: Argument {
  package func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    (self ? 1 : 0).bind(to: statement, at: index)
  }
}

/// Makes SQLite copy the bytes before the call ends; Swift does not import this macro.
/// https://sqlite.org/c3ref/c_static.html
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
