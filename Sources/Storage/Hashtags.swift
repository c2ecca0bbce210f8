import Foundation
import Posts

// Hashtags that cost something to ask for: their ids, and who asked for which of them when.

/// What came of the wish to ask for a hashtag.
public enum HashtagAsking: Sendable, Equatable {
  /// It was asked for within the window: asking again is free.
  case again
  /// It is the n-th hashtag of the account within the window; that it is asked for is noted.
  case new(number: Int)
  /// So many others were asked for that this one cannot be, before the first of them leaves the window.
  case refused(until: Date, others: [String])
}

/// How many hashtags an account may ask for.
public struct HashtagAllowance: Sendable, Hashable {
  /// So many.
  public var tags: Int
  /// Within so many seconds, which slide.
  public var window: TimeInterval

  /// An allowance from its parts.
  public init(tags: Int, window: TimeInterval) {
    self.tags = tags
    self.window = window
  }
}

extension Store {
  /// The id of a hashtag at a server; nil where nobody looked it up.
  public func hashtagID(_ name: String, at server: Server) throws(StorageError) -> String? {
    try read { db in
      try db.value("SELECT remote_id FROM hashtag WHERE server = ? AND name = ?", [server.origin, name.storable])
    }
  }

  /// Keeps the id of a hashtag at a server.
  public func keepHashtag(_ name: String, id: String, at server: Server) throws(StorageError) {
    try write { db in
      try db.run(
        "INSERT OR REPLACE INTO hashtag (server, name, remote_id) VALUES (?, ?, ?)",
        [server.origin, name.storable, id.storable]
      )
    }
  }

  /// Notes that an account is about to ask for a hashtag, unless its allowance is used up. On disk before it is asked:
  /// what the server has counted is counted here, whatever happens then.
  public func askHashtag(
    _ name: String, by account: String, at server: Server, _ allowance: HashtagAllowance, now: Date
  ) throws(StorageError) -> HashtagAsking {
    try writeDurably { db in
      let asker = [server.origin, account.storable]
      // What a clock that was wrong has dated ahead of now would stay for ever.
      try db.run(
        "UPDATE hashtag_asked SET asked_at = ?3 WHERE server = ?1 AND account = ?2 AND asked_at > ?3",
        asker + [UTC.text(now)]
      )
      try db.run(
        "DELETE FROM hashtag_asked WHERE server = ? AND account = ? AND asked_at <= ?",
        asker + [UTC.text(now.addingTimeInterval(-allowance.window))]
      )
      let asked = try db.rows(
        "SELECT name, asked_at FROM hashtag_asked WHERE server = ? AND account = ? ORDER BY asked_at, id",
        asker
      )
      let names = asked.map { $0[0] as String }
      if names.contains(name.storable) { return .again }
      if let first = asked.first, names.count >= allowance.tags {
        let start = UTC.date(first[1]) ?? now
        return .refused(until: start.addingTimeInterval(allowance.window), others: names)
      }
      try db.run(
        "INSERT INTO hashtag_asked (server, account, name, asked_at) VALUES (?, ?, ?, ?)",
        asker + [name.storable, UTC.text(now)]
      )
      return .new(number: names.count + 1)
    }
  }
}
