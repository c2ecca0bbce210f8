import Posts
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

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func add(_ counts: HarvestRun.RecheckCounts, to run: Int64) throws(StorageError) {
    try write { db in
      try db.run(
        "UPDATE run SET looked_up = looked_up + ?, edited = edited + ?, gone = gone + ? WHERE id = ?",
        [counts.lookedUp, counts.edited, counts.gone, run]
      )
    }
  }
}
