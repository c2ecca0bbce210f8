import Blobs
import Foundation
import Posts
import Storage

/// A store outside the module `Storage`, which relays every call to another store and makes each value that it returns
/// anew, from its parts. It compiles as long as a store of another engine can be written, in a target of its own; and
/// what is handed a relayed store cannot depend on the type below.
public struct RelayedStore: LibraryStore {
  let below: any LibraryStore

  /// Relays to a store, which it closes when it is closed.
  public init(_ below: any LibraryStore) { self.below = below }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RelayedStore {
  public var isClosed: Bool { below.isClosed }

  public var isUnchecked: Bool { below.isUnchecked }

  public func close() { below.close() }

  public var leases: (any LeaseRecords)? { below.leases }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RelayedStore {
  public func check(
    _ blobs: any BlobStoring, _ plan: CheckPlan, now: Date, isPulling: @escaping @Sendable () -> Bool,
    onStep: (CheckStep) -> Void, found: (Finding, _ isMended: Bool) throws -> Void
  ) throws -> CheckResult {
    try below.check(blobs, plan, now: now, isPulling: isPulling, onStep: onStep) { try found($0.copy, $1) }.copy
  }

  public func cacheSize() throws(StorageError) -> Int { try below.cacheSize() }

  public func trimCache(to limit: Int, in blobs: any BlobStoring, grace: Date, dryRun: Bool) throws -> Garbage {
    try below.trimCache(to: limit, in: blobs, grace: grace, dryRun: dryRun).copy
  }

  public func compact(dryRun: Bool, upTo largest: Int) throws(StorageError) -> Compaction {
    try below.compact(dryRun: dryRun, upTo: largest).copy
  }

  public func makeRoom(
    in blobs: any BlobStoring, trash: Date, grace: Date
  ) throws -> (freed: Int, garbage: Garbage) {
    let (freed, garbage) = try below.makeRoom(in: blobs, trash: trash, grace: grace)
    return (freed, garbage.copy)
  }

  public func collectGarbage(
    in blobs: any BlobStoring, trash: Date, grace: Date, dryRun: Bool, onStep: (GarbageStep) -> Void
  ) throws -> Garbage {
    try below.collectGarbage(in: blobs, trash: trash, grace: grace, dryRun: dryRun, onStep: onStep).copy
  }
}
