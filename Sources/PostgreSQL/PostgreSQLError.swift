import Machine

/// Why a server did not do what it was asked for.
package enum PostgreSQLError: Error, Equatable {
  /// libpq is not installed.
  case noDriver
  /// The connection string cannot be read. The reason names no value of it: one may be a password.
  case badConnectionString
  /// No server accepts the connection.
  case noConnection(reason: String)
  /// A server refuses the connection: the user, the password, the database, or one more connection.
  case connectionRefused(Refusal)
  /// A file of a certificate that the connection needs is not there.
  case noCertificate(path: String)
  /// The connection ended. What a commit that was under way did is not known.
  case disconnected(duringCommit: Bool)
  /// The server refused a statement.
  case refused(Refusal)
  /// The transaction has ended, or was refused by an earlier statement.
  case noTransaction
  /// The caller used a statement wrongly.
  case misuse(String)

  /// The server's answer to a statement that failed.
  package struct Refusal: Error, Equatable {
    /// Five characters. https://www.postgresql.org/docs/15/errcodes-appendix.html
    package let state: String
    /// The server's message, without the values that a detail would show.
    package let message: String
    /// The violated constraint, if one is.
    package let constraint: String?

    package init(state: String, message: String, constraint: String? = nil) {
      (self.state, self.message, self.constraint) = (state, message, constraint)
    }
  }

  /// Whether the same transaction may succeed when it is run again: it lost against another one.
  /// https://www.postgresql.org/docs/15/mvcc-serialization-failure-handling.html
  package var isWorthRepeating: Bool {
    guard case .refused(let refusal) = self else { return false }
    // serialization_failure, deadlock_detected, and what CockroachDB and YugabyteDB answer in their place.
    return ["40001", "40P01", "CR000"].contains(refusal.state)
  }

  /// Whether another connection may succeed: the server stopped, or another one took its place.
  package var isLostConnection: Bool {
    switch self {
    case .disconnected, .noConnection: true
    case .refused(let refusal):
      // Connection exceptions, operator intervention, a session or a transaction that was idle for too long, and a primary that has become
      // a standby.
      refusal.state.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05", "25P03", "25006"].contains(refusal.state)
    default: false
    }
  }

  /// Whether no server accepts a connection now.
  package var isNoConnection: Bool {
    if case .noConnection = self { return true }
    return false
  }

  /// Whether a row with the same key exists.
  package var isUniqueViolation: Bool { state == "23505" }

  /// Whether a key was there already, or was missing. Both are checked on what others have committed by now, which a
  /// transaction that reads an older snapshot does not see: another transaction may be the cause.
  /// https://www.postgresql.org/docs/15/mvcc-serialization-failure-handling.html
  package var isKeyViolation: Bool { isUniqueViolation || state == "23503" }

  /// Whether the server's disk is full.
  package var isOfFullDisk: Bool { state == "53100" }

  /// The server's code, if it gave one.
  package var state: String? {
    switch self {
    case .refused(let refusal), .connectionRefused(let refusal): refusal.state
    default: nil
    }
  }
}

extension PostgreSQLError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noDriver: SystemLibrary.missing("libpq.so.5")
    case .badConnectionString: "the connection string cannot be read"
    case .noConnection(let reason): reason
    case .connectionRefused(let refusal): refusal.message
    case .noCertificate(let path): "\(path) is not there"
    case .disconnected(duringCommit: false): "the connection to PostgreSQL ended"
    case .disconnected(duringCommit: true):
      "the connection to PostgreSQL ended during a commit, and what became of it is not known"
    case .refused(let refusal): "PostgreSQL says \(refusal.state): \(refusal.message)"
    case .noTransaction: "the transaction has been rolled back"
    case .misuse(let what): what
    }
  }
}
