import CSQLite

// What a copy of a store needs of SQLite.

extension Connection {
  /// The number of pages that are copied between two calls of `onStep`.
  private static let pagesPerStep: CInt = 2048

  /// Copies all pages into the empty store of another connection. Within a transaction they are of its snapshot, whatever
  /// others write meanwhile. https://sqlite.org/backup.html
  ///
  /// - Parameters:
  ///   - other: The connection to the empty store. Nobody else may use it.
  ///   - onStep: Receives the number of pages copied, and of all pages.
  package func copy(to other: Connection, onStep: (_ done: Int, _ known: Int) -> Void) throws {
    try withHandle { source in
      try other.withHandle { target in
        guard let copying = sqlite3_backup_init(target, "main", source, "main") else {
          throw SQLiteError(last: target)
        }
        var code = SQLITE_OK
        while code == SQLITE_OK {
          code = sqlite3_backup_step(copying, Self.pagesPerStep)
          let known = Int(sqlite3_backup_pagecount(copying))
          onStep(known - Int(sqlite3_backup_remaining(copying)), known)
        }
        let end = sqlite3_backup_finish(copying)
        guard code == SQLITE_DONE, end == SQLITE_OK else { throw SQLiteError(last: target) }
      }
    }
  }

  /// Copies commits from the write-ahead log into the store's file, as far as no reader needs the old state.
  ///
  /// - Returns: The number of frames in the log, and how many of them are in the file now; both are 0 without a log.
  package func measuredCheckpoint() throws -> (logged: Int, copied: Int) {
    try withHandle { handle in
      var (logged, copied) = (CInt(0), CInt(0))
      let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &logged, &copied)
      guard code == SQLITE_OK else { throw SQLiteError(last: handle) }
      return (max(0, Int(logged)), max(0, Int(copied)))
    }
  }
}
