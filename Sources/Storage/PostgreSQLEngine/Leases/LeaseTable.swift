import PostgreSQL

/// The leases of a library in PostgreSQL. The time is the server's: the clocks of machines differ.
///
/// Each call is one statement that is right whatever others write meanwhile, so that it needs no transaction that may lose:
/// workers take and give back thousands a second. A taking whose answer is lost is a lease that ends by itself.
///
/// None waits for the disk or for a standby. A server that crashes may forget the leases of its last moment, and two workers
/// then do the same work: what they write is checked by the version of the pull.
struct LeaseTable {
  let connection: PostgreSQLConnection

  /// Part of a statement, which has the server answer before its commit is on the disk.
  /// https://www.postgresql.org/docs/15/wal-async-commit.html
  private static let unsynced = "(SELECT set_config('synchronous_commit', 'off', true)) unsynced"

  /// Takes the first of these leases that nobody holds, without waiting.
  ///
  /// - Parameters:
  ///   - names: What is wanted, the most wanted first.
  ///   - most: The most leases that are taken.
  ///   - holder: The machine and the process, for people.
  ///   - life: How long they last unless they are extended.
  func take(_ names: [String], most: Int, by holder: String, for life: Duration) throws -> [Lease] {
    let rows = try connection.rows(
      "SELECT name, fence FROM \(Self.unsynced), media.take_leases($1, $2, $3, $4)",
      [names.map(\.storable).jsonList, most, holder.storable, Self.milliseconds(life)])
    return try rows.map { Lease(name: try $0["name"], fence: try $0["fence"]) }
  }

  /// Extends a lease, even one that has ended if nobody took it since.
  ///
  /// - Returns: False if it is lost.
  func extend(_ lease: Lease, for life: Duration) throws -> Bool {
    try connection.run(
      """
      UPDATE media.lease SET until = clock_timestamp() + $3::bigint * interval '1 millisecond'
      FROM \(Self.unsynced) WHERE name = $1 AND fence = $2
      """, [lease.name, lease.fence, Self.milliseconds(life)]) == 1
  }

  /// Gives a lease back. One that is lost stays with its new holder.
  func release(_ lease: Lease) throws {
    try connection.run(
      "DELETE FROM media.lease USING \(Self.unsynced) WHERE name = $1 AND fence = $2", [lease.name, lease.fence])
  }

  /// Whether the lease is still that of its holder. Inside a transaction nobody can take it before the end: what the
  /// transaction writes is written under the lease.
  func confirm(_ lease: Lease) throws -> Bool {
    try connection.hasRow(
      "SELECT 1 FROM media.lease WHERE name = $1 AND fence = $2 FOR SHARE", [lease.name, lease.fence])
  }

  /// Who holds a lease; nil if nobody does.
  func holder(of name: String) throws -> LeaseHolder? {
    let rows = try connection.rows(
      """
      SELECT holder, extract(epoch FROM clock_timestamp() - taken_at)::bigint AS seconds
      FROM media.lease WHERE name = $1 AND until > clock_timestamp()
      """, [name.storable])
    return try rows.first.map { LeaseHolder(name: try $0["holder"], seconds: try $0["seconds"]) }
  }

  private static func milliseconds(_ life: Duration) -> Int { Int(life / .milliseconds(1)) }
}
