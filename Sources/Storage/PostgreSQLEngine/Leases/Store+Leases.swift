import FoundationEssentials

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store: LeaseProvider, LeaseRecords {
  public var leases: (any LeaseRecords)? { writer.engine == .postgresql ? self : nil }

  public func serverTime() throws(StorageError) -> Date {
    let seconds: Double? = try read {
      try $0.value("SELECT CAST(extract(epoch FROM clock_timestamp()) AS double precision)")
    }
    return Date(timeIntervalSince1970: seconds ?? 0)
  }

  public func takeLeases(
    _ names: [String], most: Int, as holder: String, lasting life: Duration
  ) throws(StorageError) -> [Lease] {
    try writeOnce { try Self.table(in: $0)?.take(names, most: most, by: holder, for: life) ?? [] }
  }

  public func extendLease(_ lease: Lease, lasting life: Duration) throws(StorageError) -> Bool {
    try writeOnce { try Self.table(in: $0)?.extend(lease, for: life) ?? false }
  }

  public func releaseLease(_ lease: Lease) throws(StorageError) {
    try writeOnce { try Self.table(in: $0)?.release(lease) }
  }

  public func leaseHolder(_ name: String) throws(StorageError) -> LeaseHolder? {
    try read { try Self.table(in: $0)?.holder(of: name) }
  }

  private static func table(in db: Database) -> LeaseTable? {
    guard case .postgresql(let session) = db.connection else { return nil }
    return LeaseTable(connection: session.connection)
  }
}
