extension StoreAudit {
  /// SQLite's own check of its file.
  static let structure = StoreAudit(
    name: "the store's file",
    find: { db in
      try apiErrors(db).map { Finding(.damaged, "the store's file is damaged: \($0)", path: "media.sqlite") }
    },
    mend: { db, _ in
      let apiErrors = try apiErrors(db)
      // An index contains nothing that its table does not: rebuild it.
      if !apiErrors.isEmpty, apiErrors.allSatisfy(isOfIndex) { try db.execute("REINDEX") }
    }
  )

  private static func apiErrors(_ db: Database) throws -> [String] {
    let lines: [String] = try db.values("PRAGMA integrity_check(\(most))")
    return lines == ["ok"] ? [] : lines
  }

  private static func isOfIndex(_ message: String) -> Bool {
    ["missing from index ", "wrong # of entries in index ", "non-unique entry in index "]
      .contains { message.contains($0) }
  }
}
