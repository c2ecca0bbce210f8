import CSQLite
import SQLite

extension StoreAudit {
  /// Whether the search index matches the posts.
  ///
  /// FTS5's integrity check counts as a write, which would block pulls. So it checks a copy of the index's tables,
  /// which is deleted with the connection.
  static let searchIndex = StoreAudit(
    name: "the search index",
    find: { db in
      try makeCopy(in: db)
      var findings: [Finding] = []
      // Copy and compare within one snapshot, even if others write meanwhile.
      try db.sqlite.transaction(.deferred) { _ in
        try fillCopy(in: db)
        do {
          try db.execute("INSERT INTO temp.audited_fts (audited_fts, rank) VALUES ('integrity-check', 1)")
        } catch let error as SQLiteError where error.code == SQLITE_CORRUPT {
          findings = [Finding(.search, "the search index does not fit the posts")]
        }
      }
      return findings
    },
    mend: { db, _ in try db.execute("INSERT INTO caption_fts (caption_fts) VALUES ('rebuild')") }
  )

  private static func makeCopy(in db: Database) throws {
    try db.execute(
      """
      DROP TABLE IF EXISTS temp.audited_fts;
      DROP VIEW IF EXISTS temp.audited_post;
      PRAGMA temp_store = FILE;
      CREATE TEMP VIEW audited_post AS SELECT * FROM main.searched_post;
      CREATE VIRTUAL TABLE temp.audited_fts USING fts5 (
        title, caption, warning, author, alt, tags, files,
        content = 'audited_post', content_rowid = 'id', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
      );
      """
    )
  }

  private static func fillCopy(in db: Database) throws {
    for table in ["data", "idx", "config"] {
      try db.execute(
        """
        DELETE FROM temp.audited_fts_\(table);
        INSERT INTO temp.audited_fts_\(table) SELECT * FROM main.caption_fts_\(table);
        """
      )
    }
  }
}
