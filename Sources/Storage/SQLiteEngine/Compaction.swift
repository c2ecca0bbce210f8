import CSQLite
import FoundationEssentials
import SQLite
import Synchronization

// Removes empty space from the store's file.
//
// SQLite appends to an index without leaving space, and splits pages in halves everywhere else. A pull downwards adds
// below everything, so it leaves the indexes by time, id and address half empty. Harvests add above and leave them
// full. Once rewritten, a library stays full. docs/store-size.md has the numbers.

/// The result of a compaction, in bytes.
public struct Compaction: Sendable, Equatable {
  /// The largest store, in bytes, that is compacted unasked. Other writers give up after half a minute, which a slow
  /// disk needs for this size.
  public static let unaskedLimit = 1 << 30

  /// The bytes freed; in a dry run, about how many would be.
  public var freed = 0
  /// The bytes that could be freed if the store were not too large to be compacted unasked.
  public var left = 0

  /// Creates a result; by default nothing was freed.
  public init(freed: Int = 0, left: Int = 0) {
    (self.freed, self.left) = (freed, left)
  }
}

extension Store {
  /// Returns space that the store occupies and does not use, if that is a good part of it.
  ///
  /// Others may read meanwhile, and writers wait. It does nothing where that could damage the store, as on a disk without
  /// space for a copy.
  ///
  /// - Parameters:
  ///   - dryRun: Whether to report only.
  ///   - largest: The largest size, in bytes, of a store for which others may have to wait.
  public func compact(
    dryRun: Bool = false, upTo largest: Int = Compaction.unaskedLimit
  ) throws(StorageError) -> Compaction {
    guard !writer.isReadOnly, let file = writer.file else { return Compaction() }
    let room = try read { db in try FileRoom(in: db) }
    guard room.isWasteful else { return Compaction() }
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    guard let disk = DiskRoom(of: folder), disk.free / 3 > room.bytes else { return Compaction() }
    if room.bytes > largest { return Compaction(left: room.empty) }
    if dryRun { return Compaction(freed: room.empty) }
    do { try rewrite(in: folder) } catch {
      // Another process used the space meanwhile. The store is unchanged.
      guard case .full = error else { throw error }
      return Compaction()
    }
    try? alone { db in try db.sqlite.checkpoint(SQLITE_CHECKPOINT_TRUNCATE) }
    return Compaction(freed: try max(0, room.bytes - read { db in try FileRoom(in: db).bytes }))
  }

  /// The folder of temporary files is one for all connections of the process, so one store is rewritten at a time.
  private static let temporaryFolder = Mutex(())

  /// The copy is made in the store's own folder: only that disk is known to have space.
  private func rewrite(in folder: String) throws(StorageError) {
    try Self.temporaryFolder.withLock { _ throws(StorageError) in
      try alone { db in
        let name = folder.replacing("'", with: "''")
        try db.execute("PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '\(name)'")
        defer { try? db.execute("PRAGMA temp_store_directory = ''; PRAGMA temp_store = MEMORY") }
        try db.execute("VACUUM")
      }
    }
  }
}

/// The size of the store's file, and its empty part, in bytes.
private struct FileRoom {
  let bytes: Int
  let empty: Int

  /// Less is not worth a rewrite.
  private static let least = 1 << 20

  var isWasteful: Bool { empty >= max(Self.least, bytes / 12) }

  /// Counts free pages, and unused space within index pages, which it reads. It does not count tables: long rows leave
  /// space that no other row would fill.
  init(in db: Database) throws {
    let page: Int = try db.value("PRAGMA page_size") ?? 0
    bytes = try page * (db.value("PRAGMA page_count") ?? 0)
    let unused: Int? =
      if try !db.hasRow("SELECT 1 FROM pragma_module_list WHERE name = 'dbstat'") {
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
