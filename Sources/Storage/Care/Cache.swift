import Blobs
import FoundationEssentials
import Machine
import Rows

// Avatars are a cache: they may be evicted, and are fetched again with the next post of their author.

extension Store {
  /// The size of the avatar cache in bytes. It is a stored total: the cost does not grow with the library.
  public func cacheSize() throws(StorageError) -> Int {
    try read { db in try db.row("SELECT bytes FROM cache_size") { try $0.number("bytes") } ?? 0 }
  }

  /// Records that the avatars of these posts' authors were seen today, so that they are not evicted next. It writes
  /// each avatar at most once a day.
  public func useAvatars(ofPosts posts: [Int64], now: Date) throws(StorageError) {
    let list = posts.jsonList
    let today = Self.day(now)
    let stale: [Int64] = try read { db in
      try db.values(
        """
        SELECT c.blob FROM cached c WHERE c.used_on < $2 AND c.blob IN
          (SELECT u.avatar_blob FROM \(db.each)($1) j JOIN post p ON p.id = j.value JOIN author u ON u.id = p.author)
        """,
        [list, today]
      )
    }
    guard !stale.isEmpty else { return }
    try write { db in
      for blob in stale { try db.run("UPDATE cached SET used_on = $1 WHERE blob = $2", [today, blob]) }
    }
  }

  /// Evicts the least recently seen avatars until the cache has at most `limit` bytes. Pictures of posts are never
  /// evicted. The caller must have locked the library's pictures.
  ///
  /// - Parameters:
  ///   - limit: The maximum size in bytes.
  ///   - blobs: The library's pictures.
  ///   - grace: Bytes that were stored since then are left to garbage collection, since another machine may be about to
  ///     store a row of them. The distant future if the lock is all machines'.
  ///   - dryRun: Whether to count only.
  /// - Returns: The evicted avatars and their bytes.
  public func trimCache(
    to limit: Int, in blobs: any BlobStoring, grace: Date, dryRun: Bool = false
  ) throws -> Garbage {
    var garbage = Garbage()
    var size = try cacheSize()
    guard size > limit else { return garbage }
    if dryRun {
      let excess = try read { db in
        try db.row(Self.excess, [limit]) {
          (avatars: try $0.number("avatars") as Int, bytes: try $0.number("bytes") as Int)
        }
      }
      if let excess { (garbage.avatars, garbage.bytes) = excess }
      return garbage
    }
    while size > limit {
      let dropped = try writeDurably { db in try Self.evict(to: limit, in: db) }
      for blob in dropped {
        garbage.avatars += 1
        garbage.bytes += blob.byteCount
        try removeUnknown(blob.id, storedBefore: grace, from: blobs)
      }
      let before = size
      size = try cacheSize()
      if size == before { break }
    }
    return garbage
  }

  /// The UTC day of a date.
  static func day(_ now: Date) -> String { String(UTC.text(now).prefix(10)) }

  /// How many avatars would be evicted, and their bytes: those beyond the most recent ones that fit.
  private static let excess = """
    SELECT count(*) AS avatars, coalesce(CAST(sum(bytes) AS bigint), 0) AS bytes FROM (
      SELECT blob, bytes, CAST(sum(bytes) OVER (ORDER BY used_on DESC, blob DESC) AS bigint) AS sofar FROM cached) AS summed
    WHERE sofar > $1 AND NOT EXISTS (SELECT 1 FROM attachment WHERE attachment.blob = summed.blob)
    """

  static func leastUsed(in db: Database) -> String {
    """
    SELECT c.blob, b.sha256, c.bytes, EXISTS (SELECT 1 FROM attachment WHERE blob = c.blob) AS is_picture
    FROM cached c \(db.crossJoin) blob b ON b.id = c.blob ORDER BY c.used_on, c.blob LIMIT $1
    """
  }

  private static func evict(to limit: Int, in db: Database) throws -> [DroppedBlob] {
    var size: Int = try db.row("SELECT bytes FROM cache_size") { try $0.number("bytes") } ?? 0
    var dropped: [DroppedBlob] = []
    let avatars: [CachedAvatar] = try db.rows(leastUsed(in: db), [Garbage.chunk])
    for avatar in avatars where size > limit {
      if avatar.isPicture {
        try db.run("DELETE FROM cached WHERE blob = $1", [avatar.blob])
      } else {
        try PictureWriter(db: db, now: .distantPast).giveUp(blob: avatar.blob)
        if let id = BlobID(avatar.name) { dropped.append(DroppedBlob(id: id, byteCount: avatar.byteCount)) }
      }
      size -= avatar.byteCount
    }
    return dropped
  }
}

/// An entry of the avatar cache.
private struct CachedAvatar: RowDecodable {
  let blob: Int64
  let name: String
  let byteCount: Int
  /// Whether it is also a picture of a post, which is never evicted.
  let isPicture: Bool

  init(_ row: some RowReading) throws {
    blob = try row["blob"]
    name = try row["sha256"]
    byteCount = try row.number("bytes")
    isPicture = try row["is_picture"]
  }
}
