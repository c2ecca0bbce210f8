import CPostgreSQL
import Glibc
import Rows

/// Statements that are sent without waiting for each answer: a page of posts then waits for the network once.
/// https://www.postgresql.org/docs/15/libpq-pipeline-mode.html
package final class Pipeline {
  private let connection: PostgreSQLConnection
  private var sent = 0
  /// How many statements are sent before the server must answer: it may not run out of room for answers.
  private static let maximumSent = 500

  fileprivate init(_ connection: PostgreSQLConnection) { self.connection = connection }

  /// Sends a statement. Its failure is thrown later, by the pipeline's end at the latest.
  package func run(_ sql: String, _ arguments: Arguments = []) throws(PostgreSQLError) {
    let call = connection.driver.call
    let name = try prepared(sql)
    let parameters = Parameters(arguments)
    let isSent = parameters.withLists { values, lengths, formats in
      call.sendQueryPrepared(connection.handle, name, parameters.count, values, lengths, formats, 1) == 1
    }
    try expect(isSent)
    sent += 1
    try flush()
    if sent >= Self.maximumSent { try finish() }
  }

  /// Sends a statement to be prepared, unless it is.
  private func prepared(_ sql: String) throws(PostgreSQLError) -> String {
    if let name = connection.statements[sql] { return name }
    connection.statementCount += 1
    let name = "s\(connection.statementCount)"
    try expect(connection.driver.call.sendPrepare(connection.handle, name, sql, 0, nil) == 1)
    sent += 1
    connection.statements[sql] = name
    return name
  }

  /// Waits for all answers.
  ///
  /// - Throws: The first error among them.
  fileprivate func finish() throws(PostgreSQLError) {
    let call = connection.driver.call
    guard sent > 0 else { return }
    sent = 0
    try expect(call.pipelineSync(connection.handle) == 1)
    try flush()
    var failure: PostgreSQLError?
    while true {
      guard let result = call.getResult(connection.handle) else {
        // A null result ends one statement's answers, unless the connection has ended.
        if call.status(connection.handle) != CONNECTION_OK { throw .disconnected(duringCommit: false) }
        continue
      }
      if call.resultStatus(result) == PGRES_PIPELINE_SYNC {
        call.clear(result)
        break
      }
      do throws(PostgreSQLError) { _ = try connection.answer(result) } catch { failure = failure ?? error }
    }
    guard let failure else { return }
    // Statements after the failed one were not prepared.
    connection.statements = [:]
    connection.hasUnknownStatements = true
    throw failure
  }

  /// Sends what is buffered. It reads meanwhile: a server that cannot send its answers reads nothing more.
  private func flush() throws(PostgreSQLError) {
    let call = connection.driver.call
    while true {
      let state = call.flush(connection.handle)
      if state == 0 { return }
      try expect(state > 0)
      var socket = pollfd(fd: call.socket(connection.handle), events: Int16(POLLIN | POLLOUT), revents: 0)
      guard poll(&socket, 1, -1) >= 0 || errno == EINTR else { throw .disconnected(duringCommit: false) }
      if socket.revents & Int16(POLLIN) != 0 { try expect(call.consumeInput(connection.handle) == 1) }
    }
  }

  private func expect(_ isDone: Bool) throws(PostgreSQLError) {
    if !isDone { _ = try connection.answer(nil) }
  }
}

extension PostgreSQLConnection {
  /// Sends statements without waiting for each, inside a transaction.
  ///
  /// - Throws: The first error of a statement, and what `body` throws. The transaction has then failed.
  package func pipeline(_ body: (Pipeline) throws -> Void) throws {
    try checkState()
    guard requiresTransaction else { throw PostgreSQLError.misuse("a pipeline wants a transaction") }
    let call = driver.call
    guard call.setnonblocking(handle, 1) == 0, call.enterPipelineMode(handle) == 1 else {
      throw PostgreSQLError.misuse("the connection is busy")
    }
    let pipeline = Pipeline(self)
    defer {
      _ = call.exitPipelineMode(handle)
      _ = call.setnonblocking(handle, 0)
    }
    do { try body(pipeline) } catch {
      try? pipeline.finish()
      throw error
    }
    try pipeline.finish()
  }

  /// Waits for a notification of a channel that the connection listens to.
  ///
  /// - Parameter milliseconds: The longest wait.
  /// - Returns: Whether one came. All that came by then are taken as one: they only say that something changed.
  package func waitForNotification(milliseconds: Int32) throws(PostgreSQLError) -> Bool {
    try checkState()
    if takeNotifications() { return true }
    var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0 else { return false }
    let hasCome = takeNotifications()
    guard driver.call.status(handle) == CONNECTION_OK else { throw .disconnected(duringCommit: false) }
    return hasCome
  }

  /// The socket, from which something can be read when a notification comes, or when the connection ends; negative once it
  /// has ended.
  package var socket: Int32 { isOpen ? driver.call.socket(handle) : -1 }

  /// Whether notifications came since the last call. It does not wait.
  package func takeNotifications() -> Bool {
    guard isOpen else { return false }
    _ = driver.call.consumeInput(handle)
    var any = false
    while let notification = driver.call.notifies(handle) {
      driver.call.freemem(notification)
      any = true
    }
    return any
  }
}
