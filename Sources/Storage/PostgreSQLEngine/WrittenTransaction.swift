import PostgreSQL

/// A transaction that has written and whose commit may go unanswered: by its number, the server can be asked what became of
/// it.
struct WrittenTransaction: Hashable {
  /// Its number.
  let number: Int64
  /// The life of the server that gave it the number.
  let server: String

  /// - Parameter connection: Inside the transaction.
  /// - Returns: nil if it has written nothing.
  init?(_ connection: Connection, server: () throws -> String) throws {
    guard let number: Int64 = try connection.value("SELECT pg_current_xact_id_if_assigned()") else { return nil }
    self.init(number: number, server: try server())
  }

  init(number: Int64, server: String) { (self.number, self.server) = (number, server) }

  /// Whether it was committed.
  ///
  /// A server that crashed, or another one that took its place, may have lost the transaction with its number, and has then
  /// given the number to another one. That this was committed says nothing.
  ///
  /// - Parameter connection: Another connection to the library.
  /// - Returns: nil if it is not known, or not yet.
  func isCommitted(_ connection: Connection) throws -> Bool? {
    let isSameServer = try Self.server(of: connection) == server
    let status: String?
    do {
      status = try connection.value(
        "SELECT pg_xact_status(CAST(CAST($1 AS text) AS xid8))", [String(number)])
    } catch let error as PostgreSQLError where error.state == Self.invalidParameter {
      // The number is in the future of a server that never saw it.
      return false
    }
    switch status {
    case "committed": return isSameServer ? true : nil
    case "aborted": return false
    // The number is another transaction's.
    case "in progress" where !isSameServer: return false
    default: return nil
    }
  }

  private static let invalidParameter = "22023"

  /// The life of a server: others are those of its successors, and its own before and after a restart or a crash. After a
  /// crash the server counts its statistics anew.
  static func server(of connection: Connection) throws -> String {
    try connection.value(
      """
      SELECT media.timeline() || ' ' || pg_postmaster_start_time()::text || ' ' || coalesce(stats_reset::text, '')
      FROM pg_stat_bgwriter
      """) ?? ""
  }
}
