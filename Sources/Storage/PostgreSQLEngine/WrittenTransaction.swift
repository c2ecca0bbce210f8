import PostgreSQL

/// A transaction that writes and whose commit may go unanswered. It writes its number into its writer's row, which is
/// committed and replicated with whatever else it wrote, and so tells what became of it on any server.
struct WrittenTransaction: Hashable {
  /// The writer: connections that write one transaction after another.
  let writer: Int64
  /// Its number among the writer's, rising.
  let number: Int64

  /// Writes the number, as the last statement of the transaction.
  ///
  /// - Parameter connection: Inside the transaction.
  /// - Returns: Whether the transaction has written anything. If not, this writes nothing either.
  func note(in connection: PostgreSQLConnection) throws -> Bool {
    try connection.run(
      """
      INSERT INTO media.writer (id, number)
      SELECT CAST($1 AS bigint), CAST($2 AS bigint) WHERE pg_current_xact_id_if_assigned() IS NOT NULL
      ON CONFLICT (id) DO UPDATE SET number = excluded.number, written_at = excluded.written_at
      """, [writer, number]) > 0
  }

  /// Whether it was committed. The answer is final: if the transaction is still under way on this server, it holds the row,
  /// and this waits for its end. A server that took over has all transactions that it ever will have of the other one.
  ///
  /// - Parameter connection: Another connection to a server that takes writes, outside of transactions.
  /// - Throws: `PostgreSQLError` if it is not known yet.
  func isCommitted(_ connection: PostgreSQLConnection) throws -> Bool {
    var last: Int64?
    do {
      try connection.transaction(.readCommitted) { connection in
        try connection.execute("SET LOCAL lock_timeout = '10s'")
        last = try connection.value(
          """
          INSERT INTO media.writer AS w (id, number) VALUES ($1, $2)
          ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at RETURNING w.number
          """, [writer, number - 1])
        throw Enough()
      }
    } catch is Enough {}
    return last == number
  }

  /// Ends a transaction that only looks. A commit would wait for the standby, which may be what is missing.
  private struct Enough: Error {}
}
