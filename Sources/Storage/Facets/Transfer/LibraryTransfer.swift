import Blobs
import FoundationEssentials
import Posts

/// Reads a whole library record by record, and merges another one's records into it.
///
/// Records name things by their identity: feeds by name, authors and posts by source and URI, pictures by hash. The numbers
/// of a library may differ from those of another; the relations do not.
public protocol LibraryTransfer: Sendable {
  /// Calls `body` with every record of the library, or with the posts of a query and what they need: settings, feeds,
  /// authors, posts in the order in which they were stored, items that could not be read.
  ///
  /// All of it is one snapshot, whatever others write meanwhile. Memory does not grow with the library. The write-ahead log
  /// grows by what others write until this returns.
  ///
  /// - Parameters:
  ///   - query: The posts; nil for everything, deleted posts and coverage included.
  ///   - raw: Whether posts have their verbatim answers.
  /// - Throws: `StorageError`, or what `body` throws, which ends the iteration.
  func eachRecord(of query: PostQuery?, raw: Bool, _ body: (LibraryRecord) throws -> Void) throws

  /// The posts after an identity, deleted ones included, ordered by source and URI, without their verbatim answers.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func transferredPosts(after identity: RecordIdentity?, limit: Int) throws(StorageError) -> [TransferredPost]

  /// The authors after an identity, ordered by source and URI.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func transferredAuthors(after identity: RecordIdentity?, limit: Int) throws(StorageError) -> [TransferredAuthor]

  /// All feeds, by name, with what is known of them.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func transferredFeeds() throws(StorageError) -> [TransferredFeed]

  /// Forgets where the items of an earlier merge stood. Every merge begins with it.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  func beginMerge() throws(StorageError)

  /// The pictures among these that have a row. Garbage collection leaves their bytes alone for as long as they have it.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func knownBlobs(among ids: [BlobID]) throws(StorageError) -> Set<BlobID>

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
  ///   - dryRun: Whether nothing is stored. It tells what would be.
  ///   - now: The current time.
  /// - Returns: What changed, and which records cannot be stored.
  /// - Throws: `StorageError` if the library cannot be written.
  func merge(
    _ records: [LibraryRecord], stored: Set<BlobID>, known: Set<BlobID>, dryRun: Bool, now: Date
  ) throws(StorageError) -> MergeResult

  /// Merges the coverage of a feed whose posts were all merged since `beginMerge`, and its unfinished pulls.
  ///
  /// - Returns: The number of intervals that are not claimed: they overlap others of the library, or lie below them.
  /// - Throws: `StorageError` if the library cannot be written.
  func mergeCoverage(of feed: TransferredFeed) throws(StorageError) -> Int
}

extension LibraryTransfer {
  /// Merges records whose pictures nobody removes meanwhile, in one transaction.
  ///
  /// - Parameters:
  ///   - records: Records in the order of an export.
  ///   - stored: The pictures whose bytes are stored. Others are pending if they have an address, else gone.
  ///   - dryRun: Whether nothing is stored. It tells what would be.
  ///   - now: The current time.
  /// - Returns: What changed, and which records cannot be stored.
  /// - Throws: `StorageError` if the library cannot be written.
  public func merge(
    _ records: [LibraryRecord], stored: Set<BlobID>, dryRun: Bool, now: Date
  ) throws(StorageError) -> MergeResult {
    try merge(records, stored: stored, known: [], dryRun: dryRun, now: now)
  }
}
