import PostgreSQL
import Synchronization

/// The connections to a library in PostgreSQL. A connection that ended is replaced at its next use.
///
/// Whatever writes is one SERIALIZABLE transaction: what a transaction of the store reads decides what it writes, and was
/// thought out for one writer at a time. So it is repeated if it lost against another one, at last while no other one writes.
final class PostgreSQLConnections: StoreConnections {
  private let info: String
  private let schema: KnownSchema
  private let isForReading: Bool
  private let wait: @Sendable (_ attempt: Int) -> Void
  private let writers: SessionPool
  private let readers: SessionPool
  private let listeners = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])
  private let bell: Bell
  private let commits = Atomic(0)
  /// Tells the transactions of these connections from those of all others.
  private let writer = Int64.random(in: .min ... .max)
  private let transactions = Atomic<Int64>(0)

  /// The most attempts of a transaction that loses against others.
  private static let attempts = 20
  /// The most connections that are tried for one transaction.
  private static let connections = 4
  /// After how many commits what triggers noted is summed up.
  private static let sweepInterval = 50

  /// - Parameters:
  ///   - info: The connection string.
  ///   - schema: The newest schema that the program knows.
  ///   - isForReading: Whether nothing is written.
  ///   - wait: Waits before attempt `n`, counted from 2. Two that lose against each other must not wait equally long.
  init(
    _ info: String, _ schema: KnownSchema, isForReading: Bool, wait: @escaping @Sendable (_ attempt: Int) -> Void
  ) {
    (self.info, self.schema, self.isForReading, self.wait) = (info, schema, isForReading, wait)
    writers = SessionPool(1) { try Self.session(info, writes: true, wait) }
    readers = SessionPool(3) { try Self.session(info, writes: false, wait) }
    bell = Bell { try PostgreSQLSession(info).connection }
  }

  private static func session(
    _ info: String, writes: Bool, _ wait: (_ attempt: Int) -> Void
  ) throws -> PostgreSQLSession {
    let session = try PostgreSQLSession.connected(info, wait: wait)
    if writes { try session.connection.execute(writing) }
    return session
  }

  /// A scan of a whole table, or of an index from end to end, conflicts with each of its writers. Two lists are joined by
  /// one, and by plans that are made while a table is small. A machine that sleeps or vanishes within a transaction holds
  /// rows that the others wait for, so the server ends such a connection. The search index is kept by `SearchIndex`.
  private static let writing = """
    SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
    SET idle_in_transaction_session_timeout = '20s'; SET media.indexes = on
    """

  let engine = Engine.postgresql
  var isReadOnly: Bool { isForReading }
  var file: String? { nil }
  var currentPath: String? { nil }
  var folder: String? { nil }

  // MARK: Reading

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try readers.use { slot in try reconnecting(slot) { try Self.read(by: slot, body) } }
  }

  func stream<Value>(_ body: (Database) throws -> Value) throws -> Value {
    var hasBegun = false
    return try readers.use { slot in
      try reconnecting(slot, unless: { hasBegun }) {
        try Self.read(by: slot) { db in
          hasBegun = true
          return try body(db)
        }
      }
    }
  }

  func readOnce<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try readers.use { slot in try reconnecting(slot) { try body(Database(slot.live())) } }
  }

  /// Runs what may run again, by other connections if one ends.
  ///
  /// - Parameter isOver: Whether it may not run again any more.
  private func reconnecting<Value>(
    _ slot: SessionPool.Slot, unless isOver: () -> Bool = { false }, _ body: () throws -> Value
  ) throws -> Value {
    for attempt in 2...Self.connections {
      do { return try body() } catch let error as PostgreSQLError where error.isLostConnection && !error.isNoConnection
      {
        guard !isOver() else { throw error }
        slot.drop()
        wait(attempt)
      } catch let error as PostgreSQLError where StorageError.isOfForeign(error) {
        // A newer program may have migrated the library since it was opened.
        try schema.expect(slot.live().connection)
        throw error
      }
    }
    return try body()
  }

  private static func read<Value>(by slot: SessionPool.Slot, _ body: (Database) throws -> Value) throws -> Value {
    let session = try slot.live()
    return try session.connection.transaction(.snapshot) { _ in try body(Database(session)) }
  }

  func audit<Value>(_ body: (Database) throws -> Value) throws -> Value { try read(body) }

  func watched() throws -> any WatchedLibrary {
    try WatchedServer { [info] in try PostgreSQLSession(info) }
  }

  // MARK: Writing

  func write<Value>(durably: Bool, _ body: (Database) throws -> Value) throws -> Value {
    let (value, didWrite) = try writers.use { slot in
      try PostgreSQLWrite(
        slot: slot, schema: schema, attempts: Self.attempts, connections: Self.connections, wait: wait
      ) { [self] in
        WrittenTransaction(writer: writer, number: transactions.add(1, ordering: .relaxed).newValue)
      }.run(body)
    }
    if didWrite {
      for notify in listeners.withLock({ Array($0.values) }) { notify() }
      bell.ring()
      if commits.add(1, ordering: .relaxed).newValue % Self.sweepInterval == 0 { sweep() }
    }
    return value
  }

  func writeOnce<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try writers.use { slot in try reconnecting(slot) { try body(Database(slot.live())) } }
  }

  /// Sums up what triggers noted, and forgets writers of yesterday. If that fails, a later one does it.
  private func sweep() {
    try? writers.use { slot in
      let session = try slot.live()
      try session.connection.run("SELECT sweep()")
      try session.connection.run("DELETE FROM writer WHERE written_at < clock_timestamp() - interval '1 day'")
      // What other programs wrote.
      try session.connection.transaction(.readCommitted, lock: PostgreSQLWrite.lock(), check: schema.expect) { _ in
        try session.searchIndex.fillRest(in: session)
      }
    }
  }

  func trial<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try writers.use { slot in
      for attempt in 2...Self.attempts {
        do { return try reconnecting(slot) { try Self.trial(by: slot, body) } } catch let error as PostgreSQLError
          where error.isWorthRepeating
        { wait(attempt) }
      }
      return try reconnecting(slot) { try Self.trial(by: slot, body) }
    }
  }

  private static func trial<Value>(by slot: SessionPool.Slot, _ body: (Database) throws -> Value) throws -> Value {
    let session = try slot.live()
    var value: Value?
    do {
      try session.connection.transaction(.serializable) { _ in
        value = try body(Database(session))
        throw TrialEnd()
      }
    } catch is TrialEnd {}
    guard let value else { throw Contradiction("a trial had no result") }
    return value
  }

  /// Ends a transaction that is only tried.
  private struct TrialEnd: Error {}

  func use<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try writers.use { slot in try body(Database(slot.live())) }
  }

  func close() {
    bell.stop()
    readers.close()
    writers.close()
  }

  func addListener(_ listener: AnyObject, _ notify: @escaping @Sendable () -> Void) {
    listeners.withLock { $0[ObjectIdentifier(listener)] = notify }
  }

  func removeListener(_ listener: AnyObject) {
    listeners.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(listener)) }
  }
}
