import FoundationEssentials
import Machine
import Rows

extension Store {
  /// What a server allows, as far as it is known; nil if the server never said.
  public func rateBudget(of key: RateKey) throws(StorageError) -> RateBudget? {
    try read { db in try Self.rateBudget(of: key, in: db) }
  }

  /// Changes a server's known limit in one transaction, which no other process can interleave. It writes only if
  /// something changed. It is not synced to the disk: after a power loss, the next answer states the limit again.
  ///
  /// - Parameters:
  ///   - key: The server, login and kind of request.
  ///   - now: The time of the change.
  ///   - change: Changes the budget; setting nil forgets it.
  /// - Returns: The value of `change`.
  public func changeRateBudget<Value>(
    of key: RateKey, now: Date, _ change: (inout RateBudget?) -> Value
  ) throws(StorageError) -> Value {
    try write { db in
      let before = try Self.rateBudget(of: key, in: db)
      var after = before
      let value = change(&after)
      if after != before { try Self.write(after, of: key, isNew: before == nil, now, in: db) }
      return value
    }
  }

  /// How long ended windows are kept, in seconds. They are forgotten when another server reports its first.
  private static let memory: TimeInterval = 7 * 86_400

  private static func rateBudget(of key: RateKey, in db: Database) throws -> RateBudget? {
    try db.row(
      """
      SELECT quota, is_share, remaining, held, taken, ends_at, closed_until, probed_at FROM rate
      WHERE host = $1 AND login = $2 AND class = $3
      """, [key.host, key.login, key.kind.rawValue]
    ) { try RateBudget(row: $0) } ?? nil
  }

  private static func write(
    _ allowance: RateBudget?, of key: RateKey, isNew: Bool, _ now: Date, in db: Database
  ) throws {
    guard let allowance else {
      return try db.run(
        "DELETE FROM rate WHERE host = $1 AND login = $2 AND class = $3", [key.host, key.login, key.kind.rawValue])
    }
    if isNew { try db.run("DELETE FROM rate WHERE ends_at < $1", [UTC.text(now.addingTimeInterval(-memory))]) }
    try db.run(
      """
      INSERT INTO rate
        (host, login, class, quota, is_share, remaining, held, taken, ends_at, closed_until, probed_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      ON CONFLICT (host, login, class) DO UPDATE SET quota = excluded.quota, is_share = excluded.is_share,
        remaining = excluded.remaining, held = excluded.held, taken = excluded.taken, ends_at = excluded.ends_at,
        closed_until = excluded.closed_until, probed_at = excluded.probed_at
      """,
      [
        key.host, key.login, key.kind.rawValue, allowance.quota, allowance.isShare, allowance.remaining,
        allowance.held, allowance.taken, UTC.text(allowance.endsAt), allowance.closedUntil.map(UTC.text),
        allowance.probedAt.map(UTC.text),
      ])
  }
}

extension RateBudget {
  /// nil if its end is not a time.
  fileprivate init?(row: some RowReading) throws {
    let (quota, isShare, remaining): (Int, Bool, Int) = try (
      row.number("quota"), row["is_share"], row.number("remaining")
    )
    let (held, taken): (Int, Int) = try (row.number("held"), row.number("taken"))
    guard let endsAt = UTC.date(try row["ends_at"]) else { return nil }
    self.init(quota: quota, isShare: isShare, remaining: remaining, endsAt: endsAt)
    (self.held, self.taken) = (held, taken)
    closedUntil = try row.date("closed_until")
    probedAt = try row.date("probed_at")
  }
}
