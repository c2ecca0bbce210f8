import Blobs
import FoundationEssentials
import Machine
import Rows

/// What garbage collection freed, or would free.
public struct Garbage: Sendable, Equatable {
  /// Pictures of posts that were deleted long enough ago. A restored post has them fetched again.
  public var trashed = 0
  /// Stored pictures that nothing showed, and their files.
  public var blobs = 0
  /// Files without a row.
  public var orphans = 0
  /// Files without a row that are kept because they outnumber those with one: the store may be another library's.
  public var strangers = 0
  /// Avatars evicted because the cache was too large.
  public var avatars = 0
  /// The bytes of all these together.
  public var bytes = 0
  /// Bytes by which compaction shrank the store's file.
  public var store = 0
  /// Bytes by which compaction would shrink it, if that would take too long unasked.
  public var waste = 0

  /// Nothing.
  public init() {}

  /// Blobs that nothing shows: number, name and length. More conditions may be appended.
  static let unreferenced = """
    SELECT id, sha256, bytes FROM blob
    WHERE NOT EXISTS (SELECT 1 FROM attachment WHERE blob = blob.id)
      AND NOT EXISTS (SELECT 1 FROM author WHERE avatar_blob = blob.id)
    """

  /// So many files without a row may always be removed: more than a batch of pictures, whose files a kill leaves
  /// without rows.
  static let fewOrphans = 100
  /// More files without a row mean that the store was replaced, perhaps by an empty one.
  static func mostOrphans(of known: Int) -> Int { max(known, fewOrphans) }
  /// How many rows are deleted in one transaction.
  static let chunk = 500
}

extension Store {
  /// Removes what nothing needs. The caller must have locked the library's pictures: no pull may be running.
  ///
  /// Posts themselves, their facts and their deletion stay forever. Pictures that have no address to be fetched from
  /// again stay, too. The store forgets a blob before it is removed, so that a kill leaves too many blobs, never too few.
  ///
  /// - Parameters:
  ///   - blobs: The library's pictures.
  ///   - trash: Posts deleted before this date lose their pictures.
  ///   - grace: Pictures that nothing shows, and files without a row, are removed if they are older than this date.
  ///   - dryRun: Whether to count only.
  ///   - onStep: Receives the progress.
  /// - Returns: What was freed, or would be.
  public func collectGarbage(
    in blobs: any BlobStoring,
    trash: Date,
    grace: Date,
    dryRun: Bool = false,
    onStep: (GarbageStep) -> Void = { _ in }
  ) throws -> Garbage {
    var garbage = Garbage()
    if dryRun {
      try trial { db in
        garbage = Garbage()
        garbage.trashed = try Self.emptyTrash(before: trash, in: db)
        try Self.dropRows(storedBefore: grace, limit: -1, in: db).forEach { garbage.add($0) }
      }
    } else {
      try finishJoins()
      garbage.trashed = try writeDurably { db in try Self.emptyTrash(before: trash, in: db) }
      let known: Int = try read { db in
        let old = "\(Garbage.unreferenced) AND stored_at < $1"
        return try db.value("SELECT count(*) FROM (\(old)) AS old", [UTC.text(grace)]) ?? 0
      }
      while true {
        let dropped = try writeDurably { db in
          try Self.dropRows(storedBefore: grace, limit: Garbage.chunk, in: db)
        }
        if dropped.isEmpty { break }
        for blob in dropped {
          garbage.add(blob)
          try removeUnknown(blob.id, storedBefore: grace, from: blobs)
        }
        onStep(.freed(garbage.blobs, known: max(garbage.blobs, known), bytes: garbage.bytes))
      }
      try blobs.removeLeftovers()
    }
    try collectOrphans(in: blobs, grace: grace, dryRun: dryRun, into: &garbage, onStep: onStep)
    return garbage
  }

  /// Removes a blob unless it has a row or is stored again meanwhile.
  ///
  /// - Parameter moment: A blob that was stored since then stays. Another machine may have stored it and not yet committed
  ///   its row. If it never does, the blob is removed as an orphan later.
  func removeUnknown(_ id: BlobID, storedBefore moment: Date, from blobs: any BlobStoring) throws {
    // The blob comes before the row: what is stored after this, with its row, then stays.
    if let blob = try blobs.stat(id), blob.storedAt < moment { try removeUnknown(blob, from: blobs) }
  }

