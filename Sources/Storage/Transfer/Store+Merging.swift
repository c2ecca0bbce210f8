import Blobs
import FoundationEssentials
import Posts
import Rows

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func beginMerge() throws(StorageError) {
    try aside { db in
      // A batch touches pages of a dozen indexes. They are written once, at its end, if there is room for them until then.
      // Where items stand, and what a statement that moves all of them may have to take back, does not fit into memory.
      if db.engine == .sqlite { try db.execute("PRAGMA cache_size = -8192; PRAGMA temp_store = FILE") }
      try Self.createItemTable(in: db)
      try db.run("DELETE FROM merged_item")
    }
  }

  /// Another connection, which replaces one that ended, has no such table. Without its rows, less coverage is claimed.
  private static func createItemTable(in db: Database) throws {
    try db.run(
      """
      CREATE TEMP TABLE IF NOT EXISTS merged_item (
        row INTEGER PRIMARY KEY, feed INTEGER NOT NULL, coverage INTEGER NOT NULL, place INTEGER NOT NULL)
      """)
  }

  public func knownBlobs(among ids: [BlobID]) throws(StorageError) -> Set<BlobID> {
    try ids.isEmpty ? [] : read { try Self.knownBlobs(among: ids, in: $0) }
  }

  private static func knownBlobs(among ids: some Sequence<BlobID>, in db: Database) throws -> Set<BlobID> {
    let names: [String] = try db.values(
      "SELECT b.sha256 FROM json_each(? /* texts */) j CROSS JOIN blob b ON b.sha256 = j.value",
      [ids.map(\.hex).jsonList])
    return Set(names.compactMap { BlobID($0) })
  }

  public func merge(
    _ records: [LibraryRecord], stored: Set<BlobID>, known: Set<BlobID>, dryRun: Bool, now: Date
  ) throws(StorageError) -> MergeResult {
    var isRefused = false
    func merged(_ eachAlone: Bool) throws(StorageError) -> MergeResult {
      let body = { (db: Database) throws -> MergeResult in
        if db.engine == .postgresql { try Self.createItemTable(in: db) }
        if !known.isEmpty {
          // Whoever drops such a row at once loses against this transaction, or this one against them.
          let forgotten = try known.subtracting(Self.knownBlobs(among: known, in: db))
          guard forgotten.isEmpty else { return MergeResult(forgotten: forgotten) }
        }
        var merge = try RecordMerge(db: db, stored: stored, now: now)
        do { try merge.merge(records, eachAlone: eachAlone) } catch {
          isRefused = RecordMerge.refusal(error) != nil
          throw error
        }
        return merge.result
      }
      return dryRun ? try trial(body) : try write(body)
    }
    do throws(StorageError) { return try merged(false) } catch {
      guard isRefused else { throw error }
      return try merged(true)
    }
  }

  public func mergeCoverage(of feed: TransferredFeed) throws(StorageError) -> Int {
    guard !feed.coverage.isEmpty || !feed.pulls.isEmpty else { return 0 }
    return try write { db in
      if db.engine == .postgresql { try Self.createItemTable(in: db) }
      guard let id: Int64 = try db.value("SELECT id FROM feed WHERE name = ?", [feed.name]) else { return 0 }
      var merge = CoverageMerge(db: db, feed: id)
      try merge.merge(feed)
      return merge.left
    }
  }
}

extension ColumnContent {
  /// The value as an argument of a statement.
  var argument: (any Argument)? {
    switch self {
    case .null: nil
    case .integer(let number): number
    case .real(let number): number
    case .text(let text): text.storable
    case .blob(let bytes): bytes
    }
  }
}

extension [ColumnContent] {
  var arguments: Arguments { map(\.argument) }
}

extension Database {
  /// Inserts one row. A value of a type that its column does not have throws.
  func insert(into table: String, _ columns: String, _ values: Arguments, _ tail: String = "") throws {
    try run("\(Self.insertion(into: table, columns, values.count)) \(tail)", values)
  }

  /// Inserts one row as `insert` does.
  ///
  /// - Returns: The row's number.
  func insertNumbered(into table: String, _ columns: String, _ values: Arguments) throws -> Int64 {
    try insertNumbered(Self.insertion(into: table, columns, values.count), values)
  }

  /// A statement that inserts one row.
  static func insertion(into table: String, _ columns: String, _ count: Int) -> String {
    let marks = String(repeating: "?, ", count: count - 1) + "?"
    return "INSERT INTO \(table) (\(columns)) VALUES (\(marks))"
  }
}

extension [StaticString] {
  /// The columns as SQL lists them.
  var sql: String { map(\.description).joined(separator: ", ") }
}
