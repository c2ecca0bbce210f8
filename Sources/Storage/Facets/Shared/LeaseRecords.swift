import FoundationEssentials

/// Leases of a library that machines share. A process that dies or sleeps loses its leases when they end; on one machine,
/// locks of the kernel do the same.
///
/// All times are the server's: the clocks of the machines do not matter.
public protocol LeaseRecords: Sendable {
  /// The server's time.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func serverTime() throws(StorageError) -> Date

  /// Takes the first of some leases that nobody holds. It waits for nobody.
  ///
  /// - Parameters:
  ///   - names: What is wanted, the most wanted first.
  ///   - most: The maximum number of leases that are taken.
  ///   - holder: Who takes them, for people: machine and process.
  ///   - life: When they end unless they are extended.
  /// - Returns: The leases that were taken.
  /// - Throws: `StorageError` if the library cannot be written.
  func takeLeases(
    _ names: [String], most: Int, as holder: String, lasting life: Duration
  ) throws(StorageError) -> [Lease]

  /// Extends a lease from now, also one that has ended if nobody took it meanwhile.
  ///
  /// - Returns: False if another holder took it.
  /// - Throws: `StorageError` if the library cannot be written.
  func extendLease(_ lease: Lease, lasting life: Duration) throws(StorageError) -> Bool

  /// Ends a lease. One that another holder took is left alone.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  func releaseLease(_ lease: Lease) throws(StorageError)

  /// Who holds a lease; nil if nobody does.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func leaseHolder(_ name: String) throws(StorageError) -> LeaseHolder?
}

/// A store that machines may share.
public protocol LeaseProvider: Sendable {
  /// Its leases; nil for a library of one machine, which has locks of the kernel.
  var leases: (any LeaseRecords)? { get }
}
