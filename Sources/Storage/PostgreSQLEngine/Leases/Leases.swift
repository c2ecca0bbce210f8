import FoundationEssentials

extension Store {
  /// Its leases; nil for a library of one machine, which has locks of the kernel.
  public var leases: Leases? { writer.engine == .postgresql ? Leases(store: self) : nil }
}

/// Leases of a library that machines share. A process that dies or sleeps loses its leases when they end; on one machine,
/// locks of the kernel do the same.
///
/// All times are the server's: the clocks of the machines do not matter.
public struct Leases: Sendable {
  let store: Store

  /// The server's time.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func serverTime() throws(StorageError) -> Date {
    let seconds: Double? = try store.read {
      try $0.value("SELECT CAST(extract(epoch FROM clock_timestamp()) AS double precision)")
    }
    return Date(timeIntervalSince1970: seconds ?? 0)
  }

  /// Takes the first of some leases that nobody holds. It waits for nobody.
  ///
  /// - Parameters:
  ///   - names: What is wanted, the most wanted first.
  ///   - most: The maximum number of leases that are taken.
  ///   - holder: Who takes them, for people: machine and process.
  ///   - life: When they end unless they are extended.
  /// - Returns: The leases that were taken.
  /// - Throws: `StorageError` if the library cannot be written.
  public func takeLeases(
    _ names: [String], most: Int, as holder: String, lasting life: Duration
  ) throws(StorageError) -> [Lease] {
    try store.writeOnce { try Self.table(in: $0)?.take(names, most: most, by: holder, for: life) ?? [] }
  }

  /// Extends a lease from now, also one that has ended if nobody took it meanwhile.
  ///
  /// - Returns: False if another holder took it.
  /// - Throws: `StorageError` if the library cannot be written.
  public func extendLease(_ lease: Lease, lasting life: Duration) throws(StorageError) -> Bool {
    try store.writeOnce { try Self.table(in: $0)?.extend(lease, for: life) ?? false }
  }

  /// Ends a lease. One that another holder took is left alone.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  public func releaseLease(_ lease: Lease) throws(StorageError) {
    try store.writeOnce { try Self.table(in: $0)?.release(lease) }
  }

  /// Who holds a lease; nil if nobody does.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func leaseHolder(_ name: String) throws(StorageError) -> LeaseHolder? {
    try store.read { try Self.table(in: $0)?.holder(of: name) }
  }

  private static func table(in db: Database) -> LeaseTable? {
    guard case .postgresql(let session) = db.connection else { return nil }
    return LeaseTable(connection: session.connection)
  }
}
