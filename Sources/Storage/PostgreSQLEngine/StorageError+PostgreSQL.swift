import PostgreSQL

// What PostgreSQL's failures mean for a library.

extension StorageError {
  /// Maps a server's refusal, or the lack of a server, to an error about the library at an address without a password.
  init(_ error: PostgreSQLError, path: String) {
    self =
      switch (error, error.state) {
      case (.noCertificate(let file), _): .unsuitable(path: path, .noCertificate(file))
      case (_, let state?) where Self.faults[state] != nil:
        .unsuitable(path: path, Self.faults[state]!(error.words))
      case _ where error.isOfFullDisk: .full(path: path)
      // invalid_authorization_specification, invalid_password
      case (.connectionRefused(let refusal), "28000"), (.connectionRefused(let refusal), "28P01"):
        .loginRefused(path: path, reason: refusal.message)
      // lock_not_available, and transactions that lost too often
      case (_, "55P03"), (_, "40001"), (_, "40P01"): .busy(path: path)
      // data_corrupted, index_corrupted
      case (_, "XX001"), (_, "XX002"): .damaged(path: path, reason: error.description)
      case _ where error.isLostConnection: .noServer(path: path, reason: error.description)
      default: .io(path: path, reason: error.description)
      }
  }

  /// What a server's codes say of a library. https://www.postgresql.org/docs/15/errcodes-appendix.html
  private static let faults: [String: @Sendable (_ words: String) -> ServerFault] = [
    "3D000": { _ in .noDatabase },  // invalid_catalog_name
    "42501": { .forbidden($0) },  // insufficient_privilege
    "53300": { _ in .crowded },  // too_many_connections
    "57014": { _ in .timedOut },  // query_canceled
    "25006": { _ in .readOnly },  // read_only_sql_transaction
    "42P01": { _ in .foreign },  // undefined_table
    "42703": { _ in .foreign },  // undefined_column
    "42883": { _ in .foreign },  // undefined_function
    "3F000": { _ in .foreign },  // invalid_schema_name
  ]

  /// Whether a server lacks what a library has.
  static func isOfForeign(_ error: PostgreSQLError) -> Bool { error.state.flatMap { faults[$0]?("") } == .foreign }
}

extension PostgreSQLError {
  /// The server's own words, if it gave any.
  fileprivate var words: String {
    switch self {
    case .refused(let refusal), .connectionRefused(let refusal): refusal.message
    default: description
    }
  }

  /// Why it refused the values of a row: a wrong type or length, or a violated constraint.
  var refusedValue: String? {
    guard case .refused(let refusal) = self, refusal.state.hasPrefix("22") || refusal.state.hasPrefix("23") else {
      return nil
    }
    return refusal.message
  }

  /// Why a statement is too large for it: program_limit_exceeded and its kind.
  var refusedSize: String? {
    guard case .refused(let refusal) = self, refusal.state.hasPrefix("54") else { return nil }
    return refusal.message
  }
}
