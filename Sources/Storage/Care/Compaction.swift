import CSQLite
import Foundation

// The store's file without the room that stands empty in it.
//
// SQLite appends to an index without leaving room, and splits pages in halves everywhere else. A walk from the newest
// post down adds below all that is there, so that it leaves the indexes by time, by id and by address half empty;
// harvests add above and leave them full. Written anew once, a library stays full. docs/store-size.md has the numbers.

extension Store {
  /// The largest store, in bytes, that is written anew unasked. Others who write give up after half a minute, and a slow
  /// disk takes that for as much.
  public static let quicklyCompacted = 1 << 30

  /// What writing the store's file anew came to, in bytes.
  public struct Compaction: Sendable, Equatable {
    /// By which it is smaller; where it was only to be said, about by which it would be.
    public var freed = 0
    /// By which it would be smaller, were it not too large to be written anew unasked.
    public var left = 0
  }

  /// Writes the store's file anew where a good part of it is empty and it is no larger than `largest`; with `dryRun` it only
  /// says what would come of it.
  ///
  /// Others may read meanwhile, and who writes waits. Nothing is done where the disk has no room for a copy, without
  /// which there is no way that a kill cannot harm.
  public func compact(
    dryRun: Bool = false, upTo largest: Int = Store.quicklyCompacted
  ) throws(StorageError) -> Compaction {
    let room = try read { db in try FileRoom(in: db) }
    guard !writer.isReadOnly, let file = writer.file, room.isWasteful else { return Compaction() }
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    guard let disk = DiskRoom(of: folder), disk.free / 3 > room.bytes else { return Compaction() }
    if room.bytes > largest { return Compaction(left: room.empty) }
    if dryRun { return Compaction(freed: room.empty) }
    do { try rewrite(in: folder) } catch {
      // Somebody else took the room meanwhile. What was to be freed is, and the store is as it was.
      guard case .full = error else { throw error }
      return Compaction()
    }
    try? alone { db in try db.checkpoint(SQLITE_CHECKPOINT_TRUNCATE) }
    return Compaction(freed: try max(0, room.bytes - read { db in try FileRoom(in: db).bytes }))
  }

  /// A copy of all of it is made in its own folder: only of that one's disk it is known that there is room.
  private func rewrite(in folder: String) throws(StorageError) {
    try alone { db in
      try db.execute("PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '\(folder.replacing("'", with: "''"))'")
      defer { try? db.execute("PRAGMA temp_store_directory = ''; PRAGMA temp_store = MEMORY") }
      try db.execute("VACUUM")
    }
  }
}

/// How long the store's file is, and how much of it holds nothing, in bytes.
private struct FileRoom {
  let bytes: Int
  let empty: Int

  /// Less is not worth the writing.
  private static let least = 1 << 20

  var isWasteful: Bool { empty >= max(Self.least, bytes / 12) }

  /// Pages that nothing uses, and what is unused within the indexes' own, which are read for it. Of tables nothing is
  /// counted: rows that are long leave room that no other row would take.
  init(in db: Database) throws {
    let page: Int = try db.value("PRAGMA page_size") ?? 0
    bytes = try page * (db.value("PRAGMA page_count") ?? 0)
    let unused: Int? =
      if try db.row("SELECT 1 FROM pragma_module_list WHERE name = 'dbstat'") == nil {
        nil
      } else {
        try db.value(
          """
          SELECT sum(d.unused) FROM sqlite_schema s CROSS JOIN dbstat d ON d.name = s.name
          WHERE s.type = 'index' AND d.aggregate = TRUE
          """
        )
      }
    empty = try page * (db.value("PRAGMA freelist_count") ?? 0) + (unused ?? 0)
  }
}
