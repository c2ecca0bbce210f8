import PostgreSQL

// What PostgreSQL's failures mean for a library.

extension StorageError {
  /// Maps a server's refusal, or the lack of a server, to an error about the library at an address without a password.
  init(_ error: PostgreSQLError, path: String) {
    if case .loginRefused(let reason) = error {
      self = .loginRefused(path: path, reason: reason)
      return
    }
    self =
      switch error.state {
      case _ where error.isOfFullDisk: .full(path: path)
      // insufficient_privilege, read_only_sql_transaction
      case "42501", "25006": .readOnly(path: path)
      // lock_not_available, and transactions that lost too often
      case "55P03", "40001", "40P01": .busy(path: path)
      // data_corrupted, index_corrupted
      case "XX001", "XX002": .damaged(path: path, reason: error.description)
      // undefined_table, undefined_column, undefined_function, invalid_schema_name
      case "42P01", "42703", "42883", "3F000": .unsuitable(path: path, .foreign)
      case _ where error.isLostConnection: .noServer(path: path, reason: error.description)
      default: .io(path: path, reason: error.description)
      }
  }
}

extension PostgreSQLError {
  /// Why it refused the values of a row: a wrong type or length, or a violated constraint.
  var refusedValue: String? {
    guard case .refused(let refusal) = self, refusal.state.hasPrefix("22") || refusal.state.hasPrefix("23") else {
      return nil
    }
    return refusal.message
  }
}
