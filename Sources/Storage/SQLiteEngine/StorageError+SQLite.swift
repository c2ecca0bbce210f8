import CSQLite
import SQLite

// What SQLite's failures mean for a library.

extension StorageError {
  /// Maps SQLite's result code to an error about the library at a path.
  init(_ error: SQLiteError, path: String) {
    self =
      switch error.code {
      case _ where error.isOfFullDisk: .full(path: path)
      case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .readOnly(path: path)
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy(path: path)
      case SQLITE_NOTADB: .notALibrary(path: path)
      case _ where error == .closed: .io(path: path, reason: "the library is closed")
      case SQLITE_CORRUPT: .damaged(path: path, reason: error.message)
      default: .io(path: path, reason: error.message)
      }
  }
}

extension SQLiteError {
  /// Why it refused the values of a row.
  var refusedValue: String? { [SQLITE_CONSTRAINT, SQLITE_MISMATCH].contains(code) ? message : nil }

  /// Why a statement is too large for it. It has no code of its own for most of its limits. https://sqlite.org/limits.html
  var refusedSize: String? {
    let beginnings = ["parser stack overflow", "Expression tree is too large", "too many "]
    let isOfSize = code == SQLITE_TOOBIG || code == SQLITE_ERROR && beginnings.contains { message.hasPrefix($0) }
    return isOfSize ? message : nil
  }
}
