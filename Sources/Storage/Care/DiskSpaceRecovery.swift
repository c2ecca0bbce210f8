import Blobs
import FoundationEssentials
import Machine

// On a disk that is completely full, even the rows that garbage collection writes do not fit.

extension Store {
  /// Removes blobs that `collectGarbage` would remove, by the same rules and without writing to the store, until the store
  /// can be written. The caller must have locked the library's pictures, and collects garbage next.
  ///
  /// A kill may leave the store with pictures whose blobs are gone: those that nothing shows, or only deleted posts.
  ///
  /// - Parameters:
  ///   - blobs: The library's pictures.
  ///   - trash: Pictures of posts deleted before this date may be removed.
  ///   - grace: Unused files may be removed if they are older than this date.
  /// - Returns: The bytes freed in `freed`, and in `garbage` what had no row.
  public func makeRoom(
    in blobs: any BlobStoring, trash: Date, grace: Date
  ) throws -> (freed: Int, garbage: Garbage) {
    var garbage = Garbage()
    try blobs.removeLeftovers()
    var orphans: [BlobInfo] = []
    try eachOrphan(in: blobs, before: grace) { orphans.append($0) }
    let known: Int = try read { db in try db.value("SELECT count(*) FROM blob") ?? 0 }
    if orphans.count > Garbage.mostOrphans(of: known) { orphans = [] }
    for blob in orphans where garbage.bytes < Self.room {
      guard try blobs.remove(blob) else { continue }
      garbage.orphans += 1
      garbage.bytes += blob.byteCount
    }
    var freed = garbage.bytes
    let names: [String] = try read { db in
      try db.values(Self.expendable, [UTC.text(grace), UTC.text(trash)])
    }
    for id in names.lazy.compactMap({ BlobID($0) }) {
      if freed >= Self.room { break }
      if let blob = try blobs.stat(id), try blobs.remove(blob) { freed += blob.byteCount }
    }
    return (freed, garbage)
  }

  /// The space that a transaction of many rows needs, in bytes.
  private static let room = 32 << 20

  /// Blobs that nothing shows come first, then those that only posts show that were deleted long ago, and that can be
  /// fetched again.
  private static let expendable = """
    SELECT b.sha256 FROM blob b
    WHERE b.stored_at < $1 AND NOT EXISTS (SELECT 1 FROM author WHERE avatar_blob = b.id)
      AND NOT EXISTS (SELECT 1 FROM attachment a WHERE a.blob = b.id AND (coalesce(a.url, a.alternate_url) IS NULL
        OR NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = a.post AND s.deleted_at < $2)))
    ORDER BY EXISTS (SELECT 1 FROM attachment a WHERE a.blob = b.id)
    """
}
