import Blobs
import FoundationEssentials
import Machine
import Posts

/// The items of a feed that could not be read.
struct UnreadableItems {
  let db: Database
  /// The number of the feed.
  let feed: Int64
  let now: Date

  /// Keeps the last form of an item with an id, and each distinct form of an item without one.
  func keep(_ item: PageItem, reason: String, _ compressor: RawCompressor) throws {
    let id = item.id?.storable
    let digest = BlobID(hashing: item.raw).hex
    let target = id == nil ? "(feed, digest) WHERE remote_id IS NULL" : "(feed, remote_id) WHERE remote_id IS NOT NULL"
    try db.run(
      """
      INSERT INTO unreadable (feed, digest, remote_id, reason, pulled_at, body) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT \(target) DO UPDATE
        SET digest = excluded.digest, reason = excluded.reason, pulled_at = excluded.pulled_at, body = excluded.body
      """,
      [feed, digest, id, reason.storable, UTC.text(now), try compressor.compress(item.raw)]
    )
  }

  /// Whether there are items with an id, which may be read now.
  var isAnyNamed: Bool {
    get throws { try db.hasRow("SELECT 1 FROM unreadable WHERE feed = $1 AND remote_id IS NOT NULL LIMIT 1", [feed]) }
  }

  /// Removes an item that can be read now.
  func forget(_ id: String) throws {
    try db.run("DELETE FROM unreadable WHERE feed = $1 AND remote_id = $2", [feed, id.storable])
  }
}
