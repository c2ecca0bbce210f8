import CSQLite
import Glibc

/// An error of SQLite.
struct DatabaseError: Error, CustomStringConvertible {
  /// SQLite's extended result code. https://sqlite.org/rescode.html
  let extendedCode: CInt
  /// SQLite's message.
  let message: String

  /// The system's `errno` if SQLite could not read or write; else 0.
  let systemCode: CInt

  init(_ code: CInt, _ message: String? = nil, systemCode: CInt = 0) {
    extendedCode = code
    self.systemCode = systemCode
    self.message = message ?? String(cString: sqlite3_errstr(code))
  }

  static let closed = DatabaseError(SQLITE_MISUSE, "the library is closed")

  /// The primary result code.
  var code: CInt { extendedCode & 0xFF }

  /// Whether the disk or the quota is full. SQLite has a code for this only if a write to the store or its log fails,
  /// not if a file beside them cannot be created or extended.
  var isOfFullDisk: Bool {
    if code == SQLITE_FULL { return true }
    return [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code) && [ENOSPC, EDQUOT].contains(systemCode)
  }

  var description: String { "SQLite says \(extendedCode): \(message)" }
}
