import PostgreSQL

/// Runs one transaction that writes, however often others win against it and connections end.
struct PostgreSQLWrite {
  let slot: SessionPool.Slot
  /// The most attempts of a transaction that loses against others.
  let attempts: Int
  /// The most connections that are tried.
  let connections: Int
  /// Waits before attempt `n`, counted from 2.
  let wait: (_ attempt: Int) -> Void

  /// The most attempts of a transaction that wanted a key which is there, or lacked one which is not. Another one may have
  /// written or removed it at once; or it is refused for good.
  private static let attemptsToInsert = 6
  /// After how many losses a transaction runs while no other one writes.
  static let lossesBeforeTurn = 3

  /// - Parameter body: The transaction. It changes nothing but rows.
  /// - Returns: What `body` returned, and whether rows were written.
  func run<Value>(_ body: (Database) throws -> Value) throws -> (Value, didWrite: Bool) {
    var (losses, endings) = (1, 1)
    while true {
      // What is known of a commit whose answer is lost.
      var written: (value: Value, transaction: WrittenTransaction?)?
      do {
        let session = try slot.live()
        try session.connection.transaction(.serializable, lock: Self.lock(alone: losses > Self.lossesBeforeTurn)) {
          connection in
          let value = try body(Database(session))
          try session.searchIndex.fill(in: connection)
          written = (value, try WrittenTransaction(connection) { try session.serverLife })
        }
        return (written!.value, written!.transaction != nil)
      } catch let error as PostgreSQLError {
        if let written, try isCommitted(written.transaction, error) {
          return (written.value, written.transaction != nil)
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
  /// rest on the lock. https://www.postgresql.org/docs/15/explicit-locking.html
  private static func lock(alone: Bool) -> String {
    "LOCK TABLE turn IN \(alone ? "EXCLUSIVE" : "ROW SHARE") MODE"
  }

  /// Whether the transaction was committed although its connection ended meanwhile. One that wrote nothing needs no
  /// commit.
  private func isCommitted(_ transaction: WrittenTransaction?, _ error: PostgreSQLError) throws -> Bool {
    guard error == .disconnected(duringCommit: true) else { return false }
    guard let transaction else { return true }
    for attempt in 2...max(connections, 2) {
      slot.drop()
      wait(attempt)
      guard let session = try? slot.live() else { continue }
      do {
        if let isCommitted = try transaction.isCommitted(session.connection) { return isCommitted }
      } catch let ending as PostgreSQLError where ending.isLostConnection {}
    }
    throw error
  }
}
