import FoundationEssentials

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
  var audits: [StoreAudit] {
    switch writer.engine {
    case .sqlite: [.structure, .references, .coverage, .times, .orders, .searchIndex, .totals, .cacheSize, .texts]
    case .postgresql: [.coverage, .times, .orders, .storedWords, .totals, .cacheSize, .texts]
    }
  }

  /// Audits of data that no command reads by itself.
  static let deepAudits: [StoreAudit] = [.answers]

  /// The findings of an audit. An unreadable file is itself a finding.
  func findings(of audit: StoreAudit) throws(StorageError) -> [Finding] {
    do {
      return try writer.audit(audit.find)
    } catch {
      let failure = explained(error)
      guard case .damaged(_, let reason) = failure else { throw failure }
      return [
        Finding(.damaged, "the store cannot be read whole: \(reason)", path: writer.file.map { _ in Self.fileName })
      ]
    }
  }
}

extension StoreAudit {
  /// The total size of avatars, which a trigger maintains.
  static let cacheSize = StoreAudit(
    name: "the size of the cache",
    find: { db in
      let stored: Int? = try db.value("SELECT bytes FROM cache_size")
      let counted: Int? = try db.value("SELECT coalesce(CAST(sum(bytes) AS bigint), 0) FROM cached")
      guard stored != counted else { return [] }
      return [Finding(.count, "the cache is said to have \(stored ?? 0) bytes and has \(counted ?? 0)")]
    },
    mend: { db, _ in
      try db.correctCacheSize()
    }
  )
}
