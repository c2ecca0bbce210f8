import CSQLite
import Rows
import SQLite

// What SQLite's failures mean for a library.

extension StorageError {
  /// Maps any error to one about the library at a path.
  init(_ error: any Error, path: String) {
    self =
      switch error {
      case let error as StorageError: error
      case let error as DatabaseError: StorageError(error, path: path)
      case let error as ColumnError: .damaged(path: path, reason: error.description)
      default: .io(path: path, reason: String(describing: error))
      }
  }

  /// Maps SQLite's result code to an error about the library at a path.
  init(_ error: DatabaseError, path: String) {
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
