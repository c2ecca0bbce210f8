import CSQLite

/// A connection to a store, for one thread at a time. A thin wrapper of SQLite: statements stay compiled while the
/// connection is open, errors are thrown, and a transaction that fails changes nothing.
package final class Connection {
  /// How a file is opened.
  package enum Access {
    /// Creates a missing file.
    case writing
    case reading
    /// As a file that nobody changes, without a lock or a file beside it. https://sqlite.org/uri.html#uriimmutable
    case unchanging
  }

  private let handle: OpaquePointer
  private var statements: [StatementText: Statement] = [:]
  /// Statements that run while the same text runs further up.
  private var nested: [Statement] = []
  package private(set) var isOpen = true
  /// The number of committed transactions that changed rows.
  package private(set) var changingCommits = 0
  /// Whether statements must run inside a transaction.
  private var requiresTransaction = false

  /// Opens a file, or creates a store in memory if `path` is nil. `patience` is how long to wait for another process's
  /// lock, in seconds.
  package init(_ path: String?, _ access: Access = .writing, patience: Int32 = 30) throws {
    var opened: OpaquePointer?
    var flags =
      switch access {
      case .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .reading: SQLITE_OPEN_READONLY
      case .unchanging: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      }
    // The caller ensures that one thread at a time uses it.
    flags |= SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path ?? ":memory:", &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = opened == nil ? SQLiteError(code) : SQLiteError(last: opened)
      sqlite3_close(opened)
      throw error
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, patience * 1000)
    sqlite_shim_enforce_foreign_keys(handle)
    sqlite_shim_disable_double_quoted_strings(handle)
    try execute("PRAGMA temp_store = MEMORY")
  }

  deinit { close() }

  /// Finalizes its statements and closes it. A statement that is being stepped through throws at its next step. Closing
  /// again does nothing.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    for statement in statements.values + nested { statement.finalize() }
    statements = [:]
    sqlite3_close_v2(handle)
  }

  /// The number of the last inserted row.
  package var lastInsertedRowID: Int64 { isOpen ? sqlite3_last_insert_rowid(handle) : 0 }
  /// How many rows the last statement changed, without the changes of triggers.
  package var changesCount: Int { isOpen ? Int(sqlite3_changes(handle)) : 0 }
  /// How many rows were changed since the connection was opened.
  package var totalChangesCount: Int { isOpen ? Int(sqlite3_total_changes(handle)) : 0 }
  /// Whether a transaction is open.
  package var isInTransaction: Bool { isOpen && sqlite3_get_autocommit(handle) == 0 }

  /// Gives the connection's handle to functions of SQLite.
  package func withHandle<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value {
    guard isOpen else { throw SQLiteError.closed }
    return try body(handle)
  }

  // MARK: Statements

  /// Runs several statements, which take no arguments and are not kept compiled.
  package func execute(_ script: String) throws {
    try checkState()
    guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else { throw error }
  }

  /// Gives a compiled statement to `body`, for its duration.
  func withStatement<Value>(_ sql: String, _ body: (Statement) throws -> Value) throws -> Value {
    try checkState()
    let text = StatementText(sql: sql)
    if let statement = statements[text] {
      guard !statement.isBusy else {
        // A caller further up is stepping through the same statement.
        let another = Statement(try compiled(sql, isKept: false))
        nested.append(another)
        defer { nested.removeLast().finalize() }
        return try body(another)
      }
      defer { statement.reset() }
      return try body(statement)
    }
    let statement = Statement(try compiled(sql, isKept: true))
    statements[text] = statement
    defer { statement.reset() }
    return try body(statement)
  }

  private func checkState() throws {
    guard isOpen else { throw SQLiteError.closed }
    // After such a failure, single statements would each be committed. A caller that ignores the failure must not run
    // them.
    guard !requiresTransaction || isInTransaction else {
      throw SQLiteError(SQLITE_ABORT, "the transaction has been taken back")
    }
  }

  private func compiled(_ sql: String, isKept: Bool) throws -> OpaquePointer {
    var sql = sql
    var statement: OpaquePointer?
    let (code, hasMore) = sql.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        let flags = UInt32(isKept ? SQLITE_PREPARE_PERSISTENT : 0)
        var end: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(handle, text.baseAddress, CInt(text.count), flags, &statement, &end)
        let rest = end.map { text.baseAddress?.distance(to: $0) ?? 0 } ?? 0
        return (code, text.dropFirst(rest).contains { $0 > 0x20 || $0 < 0 })
      }
    }
    guard code == SQLITE_OK else { throw error }
    guard let statement, !hasMore else {
      sqlite3_finalize(statement)
      throw SQLiteError(SQLITE_MISUSE, hasMore ? "more than one statement" : "no statement")
    }
    return statement
  }

  /// The last error of SQLite.
  private var error: SQLiteError { SQLiteError(last: handle) }

  // MARK: Transactions

  /// When a transaction takes its lock. https://sqlite.org/lang_transaction.html
  package enum Transaction: String {
    /// With its first statement; only for reading if that reads.
    case deferred = "BEGIN DEFERRED"
    /// At once, for writing.
    case immediate = "BEGIN IMMEDIATE"
  }

  /// Runs one transaction. If `body` or the commit throws, nothing is changed.
  package func transaction<Value>(_ kind: Transaction, _ body: (Connection) throws -> Value) throws -> Value {
    try run(kind.rawValue)
    requiresTransaction = true
    let before = totalChangesCount
    do {
      let value = try body(self)
      try run("COMMIT")
      requiresTransaction = false
      if totalChangesCount != before { changingCommits += 1 }
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs one transaction and rolls it back.
  package func trial<Value>(_ kind: Transaction, _ body: (Connection) throws -> Value) throws -> Value {
    try run(kind.rawValue)
    requiresTransaction = true
    defer { rollBack() }
    return try body(self)
  }

  /// Runs a transaction that reads a snapshot, and throws if it wrote. The pragma `query_only` would recompile every
  /// statement, before and after.
  package func reading<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    let before = totalChangesCount
    return try trial(.deferred) { db in
      let value = try body(db)
      guard totalChangesCount == before else { throw SQLiteError(SQLITE_READONLY, "a reader wanted to write") }
      return value
    }
  }

  /// Some failures end a transaction by themselves: a full disk, a lost file.
  private func rollBack() {
    requiresTransaction = false
    guard isInTransaction else { return }
    try? run("ROLLBACK")
  }

  /// Copies commits from the write-ahead log into the store's file, as far as no reader needs the old state.
  /// https://sqlite.org/c3ref/wal_checkpoint_v2.html
  package func checkpoint(_ kind: CInt = SQLITE_CHECKPOINT_PASSIVE) throws {
    guard isOpen else { throw SQLiteError.closed }
    guard sqlite3_wal_checkpoint_v2(handle, nil, kind, nil, nil) == SQLITE_OK else { throw error }
  }
}

/// A statement's text as a key. Hashing all of it takes longer than looking up a small row; few texts have the same
/// length.
private struct StatementText: Hashable {
  let sql: String

  func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
}
