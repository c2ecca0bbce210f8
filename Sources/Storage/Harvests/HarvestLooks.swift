import Posts

extension HarvestRun {
  /// Posts that a harvest looked up again, and what it found.
  public struct Looks: Sendable, Hashable {
    /// How many.
    public var lookedUp = 0
    /// Those that had changed.
    public var edited = 0
    /// Those that are gone.
    public var gone = 0

    /// None.
    public init() {}

    init(_ row: Row) { (lookedUp, edited, gone) = (row["looked_up"], row["edited"], row["gone"]) }
  }
}

extension Store {
  /// Adds what a harvest found where it looked posts up again.
  public func add(_ looks: HarvestRun.Looks, to run: Int64) throws(StorageError) {
    try write { db in
      try db.run(
        "UPDATE run SET looked_up = looked_up + ?, edited = edited + ?, gone = gone + ? WHERE id = ?",
        [looks.lookedUp, looks.edited, looks.gone, run]
      )
    }
  }
}
