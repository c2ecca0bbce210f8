import Blobs
import Foundation
import Posts

/// What collecting garbage freed, or would free.
public struct Garbage: Sendable, Equatable {
  /// Pictures of posts that were deleted long enough ago: each is to be fetched anew should its post be restored.
  public var trashed = 0
  /// Kept pictures that nothing showed any more, and their files.
  public var blobs = 0
  /// Files that no row knew.
  public var orphans = 0
  /// Files that no row knows, and that are left alone since they are more than those that one knows: the store may not
  /// be theirs.
  public var strangers = 0
  /// Avatars that went because the cache was too large.
  public var avatars = 0
  /// Bytes of all that together.
  public var bytes = 0
  /// Bytes by which the store's own file is smaller for being written anew.
  public var store = 0
  /// Bytes by which it would be smaller, where that would take too long to be done unasked.
  public var waste = 0

  /// Nothing.
  public init() {}

  /// Blobs that nothing shows: number, name and length; more conditions may follow.
  static let unreferenced = """
    SELECT id, sha256, bytes FROM blob
    WHERE NOT EXISTS (SELECT 1 FROM attachment WHERE blob = blob.id)
      AND NOT EXISTS (SELECT 1 FROM author WHERE avatar_blob = blob.id)
    """

  /// So many files that no row knows may go however few are known: more than the pictures of a batch, whose files are
  /// there before their rows and which a kill leaves so.
  static let fewOrphans = 100
  /// More files that no row knows say that another store is in this one's place, an empty one at that.
  static func mostOrphans(of known: Int) -> Int { max(known, fewOrphans) }
  /// How many rows go in one transaction.
  static let chunk = 500
}

extension Store {
  /// Frees what nothing needs. Whoever calls it holds the library's pictures for itself: no pull may be under way.
  ///
  /// Posts deleted before `trash` give their pictures back, but for those that have no address to come from again; the
  /// posts, their facts and that they are deleted stay for ever. Pictures that nothing shows, and files that no row
  /// knows, go where they are older than `grace`. Rows go before their files, so that whatever is killed here leaves
  /// files too many, never too few. With `dryRun` it only counts.
  public func collectGarbage(
    in blobs: DiskBlobs,
    trash: Date,
    grace: Date,
    dryRun: Bool = false,
    onStep: (GarbageStep) -> Void = { _ in }
  ) throws -> Garbage {
    var garbage = Garbage()
    if dryRun {
      try counting { db in
        garbage.trashed = try Self.emptyTrash(before: trash, in: db)
        try Self.dropRows(storedBefore: grace, limit: -1, in: db).forEach { garbage.add($0) }
      }
    } else {
      try finishJoins()
      garbage.trashed = try writeDurably { db in try Self.emptyTrash(before: trash, in: db) }
      let known: Int = try read { db in
        try db.value("SELECT count(*) FROM (\(Garbage.unreferenced) AND stored_at < ?)", [UTC.text(grace)]) ?? 0
      }
      while true {
        let dropped = try writeDurably { db in
          try Self.dropRows(storedBefore: grace, limit: Garbage.chunk, in: db)
        }
        if dropped.isEmpty { break }
        for blob in dropped {
          garbage.add(blob)
          try removeFile(of: blob.id, from: blobs)
        }
        onStep(.freed(garbage.blobs, known: max(garbage.blobs, known), bytes: garbage.bytes))
      }
      try blobs.removeLeftovers()
    }
    try collectOrphans(in: blobs, grace: grace, dryRun: dryRun, into: &garbage, onStep: onStep)
    return garbage
  }

  /// Removes a blob's file unless a row knows it.
  func removeFile(of id: BlobID, from blobs: DiskBlobs) throws {
    let isKnown = try read { db in try db.row("SELECT 1 FROM blob WHERE sha256 = ?", [id.hex]) != nil }
    if !isKnown { _ = try blobs.remove(id) }
  }

  private func collectOrphans(
    in blobs: DiskBlobs,
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
    } body: { _, byteCount in
      (orphans, bytes) = (orphans + 1, bytes + byteCount)
    }
    // They must not cost all pictures.
    guard orphans <= Garbage.mostOrphans(of: known) else { return garbage.strangers = orphans }
    if !dryRun, orphans > 0 {
      try eachOrphan(in: blobs, before: grace, body: { id, _ in try removeFile(of: id, from: blobs) })
    }
    garbage.orphans += orphans
    garbage.bytes += bytes
  }

  func eachOrphan(
    in blobs: DiskBlobs, before moment: Date, seen: () -> Void = {}, body: (BlobID, Int) throws -> Void
  ) throws {
    try blobs.eachEntry { entry in
      seen()
      guard case .blob(let id) = entry.kind, entry.changedAt < moment else { return }
      let isKnown = try read { db in try db.row("SELECT 1 FROM blob WHERE sha256 = ?", [id.hex]) != nil }
      if !isKnown { try body(id, entry.byteCount) }
    }
  }

  /// What is asked for only when its post is shown again is skipped: what is pending, every pull looks at.
  private static func emptyTrash(before moment: Date, in db: Database) throws -> Int {
    let deleted = """
      post IN
        (SELECT post FROM post_state INDEXED BY post_state_deleted WHERE deleted_at IS NOT NULL AND deleted_at < ?)
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
    let rows = try db.rows("\(Garbage.unreferenced) AND stored_at < ? LIMIT ?", [UTC.text(moment), limit])
    for row in rows { try db.run("DELETE FROM blob WHERE id = ?", [row[0] as Int64]) }
    return rows.compactMap { row in BlobID(row[1]).map { DroppedBlob(id: $0, byteCount: row[2]) } }
  }

  /// Does something, and takes it back.
  private func counting(_ body: (Database) throws -> Void) throws {
    try writer.use { db in try db.trial(.immediate, body) }
  }
}

/// How far collecting garbage is.
public enum GarbageStep: Sendable, Equatable {
  /// So many kept pictures that nothing showed are gone, of so many, and so many of their bytes.
  case freed(Int, known: Int, bytes: Int)
  /// So many files are looked at, of as many as are known of.
  case files(Int, known: Int)
  /// The store's file is looked at, and written anew where much of it is empty.
  case store
}

/// A blob whose row is gone.
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
