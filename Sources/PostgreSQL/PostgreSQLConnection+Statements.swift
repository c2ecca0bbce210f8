import CPostgreSQL
import Rows

extension PostgreSQLConnection {
  /// Runs several statements, which take no arguments and stay unprepared.
  package func execute(_ script: String) throws(PostgreSQLError) {
    try checkState()
    _ = try answer(driver.call.exec(handle, script))
  }

  /// The number of the server's process that runs statements now. Nothing is prepared for it.
  ///
  /// - Parameter script: What runs before.
  package func process(after script: String = "") throws(PostgreSQLError) -> Int {
    try checkState()
    return try answer(driver.call.exec(handle, "\(script)SELECT pg_backend_pid()")).firstText.flatMap { Int($0) } ?? 0
  }

  /// Runs a statement with arguments, prepared.
  func ask(_ sql: String, _ arguments: Arguments) throws(PostgreSQLError) -> Answer {
    try checkState()
    do throws(PostgreSQLError) { return try askOnce(sql, arguments) } catch {
      // A migration changed what the statement returns, or the server has forgotten it. Inside a transaction nothing can
      // be repeated: it has failed.
      guard ["0A000", "26000"].contains(error.state), statements.removeValue(forKey: sql) != nil, !isInTransaction
      else { throw error }
      return try askOnce(sql, arguments)
    }
  }

  private func askOnce(_ sql: String, _ arguments: Arguments) throws(PostgreSQLError) -> Answer {
    let name = try prepared(sql)
    let parameters = Parameters(arguments)
    return try answer(
      parameters.withLists { values, lengths, formats in
        driver.call.execPrepared(handle, name, parameters.count, values, lengths, formats, 1)
      })
  }

  /// The name of a prepared statement.
  func prepared(_ sql: String) throws(PostgreSQLError) -> String {
    if let name = statements[sql] { return name }
    if !isInTransaction { try limitStatements() }
    statementCount += 1
    let name = "s\(statementCount)"
    _ = try answer(driver.call.prepare(handle, name, sql, 0, nil))
    statements[sql] = name
    return name
  }

  /// Makes the server forget what is prepared if it is too much, or if it has statements of which nothing is known here.
  /// That can be done outside of transactions alone: in one that has failed, the server forgets nothing.
  func limitStatements() throws(PostgreSQLError) {
    guard statements.count >= Self.maximumStatements || hasUnknownStatements else { return }
    _ = try answer(driver.call.exec(handle, "DEALLOCATE ALL"))
    (statements, hasUnknownStatements) = ([:], false)
  }

  func checkState() throws(PostgreSQLError) {
    guard isOpen else { throw .misuse("the connection is closed") }
    // After such a failure, single statements would each be committed. A caller that ignores the failure must not run
    // them.
    guard !requiresTransaction || driver.call.transactionStatus(handle) == PQTRANS_INTRANS else {
      throw driver.call.status(handle) == CONNECTION_OK ? .noTransaction : .disconnected(duringCommit: false)
    }
  }

  /// The answer, or the error that it is.
  func answer(_ result: OpaquePointer?) throws(PostgreSQLError) -> Answer {
    guard let result else { throw lost }
    let status = driver.call.resultStatus(result)
    if [PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_PIPELINE_SYNC].contains(status) {
      return Answer(result, driver)
    }
    defer { driver.call.clear(result) }
    if status == PGRES_PIPELINE_ABORTED { throw .noTransaction }
    let field = { (field: Int32) in self.driver.call.resultErrorField(result, field).map { String(cString: $0) } }
    guard driver.call.status(handle) == CONNECTION_OK, let state = field(Int32(pq_shim_field_state)) else {
      throw lost
    }
    throw .refused(
      .init(
        state: state, message: field(Int32(pq_shim_field_message)) ?? "",
        constraint: field(Int32(pq_shim_field_constraint))))
  }

  private var lost: PostgreSQLError {
    driver.call.status(handle) == CONNECTION_OK
      ? .misuse(Self.line(driver.call.errorMessage(handle))) : .disconnected(duringCommit: false)
  }
}
