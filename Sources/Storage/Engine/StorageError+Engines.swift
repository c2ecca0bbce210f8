import PostgreSQL
import Rows
import SQLite

extension StorageError {
  /// Maps any error to one about a library.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - path: Where the library is.
  init(_ error: any Error, path: String) {
    self =
      switch error {
      case let error as StorageError: error
      case let error as SQLiteError: StorageError(error, path: path)
      case let error as PostgreSQLError: StorageError(error, path: path)
      case let error as ColumnError: .damaged(path: path, reason: error.description)
      case let error as Contradiction: .damaged(path: path, reason: error.reason)
      default: .io(path: path, reason: String(describing: error))
      }
  }
}

extension Database {
  /// Why a statement refused the values of a row; nil if it failed for another reason.
  static func refusedValue(_ error: any Error) -> String? {
    switch error {
    case let error as SQLiteError: error.refusedValue
    case let error as PostgreSQLError: error.refusedValue
    default: nil
    }
  }

  /// Why a statement is too large for the engine; nil if it failed for another reason.
  static func refusedSize(_ error: any Error) -> String? {
    switch error {
    case let error as SQLiteError: error.refusedSize
    case let error as PostgreSQLError: error.refusedSize
    default: nil
    }
  }
}
