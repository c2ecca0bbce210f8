import CSQLite

/// A connection to a store, for one thread at a time. A thin door to SQLite: every statement stays compiled for as long as
/// the connection is open, errors are thrown, and a transaction that fails leaves nothing.
final class Database {
  /// How a file is opened.
  enum Access {
    /// A file that does not exist is made.
    case writing
    case reading
    /// As one that nobody changes: neither a lock nor a file beside it is wanted. https://sqlite.org/uri.html#uriimmutable
    case unchanging
  }

  private let handle: OpaquePointer
  private var statements: [StatementText: OpaquePointer] = [:]
  private(set) var isOpen = true
  /// How many transactions that changed rows were committed.
  private(set) var changingCommits = 0
  /// What rows held that they must not: thrown before the next statement, and before a transaction ends.
  let mismatch = ColumnMismatch()
  /// Whether what is run belongs to a transaction, and must not be done by itself.
  private var isBound = false

  /// Opens a file, or a new store in memory where none is named; `patience` is how long another process's lock is waited
  /// for, in seconds.
  init(_ path: String?, _ access: Access = .writing, patience: Int32 = 30) throws {
    var opened: OpaquePointer?
    var flags =
      switch access {
      case .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .reading: SQLITE_OPEN_READONLY
      case .unchanging: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      }
    // Who uses it sees to it that nobody else does.
    flags |= SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path ?? ":memory:", &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = opened.map(DatabaseError.init(last:)) ?? DatabaseError(code)
      sqlite3_close(opened)
      throw error
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, patience * 1000)
    sqlite_door_check_references(handle)
    sqlite_door_refuse_quoted_texts(handle)
    try execute("PRAGMA temp_store = MEMORY")
  }

  deinit { close() }

  /// Forgets its statements and closes it, never from inside one; to close it again does nothing.
  func close() {
    guard isOpen else { return }
    precondition(statements.values.allSatisfy { sqlite3_stmt_busy($0) == 0 }, "closed inside a statement")
    isOpen = false
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    sqlite3_close_v2(handle)
  }

  /// The number of the row that was inserted last.
  var lastInsertedRowID: Int64 { isOpen ? sqlite3_last_insert_rowid(handle) : 0 }
  /// How many rows the last statement changed, without those that triggers did.
  var changesCount: Int { isOpen ? Int(sqlite3_changes(handle)) : 0 }
  /// How many rows were changed since it was opened.
  var totalChangesCount: Int { isOpen ? Int(sqlite3_total_changes(handle)) : 0 }
  /// Whether a transaction is open.
  var isInTransaction: Bool { isOpen && sqlite3_get_autocommit(handle) == 0 }

  /// What SQLite's own functions want.
  func withHandle<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value {
    guard isOpen else { throw DatabaseError.closed }
    return try body(handle)
  }

  // MARK: Statements

  /// Runs statements one after another, which take no arguments and are not kept.
  func execute(_ script: String) throws {
    try checkState()
    guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else { throw error }
  }

  /// A compiled statement, given to the body alone.
  func withStatement<Value>(_ sql: String, _ body: (OpaquePointer) throws -> Value) throws -> Value {
    try checkState()
    let text = StatementText(sql: sql)
    if let statement = statements[text] {
      guard sqlite3_stmt_busy(statement) == 0 else {
        // The same one is being stepped through further up.
        let another = try compiled(sql, isKept: false)
        defer { sqlite3_finalize(another) }
        return try body(another)
      }
      defer { sqlite3_reset(statement) }
      return try body(statement)
    }
    let statement = try compiled(sql, isKept: true)
    statements[text] = statement
    defer { sqlite3_reset(statement) }
    return try body(statement)
  }

  private func checkState() throws {
    guard isOpen else { throw DatabaseError.closed }
    // Whoever takes no notice of such a failure must not go on by single statements, each of which would stay.
    guard !isBound || isInTransaction else { throw DatabaseError(SQLITE_ABORT, "the transaction has been taken back") }
    try mismatch.check()
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
      throw DatabaseError(SQLITE_MISUSE, hasMore ? "more than one statement" : "no statement")
    }
    return statement
  }

  /// Goes on to the next row; false where there is none.
  func step(_ statement: OpaquePointer) throws -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    default: throw error
    }
  }

  /// SQLite's word on what failed last.
  private var error: DatabaseError { DatabaseError(last: handle) }

  // MARK: Transactions

  /// When a transaction takes its lock. https://sqlite.org/lang_transaction.html
  enum Transaction: String {
    /// With its first statement, and for reading alone where that reads.
    case deferred = "BEGIN DEFERRED"
    /// At once, and for writing.
    case immediate = "BEGIN IMMEDIATE"
  }

  /// One transaction: what it did stays, or where it fails nothing of it.
  func transaction<Value>(_ kind: Transaction, _ body: (Database) throws -> Value) throws -> Value {
    try run(kind.rawValue)
    isBound = true
    let before = totalChangesCount
    do {
      let value = try honest(body)
      try run("COMMIT")
      isBound = false
      if totalChangesCount != before { changingCommits += 1 }
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  /// One transaction of which nothing stays.
  func trial<Value>(_ kind: Transaction, _ body: (Database) throws -> Value) throws -> Value {
    try run(kind.rawValue)
    isBound = true
    defer { rollBack() }
    return try honest(body)
  }

  /// What was done with a substitute may fail in its turn, and would be told in its place.
  private func honest<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      let value = try body(self)
      try mismatch.check()
      return value
    } catch {
      throw mismatch.take() ?? error
    }
  }

  /// One that reads what is there now, and fails where it wrote something. Telling SQLite that nothing may be written, by
  /// `query_only`, would have it compile every statement anew, before and after.
  func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let before = totalChangesCount
    return try trial(.deferred) { db in
      let value = try body(db)
      guard totalChangesCount == before else { throw DatabaseError(SQLITE_READONLY, "a reader wanted to write") }
      return value
    }
  }

  /// Some failures end a transaction by themselves: a full disk, a lost file.
  private func rollBack() {
    isBound = false
    guard isInTransaction else { return }
    try? run("ROLLBACK")
  }

  /// Brings what was committed into the store's file, as far as nobody reads what was there before.
  /// https://sqlite.org/c3ref/wal_checkpoint_v2.html
  func checkpoint(_ kind: CInt = SQLITE_CHECKPOINT_PASSIVE) throws {
    guard isOpen else { throw DatabaseError.closed }
    guard sqlite3_wal_checkpoint_v2(handle, nil, kind, nil, nil) == SQLITE_OK else { throw error }
  }
}

/// A statement's text, as a key. To hash all of it takes longer than to look a small row up; few are of one length.
private struct StatementText: Hashable {
  let sql: String

  func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
}

extension DatabaseError {
  /// What failed last on a connection.
  fileprivate init(last handle: OpaquePointer) {
    self.init(
      sqlite3_extended_errcode(handle), String(cString: sqlite3_errmsg(handle)),
      systemCode: sqlite3_system_errno(handle))
  }
}
