import CPostgreSQL

extension PostgreSQLConnection {
  /// What a transaction sees of others. https://www.postgresql.org/docs/15/transaction-iso.html
  package enum Isolation: String {
    /// Each statement sees what was committed before it.
    case readCommitted = "BEGIN ISOLATION LEVEL READ COMMITTED"
    /// All statements see what was committed before the first.
    case repeatableRead = "BEGIN ISOLATION LEVEL REPEATABLE READ"
    /// As if transactions ran one after another.
    case serializable = "BEGIN ISOLATION LEVEL SERIALIZABLE"
    /// A snapshot, in which nothing can be written.
    case snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
  }

  /// Runs one transaction. If `body` or the commit throws, nothing is changed; only for
  /// `PostgreSQLError.disconnected(duringCommit: true)` it is not known.
  ///
  /// - Parameters:
  ///   - isolation: What it sees of others.
  ///   - lock: A statement that takes a lock, and others behind it. The snapshot of the transaction is taken when the lock is
  ///     there.
  ///   - check: Receives the first value that the last of them answers with, as text. If it throws, nothing else is done.
  package func transaction<Value>(
    _ isolation: Isolation, lock: String? = nil, check: (_ answer: String?) throws -> Void = { _ in },
    _ body: (PostgreSQLConnection) throws -> Value
  ) throws -> Value {
    guard !requiresTransaction else { throw PostgreSQLError.misuse("a transaction is open") }
    if isOpen, !isInTransaction { try limitStatements() }
    do {
      // One command, and so one answer to wait for.
      let answer = try begin(isolation, lock)
      requiresTransaction = true
      try check(answer.firstText)
      let value = try body(self)
      try checkState()
      requiresTransaction = false
      try commit()
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  /// Takes back what followed a savepoint, and forgets the savepoint. The transaction can go on after a failed statement.
  package func rollBack(to savepoint: String) throws(PostgreSQLError) {
    guard isOpen else { throw .misuse("the connection is closed") }
    _ = try answer(driver.call.exec(handle, "ROLLBACK TO \(savepoint); RELEASE \(savepoint)"))
  }

  private func begin(_ isolation: Isolation, _ lock: String?) throws(PostgreSQLError) -> Answer {
    do throws(PostgreSQLError) { return try ask(isolation.rawValue + (lock.map { "; \($0)" } ?? "")) } catch {
      // A standby has no serializable transactions (feature_not_supported). It is one that takes no writes.
      guard isolation == .serializable, case .refused(let refusal) = error, refusal.state == "0A000" else {
        throw error
      }
      throw .refused(PostgreSQLError.Refusal(state: "25006", message: refusal.message))
    }
  }

  private func commit() throws(PostgreSQLError) {
    do throws(PostgreSQLError) {
      // The server answers ROLLBACK, without an error, if a statement has failed.
      guard try ask("COMMIT").command == "COMMIT" else { throw .noTransaction }
    } catch {
      // A server that is told to stop says so although it may have committed: a standby had not confirmed it yet.
      if error.isLostConnection { throw .disconnected(duringCommit: true) }
      throw error
    }
  }

  private func rollBack() {
    requiresTransaction = false
    guard isInTransaction else { return }
    _ = try? ask("ROLLBACK")
  }

  /// Runs a command of transactions, which is not worth preparing.
  private func ask(_ command: String) throws(PostgreSQLError) -> Answer {
    try checkState()
    return try answer(driver.call.exec(handle, command))
  }
}

/// Runs a transaction again that lost against another one.
///
/// - Parameters:
///   - attempts: The most attempts, at least 1.
///   - wait: Waits before attempt `n`, counted from 2.
///   - body: The transaction. It must have no effect outside the server.
/// - Throws: What the last attempt throws, or an error that another attempt would not change.
package func repeating<Value>(
  attempts: Int, wait: (_ attempt: Int) throws -> Void, _ body: () throws -> Value
) throws -> Value {
  for attempt in 1..<max(attempts, 1) {
    do { return try body() } catch let error as PostgreSQLError where error.isWorthRepeating {
      try wait(attempt + 1)
    }
  }
  return try body()
}
