import Rows

extension HarvestRun {
  /// The rechecks of a harvest, and their results.
  public struct RecheckCounts: Sendable, Hashable, RowDecodable {
    /// The number of rechecked posts.
    public var lookedUp = 0
    /// The number that had changed.
    public var edited = 0
    /// The number that are gone.
    public var gone = 0

    /// Creates an empty value.
    public init() {}

    package init(_ row: some RowReading) throws {
      (lookedUp, edited, gone) = try (row["looked_up"], row["edited"], row["gone"])
    }
  }
}

extension Store {
  /// Adds the results of rechecks to a harvest's record.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  public func add(_ counts: HarvestRun.RecheckCounts, to run: Int64) throws(StorageError) {
    try write { db in
      try db.run(
        "UPDATE run SET looked_up = looked_up + $1, edited = edited + $2, gone = gone + $3 WHERE id = $4",
        [counts.lookedUp, counts.edited, counts.gone, run]
      )
    }
  }
}
