import Foundation
import Posts

extension Store {
  /// What a server allows, as far as it is known; nil if the server never said.
  public func allowance(of key: RateKey) throws(StorageError) -> RateBudget? {
    try read { db in try Self.allowance(of: key, in: db) }
  }

  /// Changes a server's known limit in one transaction, which no other process can interleave. It writes only if
  /// something changed. It is not synced to the disk: after a power loss, the next answer states the limit again.
  ///
  /// - Parameters:
  ///   - key: The server, login and kind of request.
  ///   - now: The time of the change.
  ///   - change: Changes the budget; setting nil forgets it.
  /// - Returns: The value of `change`.
  public func changeAllowance<Value>(
    of key: RateKey, now: Date, _ change: (inout RateBudget?) -> Value
  ) throws(StorageError) -> Value {
    try write { db in
      let before = try Self.allowance(of: key, in: db)
      var after = before
      let value = change(&after)
      if after != before { try Self.write(after, of: key, isNew: before == nil, now, in: db) }
      return value
    }
  }

  /// How long ended windows are kept, in seconds. They are forgotten when another server reports its first.
  private static let memory: TimeInterval = 7 * 86_400

  private static func allowance(of key: RateKey, in db: Database) throws -> RateBudget? {
    let row = try db.row(
      """
      SELECT quota, is_share, remaining, held, taken, ends_at, closed_until, probed_at FROM rate
      WHERE host = ? AND login = ? AND class = ?
      """, [key.host, key.login, key.kind.rawValue])
    guard let row, let endsAt = UTC.date(row[5]) else { return nil }
    var allowance = RateBudget(quota: row[0], isShare: row[1], remaining: row[2], endsAt: endsAt)
    (allowance.held, allowance.taken) = (row[3], row[4])
    allowance.closedUntil = (row[6] as String?).flatMap(UTC.date)
    allowance.probedAt = (row[7] as String?).flatMap(UTC.date)
    return allowance
  }

  private static func write(
    _ allowance: RateBudget?, of key: RateKey, isNew: Bool, _ now: Date, in db: Database
  ) throws {
    guard let allowance else {
      return try db.run(
        "DELETE FROM rate WHERE host = ? AND login = ? AND class = ?", [key.host, key.login, key.kind.rawValue])
    }
    if isNew { try db.run("DELETE FROM rate WHERE ends_at < ?", [UTC.text(now.addingTimeInterval(-memory))]) }
    try db.run(
      """
      INSERT OR REPLACE INTO rate
        (host, login, class, quota, is_share, remaining, held, taken, ends_at, closed_until, probed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        key.host, key.login, key.kind.rawValue, allowance.quota, allowance.isShare, allowance.remaining,
        allowance.held, allowance.taken, UTC.text(allowance.endsAt), allowance.closedUntil.map(UTC.text),
        allowance.probedAt.map(UTC.text),
      ])
  }
}
