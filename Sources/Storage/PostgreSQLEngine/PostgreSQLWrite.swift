import PostgreSQL

/// Runs one transaction that writes, however often others win against it and connections end.
struct PostgreSQLWrite {
  let slot: SessionPool.Slot
  /// What the program knows.
  let schema: KnownSchema
  /// The most attempts of a transaction that loses against others.
  let attempts: Int
  /// The most connections that are tried.
  let connections: Int
  /// Waits before attempt `n`, counted from 2.
  let wait: (_ attempt: Int) -> Void
  /// The next transaction of the writer.
  let next: () -> WrittenTransaction

  /// The most attempts of a transaction that wanted a key which is there, or lacked one which is not. Another one may have
  /// written or removed it at once; or it is refused for good.
  private static let attemptsToInsert = 6
  /// After how many losses a transaction runs while no other one writes.
  static let lossesBeforeTurn = 3
  /// How long a server is looked for that knows what became of a commit. One that takes over needs some seconds.
  private static let patience = Duration.seconds(30)

  /// - Parameter body: The transaction. It changes nothing but rows.
  /// - Returns: What `body` returned, and whether rows were written.
  func run<Value>(_ body: (Database) throws -> Value) throws -> (value: Value, didWrite: Bool) {
    var (losses, endings) = (1, 1)
    while true {
      let transaction = next()
      // What a commit stores whose answer is lost.
      var written: (value: Value, didWrite: Bool)?
      do {
        let session = try slot.live()
        let lock = Self.lock(alone: losses > Self.lossesBeforeTurn)
        try session.connection.transaction(.serializable, lock: lock, check: schema.expect) { connection in
          let value = try body(Database(session))
          try session.searchIndex.fill(in: session)
          written = (value, try transaction.note(in: connection))
        }
        return written!
      } catch let error as PostgreSQLError {
        if let written, error == .disconnected(duringCommit: true) {
          // One that wrote nothing needs no commit.
          if try !written.didWrite || isCommitted(transaction, error) { return written }
        }
        if error.isWorthRepeating ? losses < attempts : error.isKeyViolation && losses < Self.attemptsToInsert {
          losses += 1
          wait(losses)
        } else if error.isLostConnection, !error.isNoConnection, endings < connections {
          endings += 1
          slot.drop()
          wait(endings)
        } else {
          throw error
        }
      }
    }
  }

  /// Without a turn of its own, a long transaction among short ones could lose as often as it runs. Correctness does not
  /// rest on it, but for a migration, which has the lock alone: a transaction ends before it, or knows of it.
  /// https://www.postgresql.org/docs/15/explicit-locking.html
  static func lock(alone: Bool = false) -> String {
    "LOCK TABLE turn IN \(alone ? "EXCLUSIVE" : "ROW SHARE") MODE; \(KnownSchema.versionOfServer)"
  }

  /// Whether the transaction was committed although its connection ended meanwhile.
  ///
  /// - Throws: `unanswered` if no server says so in time.
  private func isCommitted(_ transaction: WrittenTransaction, _ unanswered: PostgreSQLError) throws -> Bool {
    let end = ContinuousClock.now + Self.patience
    var attempt = 1
    repeat {
      slot.drop()
      attempt += 1
      wait(attempt)
      if let isCommitted = try? transaction.isCommitted(slot.live().connection) { return isCommitted }
    } while ContinuousClock.now < end
    throw unanswered
  }
}
