import Foundation

/// A named question to the store's rows, and how to bring them in order again.
///
/// `Store.audits` lists all of them; a number that triggers keep is held to a fresh count by one more.
struct StoreAudit: Sendable {
  /// What is looked for, for whoever waits.
  let name: String
  /// Reads what is not in order. It runs on a connection of its own that cannot write.
  let find: @Sendable (Database) throws -> [Finding]
  /// Brings in order what was found, inside one transaction, without losing knowledge; nil where nothing can be done.
  var mend: (@Sendable (Database, Mending) throws -> Void)?

  /// The most findings that one audit tells of.
  static let most = 1000
}

/// What a repair needs to know.
struct Mending: Sendable {
  /// The time of the repair.
  let now: Date
  /// Keeps what is taken out of the store: a line of JSON each.
  let setAside: @Sendable (String) throws -> Void
}

extension Store {
  /// Every audit, in the order in which they are made: what later ones rely on comes first.
  static let audits: [StoreAudit] = [
    .structure, .references, .coverage, .orders, .searchIndex, .totals, .cacheSize, .texts,
  ]

  /// Those that read what no command reads by itself.
  static let deepAudits: [StoreAudit] = [.answers]

  /// What an audit finds. A file that cannot even be read is itself a finding.
  func findings(of audit: StoreAudit) throws(StorageError) -> [Finding] {
    do {
      return try auditing(audit.find)
    } catch {
      let failure = explained(error)
      guard case .damaged(_, let reason) = failure else { throw failure }
      return [Finding(.damaged, "the store cannot be read whole: \(reason)", path: "media.sqlite")]
    }
  }

  /// Looks at the rows through a connection of its own, which nobody waits for and which cannot change them.
  private func auditing<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard let file = writer.place else { return try writer.use(body) }
    let database = try Database(file, .reading)
    // What is sorted is as large as the library.
    try database.execute("PRAGMA temp_store = FILE")
    return try body(database)
  }
}

extension StoreAudit {
  /// SQLite's own word on its file.
  static let structure = StoreAudit(
    name: "the store's file",
    find: { db in
      try complaints(db).map { Finding(.damaged, "the store's file is damaged: \($0)", path: "media.sqlite") }
    },
    mend: { db, _ in
      let complaints = try complaints(db)
      // An index says nothing that its table does not say: it is made anew from there.
      if !complaints.isEmpty, complaints.allSatisfy(isOfIndex) { try db.execute("REINDEX") }
    }
  )

  /// The bytes of avatars, as a trigger adds them up.
  static let cacheSize = StoreAudit(
    name: "the size of the cache",
    find: { db in
      let row = try db.row("SELECT (SELECT bytes FROM cache_size), (SELECT coalesce(sum(bytes), 0) FROM cached)")
      let (kept, counted): (Int?, Int?) = (row?[0], row?[1])
      guard kept != counted else { return [] }
      return [Finding(.count, "the cache is said to have \(kept ?? 0) bytes and has \(counted ?? 0)")]
    },
    mend: { db, _ in
      try db.run("INSERT OR REPLACE INTO cache_size (id, bytes) SELECT 1, coalesce(sum(bytes), 0) FROM cached")
    }
  )

  private static func complaints(_ db: Database) throws -> [String] {
    let lines: [String] = try db.values("PRAGMA integrity_check(\(most))")
    return lines == ["ok"] ? [] : lines
  }

  private static func isOfIndex(_ complaint: String) -> Bool {
    ["missing from index ", "wrong # of entries in index ", "non-unique entry in index "]
      .contains { complaint.contains($0) }
  }
}
