import Blobs
import FoundationEssentials
import Rows

extension Store {
  /// Forgets where the items of an earlier merge stood. Every merge begins with it.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
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
        row bigint PRIMARY KEY, feed bigint NOT NULL, coverage bigint NOT NULL, place bigint NOT NULL)
      """)
  }

  /// The pictures among these that have a row. Garbage collection leaves their bytes alone for as long as they have it.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func knownBlobs(among ids: [BlobID]) throws(StorageError) -> Set<BlobID> {
    try ids.isEmpty ? [] : read { try Self.knownBlobs(among: ids, in: $0) }
  }

  private static func knownBlobs(among ids: some Sequence<BlobID>, in db: Database) throws -> Set<BlobID> {
    let names: [String] = try db.values(
      "SELECT b.sha256 FROM \(db.eachText)($1) j \(db.crossJoin) blob b ON b.sha256 = j.value",
      [ids.map(\.hex).jsonList])
    return Set(names.compactMap { BlobID($0) })
  }

  /// Merges records in one transaction. Merging them again changes nothing.
  ///
  /// The later of a delete and a restore wins. Of two wordings the later wins, and the other is kept as a revision. Coverage
  /// is not merged: what it claims may not be stored yet.
  ///
  /// - Parameters:
  ///   - records: Records in the order of an export.
  ///   - stored: The pictures whose bytes are stored. Others are pending if they have an address, else gone.
  ///   - known: Those of them whose bytes were not stored again just now, because they had a row. If one of them has none any
  ///     more, nothing is merged: garbage collection may remove its bytes. The result names it.
  ///   - albumNames: The result's `albumNames` of the records before these: filters and rules name albums of them.
  ///   - dryRun: Whether nothing is stored. It tells what would be.
  ///   - now: The current time.
  /// - Returns: What changed, and which records cannot be stored.
  /// - Throws: `StorageError` if the library cannot be written.
  public func merge(
    _ records: [LibraryRecord], stored: Set<BlobID>, known: Set<BlobID> = [], albumNames: [String: Int64] = [:],
    dryRun: Bool, now: Date
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
        var merge = try RecordMerge(db: db, stored: stored, albumNames: albumNames, now: now)
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

  /// Merges the coverage of a feed whose posts were all merged since `beginMerge`, and its unfinished pulls.
  ///
  /// - Returns: The number of intervals that are not claimed: they overlap others of the library, or lie below them.
  /// - Throws: `StorageError` if the library cannot be written.
  public func mergeCoverage(of feed: TransferredFeed) throws(StorageError) -> Int {
    guard !feed.coverage.isEmpty || !feed.pulls.isEmpty else { return 0 }
    return try write { db in
      if db.engine == .postgresql { try Self.createItemTable(in: db) }
      guard let id: Int64 = try db.value("SELECT id FROM feed WHERE name = $1", [feed.name]) else { return 0 }
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

  /// What sets columns to the first arguments, in order.
  static func assignments(_ columns: [String]) -> String {
    columns.enumerated().map { "\($1) = $\($0 + 1)" }.joined(separator: ", ")
  }

  /// A statement that inserts one row.
  static func insertion(into table: String, _ columns: String, _ count: Int) -> String {
    "INSERT INTO \(table) (\(columns)) VALUES (\((1...count).map { "$\($0)" }.joined(separator: ", ")))"
  }
}