  private func removeUnknown(_ blob: BlobInfo, from blobs: any BlobStoring) throws {
    if try !isKnown(blob.id) { _ = try blobs.remove(blob) }
  }

  /// Whether a blob has a row.
  func isKnown(_ id: BlobID) throws -> Bool {
    try read { db in try db.hasRow("SELECT 1 FROM blob WHERE sha256 = $1", [id.hex]) }
  }

  private func collectOrphans(
    in blobs: any BlobStoring,
    grace: Date,
    dryRun: Bool,
    into garbage: inout Garbage,
    onStep: (GarbageStep) -> Void
  ) throws {
    var (orphans, bytes, seen) = (0, 0, 0)
    let known: Int = try read { db in try db.value("SELECT count(*) FROM blob") ?? 0 }
    try eachOrphan(in: blobs, before: grace) {
      seen += 1
      onStep(.files(seen, known: max(seen, known)))
    } body: { blob in
      (orphans, bytes) = (orphans + 1, bytes + blob.byteCount)
    }
    // A wrong store must not cost all pictures.
    guard orphans <= Garbage.mostOrphans(of: known) else { return garbage.strangers = orphans }
    if !dryRun, orphans > 0 {
      try eachOrphan(in: blobs, before: grace, body: { try removeUnknown($0, from: blobs) })
    }
    garbage.orphans += orphans
    garbage.bytes += bytes
  }

  /// Calls `body` with each blob that was stored before a date and has no row.
  func eachOrphan(
    in blobs: any BlobStoring, before moment: Date, seen: () -> Void = {}, body: (BlobInfo) throws -> Void
  ) throws {
    try blobs.eachBlob { blob in
      seen()
      if blob.storedAt < moment, try !isKnown(blob.id) { try body(blob) }
    }
  }

  /// Marks the pictures as skipped, because every pull reads the pending ones. They are fetched when their post is
  /// restored.
  private static func emptyTrash(before moment: Date, in db: Database) throws -> Int {
    let deleted = """
      post IN
        (SELECT post FROM post_state \(db.index("post_state_deleted")) WHERE deleted_at IS NOT NULL AND deleted_at < $1)
      """
    let skipped = """
      state = 'skipped', attempts = 0, next_try_at = NULL, failure = 'it was let go, for its post was deleted'
      """
    try db.run(
      """
      UPDATE attachment SET blob = NULL, \(skipped)
      WHERE blob IS NOT NULL AND coalesce(url, alternate_url) IS NOT NULL AND \(deleted)
      """,
      [UTC.text(moment)]
    )
    let count = db.changesCount
    try db.run(
      """
      UPDATE attachment SET \(skipped)
      WHERE state IN ('pending', 'failed') AND coalesce(url, alternate_url) IS NOT NULL AND \(deleted)
      """,
      [UTC.text(moment)]
    )
    return count
  }

  private static func dropRows(storedBefore moment: Date, limit: Int, in db: Database) throws -> [DroppedBlob] {
    let old: Clause = "\(Garbage.unreferenced) AND stored_at < \(bind: UTC.text(moment))\(Clause(limit: limit))"
    let rows: [UnreferencedBlob] = try db.rows(old)
    for row in rows { try db.run("DELETE FROM blob WHERE id = $1", [row.id]) }
    return rows.compactMap { row in row.blob.map { DroppedBlob(id: $0, byteCount: row.byteCount) } }
  }
}

/// The progress of garbage collection.
public enum GarbageStep: Sendable, Equatable {
  /// The number of removed pictures that nothing showed, their total number, and the bytes removed.
  case freed(Int, known: Int, bytes: Int)
  /// The number of files checked, and about how many there are.
  case files(Int, known: Int)
  /// The store's file is examined, and compacted if much of it is empty.
  case store
}

/// A row that `Garbage.unreferenced` selects.
struct UnreferencedBlob: RowDecodable {
  let id: Int64
  let blob: BlobID?
  let byteCount: Int

  init(_ row: some RowReading) throws {
    id = try row["id"]
    blob = BlobID(try row["sha256"])
    byteCount = try row.number("bytes")
  }
}

/// A blob whose row was deleted.
struct DroppedBlob {
  let id: BlobID
  let byteCount: Int
}

extension Garbage {
  fileprivate mutating func add(_ blob: DroppedBlob) {
    blobs += 1
    bytes += blob.byteCount
  }
}
