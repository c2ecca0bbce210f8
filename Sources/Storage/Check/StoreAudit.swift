import FoundationEssentials
import SQLite

/// A named check of the store's rows, and its repair.
///
/// `Store.audits` lists all of them.
struct StoreAudit: Sendable {
  /// What is checked, shown to whoever waits.
  let name: String
  /// Finds faults. It runs on a connection of its own that cannot write.
  let find: @Sendable (Database) throws -> [Finding]
  /// Repairs what was found, inside one transaction, without losing information; nil if no repair is possible.
  var mend: (@Sendable (Database, Mending) throws -> Void)?

  /// The maximum number of findings of one audit.
  static let most = 1000
}

/// What a repair needs.
struct Mending: Sendable {
  /// The time of the repair.
  let now: Date
  /// Stores what is removed from the store, as one line of JSON.
  let setAside: @Sendable (String) throws -> Void
}

extension Store {
  /// Every audit in order: what later ones rely on comes first.
  static let audits: [StoreAudit] = [
    .structure, .references, .coverage, .orders, .searchIndex, .totals, .cacheSize, .texts,
  ]

  /// Audits of data that no command reads by itself.
  static let deepAudits: [StoreAudit] = [.answers]

  /// The findings of an audit. An unreadable file is itself a finding.
  func findings(of audit: StoreAudit) throws(StorageError) -> [Finding] {
    do {
      return try auditing(audit.find)
    } catch {
      let failure = explained(error)
      guard case .damaged(_, let reason) = failure else { throw failure }
      return [Finding(.damaged, "the store cannot be read whole: \(reason)", path: "media.sqlite")]
    }
  }

  /// Reads the rows through a connection of its own, which blocks nobody and cannot write.
  private func auditing<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard let file = writer.currentPath else { return try writer.use(body) }
    let database = try Database(file, .reading)
    // A sort may need as much space as the library.
    try database.execute("PRAGMA temp_store = FILE")
    return try body(database)
  }
}

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

  /// The total size of avatars, which a trigger maintains.
  static let cacheSize = StoreAudit(
    name: "the size of the cache",
    find: { db in
      let stored: Int? = try db.value("SELECT bytes FROM cache_size")
      let counted: Int? = try db.value("SELECT coalesce(sum(bytes), 0) FROM cached")
      guard stored != counted else { return [] }
      return [Finding(.count, "the cache is said to have \(stored ?? 0) bytes and has \(counted ?? 0)")]
    },
    mend: { db, _ in
      try db.run("INSERT OR REPLACE INTO cache_size (id, bytes) SELECT 1, coalesce(sum(bytes), 0) FROM cached")
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
