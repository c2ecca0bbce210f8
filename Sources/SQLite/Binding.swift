import CSQLite
import Rows

extension ColumnContent {
  /// Binds it to a parameter of a statement, whose first index is 1.
  ///
  /// - Returns: SQLite's result code.
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    switch self {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let number): sqlite3_bind_int64(statement, index, number)
    case .real(let number): sqlite3_bind_double(statement, index, number)
    case .text(let text): Self.bind(text, to: statement, at: index)
    case .blob(let bytes): Self.bind(bytes, to: statement, at: index)
    }
  }

  private static func bind(_ text: String, to statement: OpaquePointer, at index: CInt) -> CInt {
    // A null pointer would bind NULL.
    if text.isEmpty { return sqlite3_bind_text(statement, index, "", 0, transient) }
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(statement, index, $0.baseAddress, CInt($0.count), transient)
      }
    }
  }

  private static func bind(_ bytes: [UInt8], to statement: OpaquePointer, at index: CInt) -> CInt {
    if bytes.isEmpty { return sqlite3_bind_zeroblob(statement, index, 0) }
    return bytes.withUnsafeBytes { sqlite3_bind_blob(statement, index, $0.baseAddress, CInt($0.count), transient) }
  }
}

/// Makes SQLite copy the bytes before the call ends; Swift does not import this macro.
/// https://sqlite.org/c3ref/c_static.html
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
