import PostgreSQL

/// Finds out whether a pooler such as pgbouncer stands before a server and hands out the server's connections by the
/// transaction. What a session sets, prepares, listens to and keeps in temporary tables would then be another one's.
struct PoolerCheck {
  /// How often it is looked: other users of the pooler may be in between.
  private static let attempts = 5

  /// - Parameters:
  ///   - session: A session through whatever stands before the server.
  ///   - connect: Makes another one.
  static func sharesConnections(_ session: PostgreSQLSession, _ connect: () throws -> PostgreSQLSession) throws -> Bool
  {
    // A pooler invents the number that it tells a client.
    guard session.process != session.connection.toldProcess else { return false }
    let one = session.connection
    let other = try connect().connection
    defer { other.close() }
    for _ in 0..<attempts {
      let before = try one.process()
      // A pooler that hands out connections by the statement begins no transaction, and ends the connection.
      guard let taken = try processOfTransaction(other) else { return true }
      // A session that keeps its connection has the same one before, after, and alone.
      if try taken == before || one.process() != before { return true }
      try other.execute("COMMIT")
    }
    return false
  }

  /// The server's process within a transaction; nil if the connection ends at its beginning.
  private static func processOfTransaction(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Int? {
    do throws(PostgreSQLError) {
      try connection.execute("BEGIN")
      return try connection.process()
    } catch {
      if case .disconnected = error { return nil }
      throw error
    }
  }
}
