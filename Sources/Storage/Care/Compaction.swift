import CSQLite
import Foundation

// The store's file without the room that stands empty in it.
//
// SQLite appends to an index without leaving room, and splits pages in halves everywhere else. A walk from the newest
// post down adds below all that is there, so that it leaves the indexes by time, by id and by address half empty;
// harvests add above and leave them full. Written anew once, a library stays full. docs/store-size.md has the numbers.

extension Store {
  /// Writes the store's file anew where a good part of it is empty. Returns the bytes by which it is smaller then; with
  /// `dryRun` it only says about how many they would be.
  ///
  /// Others may read meanwhile, and who writes waits. Nothing is done where the disk has no room for a copy, without
  /// which there is no way that a kill cannot harm.
  public func compact(dryRun: Bool = false) throws(StorageError) -> Int {
    let room = try read { db in try FileRoom(in: db) }
    guard !writer.isReadOnly, let file = writer.file, room.isWasteful else { return 0 }
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    guard let disk = DiskRoom(of: folder), disk.free / 3 > room.bytes else { return 0 }
    if dryRun { return room.empty }
    try alone { db in
      // A copy of all of it is made beside it.
      try db.execute("PRAGMA temp_store = FILE")
      defer { try? db.execute("PRAGMA temp_store = MEMORY") }
      try db.execute("VACUUM")
    }
    try? alone { db in try db.checkpoint(SQLITE_CHECKPOINT_TRUNCATE) }
    return try max(0, room.bytes - read { db in try FileRoom(in: db).bytes })
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
