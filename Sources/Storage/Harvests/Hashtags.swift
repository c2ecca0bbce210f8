import FoundationEssentials
import Machine
import Posts

// Hashtags whose requests are limited: their ids, and which account requested which of them when.

/// Whether an account may request a hashtag.
public enum HashtagGrant: Sendable, Equatable {
  /// The account requested it within the window. Another request is free.
  case again
  /// It is the account's n-th hashtag within the window. The request is recorded.
  case new(number: Int)
  /// The budget is used up by other hashtags until the first of them leaves the window.
  case refused(until: Date, others: [String])
}

/// How many hashtags an account may request.
public struct HashtagBudget: Sendable, Hashable {
  /// The number of hashtags.
  public var tags: Int
  /// The length of the sliding window, in seconds.
  public var window: TimeInterval

  /// Creates a budget.
  public init(tags: Int, window: TimeInterval) {
    self.tags = tags
    self.window = window
  }
}

extension Store {
  /// The stored id of a hashtag at a server.
  ///
  /// - Returns: The id, or nil if it was never looked up.
  /// - Throws: `StorageError` if the library cannot be read.
  public func hashtagID(_ name: String, at server: Server) throws(StorageError) -> String? {
    try read { db in
      try db.value("SELECT remote_id FROM hashtag WHERE server = $1 AND name = $2", [server.origin, name.storable])
    }
  }

  /// Stores the id of a hashtag at a server.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  public func keepHashtag(_ name: String, id: String, at server: Server) throws(StorageError) {
    try write { db in
      try db.run(
        """
        INSERT INTO hashtag (server, name, remote_id) VALUES ($1, $2, $3)
        ON CONFLICT (server, name) DO UPDATE SET remote_id = excluded.remote_id
        """,
        [server.origin, name.storable, id.storable]
      )
    }
  }

  /// Records that an account is about to request a hashtag, unless its budget is used up.
  ///
  /// The record is on disk when this returns, before the request: the server's count is never higher than this one,
  /// whatever happens then.
  ///
  /// - Parameters:
  ///   - name: The hashtag.
  ///   - account: The account.
  ///   - server: The server.
  ///   - allowance: The account's budget.
  ///   - now: The current time.
  /// - Returns: Whether the account may request it.
  /// - Throws: `StorageError` if the library cannot be written.
  public func askHashtag(
    _ name: String, by account: String, at server: Server, _ allowance: HashtagBudget, now: Date
  ) throws(StorageError) -> HashtagGrant {
    try writeDurably { db in
      let key = [server.origin, account.storable]
      // Entries that a wrong clock dated in the future would stay forever.
      try db.run(
        "UPDATE hashtag_asked SET asked_at = $3 WHERE server = $1 AND account = $2 AND asked_at > $3",
        key + [UTC.text(now)]
      )
      try db.run(
        "DELETE FROM hashtag_asked WHERE server = $1 AND account = $2 AND asked_at <= $3",
        key + [UTC.text(now.addingTimeInterval(-allowance.window))]
      )
      let requests = try db.rows(
        "SELECT name, asked_at FROM hashtag_asked WHERE server = $1 AND account = $2 ORDER BY asked_at, id",
        key
      ) { (name: try $0["name"] as String, at: try $0["asked_at"] as String) }
      let names = requests.map(\.name)
      if names.contains(name.storable) { return .again }
      if let first = requests.first, names.count >= allowance.tags {
        let start = UTC.date(first.at) ?? now
        return .refused(until: start.addingTimeInterval(allowance.window), others: names)
      }
      try db.run(
        "INSERT INTO hashtag_asked (server, account, name, asked_at) VALUES ($1, $2, $3, $4)",
        key + [name.storable, UTC.text(now)]
      )
      return .new(number: names.count + 1)
    }
  }
}
