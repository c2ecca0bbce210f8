import GRDB

/// Where an item stands in its feed.
struct FeedPlace {
  private(set) var id: String
  let post: WrittenPost
  let isPinned: Bool
  let repeatedBy: Int64?
  let repeatedAt: String?
  var isDuplicate = false
  var row: Int64?
  var coverage: Int64?
  var place: Int64?

  /// When it came into the feed, as far as a date tells.
  var moment: String { repeatedAt ?? post.createdAt }

  init(id: String, post: WrittenPost, isPinned: Bool, repeatedBy: Int64?, repeatedAt: String?) {
    self.id = id
    self.post = post
    self.isPinned = isPinned
    self.repeatedBy = repeatedBy
    self.repeatedAt = repeatedAt
  }

  /// Reads what the feed's records say of the item.
  mutating func read(feed: Int64, in db: Database) throws {
    let found = try db.row("SELECT id, coverage, place FROM feed_post WHERE feed = ? AND remote_id = ?", [feed, id])
    (row, coverage, place) = (found?[0], found?[1], found?[2])
  }

  /// Takes the id under which the feed has the item's post already: a feed of documents shows each post once, and may
  /// give it another id.
  mutating func keepID(feed: Int64, in db: Database) throws {
    id = try db.value("SELECT remote_id FROM feed_post WHERE post = ? AND feed = ? LIMIT 1", [post.id, feed]) ?? id
  }

  /// Writes the item's place.
  func write(feed: Int64, now: String, in db: Database) throws {
    guard let row else {
      return try db.run(
        """
        INSERT INTO feed_post (feed, remote_id, post, created_at, coverage, place, pinned, repeated_by, repeated_at,
          seen_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          feed, id, post.id, post.createdAt, coverage, place, isPinned ? 1 : 0, repeatedBy, repeatedAt, now,
        ]
      )
    }
    if isPinned { return }
    try db.run(
      "UPDATE feed_post SET coverage = ?, place = ?, pinned = 0, post = ?, created_at = ? WHERE id = ?",
      [coverage, place, post.id, post.createdAt, row]
    )
  }
}
