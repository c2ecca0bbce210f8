import CPostgreSQL
import Glibc

/// A connection to a PostgreSQL server, for one thread at a time. A thin wrapper of libpq: statements stay prepared while
/// the connection is open, errors are thrown, and a transaction that fails changes nothing.
package final class PostgreSQLConnection {
  let driver: Driver
  let handle: OpaquePointer
  package private(set) var isOpen = true
  /// The names of prepared statements, by their text.
  var statements: [String: String] = [:]
  var statementCount = 0
  /// Whether the server has prepared statements whose names are forgotten here.
  var hasUnknownStatements = false
  /// Whether statements must run inside a transaction.
  var requiresTransaction = false

  /// After half a minute without a sign of it, a server counts as gone. The system's own limits are 15 minutes while
  /// something is sent, and two hours while an answer is awaited.
  private static let vanished = [
    ("keepalives_idle", "15"), ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "30000"),
  ]

  /// When so many statements are prepared, all are forgotten before the next transaction.
  static let maximumStatements = 500

  /// Connects to the first server of the string that accepts it.
  ///
  /// Whatever the string leaves open comes from where libpq looks for it: `PGPASSFILE`, `pg_service.conf`, `PGHOST`.
  /// https://www.postgresql.org/docs/15/libpq-connect.html
  ///
  /// - Parameter info: A URI or pairs of keyword and value.
  /// - Throws: `PostgreSQLError`.
  package init(_ info: String) throws(PostgreSQLError) {
    driver = try Driver.load()
    let call = driver.call
    try Self.check(info, call)
    // What comes before `dbname` is a default, and what comes after it cannot be overridden.
    let settings =
      [("application_name", "media"), ("connect_timeout", "10")] + Self.vanished
      + [("dbname", info), ("client_encoding", "UTF8")]
    let opened = Self.withCStrings(settings.map(\.0)) { keywords in
      Self.withCStrings(settings.map(\.1)) { values in call.connectdbParams(keywords, values, 1) }
    }
    guard let opened else { throw .noConnection(reason: "out of memory") }
    guard call.status(opened) == CONNECTION_OK else {
      let failure = Self.failure(of: opened, settings, driver)
      call.finish(opened)
      throw failure
    }
    handle = opened
    pq_shim_silence(driver.shim, handle)
  }

  deinit { close() }

  /// Ends the connection. Closing again does nothing.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    driver.call.finish(handle)
  }

  /// The server's version: 150020 is 15.20.
  package var serverVersion: Int { isOpen ? Int(driver.call.serverVersion(handle)) : 0 }

  /// The number of the server's process as it was told at the login. A pooler tells one of its own.
  package var toldProcess: Int { isOpen ? Int(driver.call.backendPID(handle)) : 0 }

  /// Whether a transaction is open, even if a statement of it failed.
  package var isInTransaction: Bool {
    isOpen && [PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE].contains(driver.call.transactionStatus(handle))
  }

  /// Whether the connection has not ended, as far as the system knows by now. A server that went away since the last use is
  /// noticed, unless it vanished without a word.
  package var isAlive: Bool {
    guard isOpen, driver.call.status(handle) == CONNECTION_OK else { return false }
    var socket = pollfd(fd: driver.call.socket(handle), events: Int16(POLLIN), revents: 0)
    // What an idle connection receives is a notice, a notification, or its end.
    while poll(&socket, 1, 0) > 0 {
      guard driver.call.consumeInput(handle) == 1 else { return false }
    }
    return driver.call.status(handle) == CONNECTION_OK
  }

  /// Parses the string before libpq does, whose message would repeat parts of it.
  private static func check(_ info: String, _ call: PQShim) throws(PostgreSQLError) {
    var message: UnsafeMutablePointer<CChar>?
    let options = call.conninfoParse(info, &message)
    call.freemem(message)
    guard let options else { throw .badConnectionString }
    call.conninfoFree(options)
  }

  static func withCStrings<Value>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
  ) -> Value {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { body($0.baseAddress!) }
  }

  /// The first line of a message.
  static func line(_ text: UnsafePointer<CChar>?) -> String {
    let text = text.map { String(cString: $0) } ?? ""
    return text.split(separator: "\n").first.map(String.init) ?? "no reason was given"
  }
}
