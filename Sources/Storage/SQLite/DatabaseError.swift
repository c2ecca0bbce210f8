import CSQLite

/// What SQLite refused.
struct DatabaseError: Error, CustomStringConvertible {
  /// SQLite's extended result code. https://sqlite.org/rescode.html
  let extendedCode: CInt
  /// SQLite's own words.
  let message: String

  init(_ code: CInt, _ message: String? = nil) {
    extendedCode = code
    self.message = message ?? String(cString: sqlite3_errstr(code))
  }

  static let closed = DatabaseError(SQLITE_MISUSE, "the library is closed")

  /// The primary result code.
  var code: CInt { extendedCode & 0xFF }

  var description: String { "SQLite says \(extendedCode): \(message)" }
}
