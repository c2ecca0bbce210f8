import CSQLite
import Glibc
import Machine

/// An error of SQLite.
package struct SQLiteError: Error, Equatable, CustomStringConvertible {
  /// SQLite's extended result code. https://sqlite.org/rescode.html
  package let extendedCode: CInt
  /// SQLite's message.
  package let message: String

  /// The system's `errno` if SQLite could not read or write; else 0.
  package let systemCode: CInt

  package init(_ code: CInt, _ message: String? = nil, systemCode: CInt = 0) {
    extendedCode = code
    self.systemCode = systemCode
    self.message = message ?? String(cString: sqlite3_errstr(code))
  }

  /// The connection was closed before.
  package static let closed = SQLiteError(SQLITE_MISUSE, "the connection is closed")

  /// The primary result code.
  package var code: CInt { extendedCode & 0xFF }

  /// Whether the disk or the quota is full. SQLite has a code for this only if a write to the store or its log fails,
  /// not if a file beside them cannot be created or extended.
  package var isOfFullDisk: Bool {
    if code == SQLITE_FULL { return true }
    return [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code) && FullDisk.isReason(systemCode)
  }

  package var description: String { "SQLite says \(extendedCode): \(message)" }
}

extension SQLiteError {
  /// The last error of a connection.
  init(last handle: OpaquePointer?) {
    self.init(
      sqlite3_extended_errcode(handle), String(cString: sqlite3_errmsg(handle)),
      systemCode: sqlite3_system_errno(handle))
  }
}
