import Blobs
import Foundation
import Posts
import Storage

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RelayedStore {
  public func eachRecord(of query: PostQuery?, raw: Bool, _ body: (LibraryRecord) throws -> Void) throws {
    try below.eachRecord(of: query, raw: raw, body)
  }

  public func transferredPosts(
    after identity: RecordIdentity?, limit: Int
  ) throws(StorageError) -> [TransferredPost] { try below.transferredPosts(after: identity, limit: limit) }

  public func transferredAuthors(
    after identity: RecordIdentity?, limit: Int
  ) throws(StorageError) -> [TransferredAuthor] { try below.transferredAuthors(after: identity, limit: limit) }

  public func transferredFeeds() throws(StorageError) -> [TransferredFeed] {
    try below.transferredFeeds().map {
      TransferredFeed(
        values: $0.values, follow: $0.follow, visit: $0.visit, look: $0.look, coverage: $0.coverage, pulls: $0.pulls)
    }
  }

  public func beginMerge() throws(StorageError) { try below.beginMerge() }

  public func knownBlobs(among ids: [BlobID]) throws(StorageError) -> Set<BlobID> { try below.knownBlobs(among: ids) }

  public func merge(
    _ records: [LibraryRecord], stored: Set<BlobID>, known: Set<BlobID>, dryRun: Bool, now: Date
  ) throws(StorageError) -> MergeResult {
    let merged = try below.merge(records, stored: stored, known: known, dryRun: dryRun, now: now)
    var copy = MergeResult()
    (copy.new, copy.updated, copy.unchanged) = (merged.new, merged.updated, merged.unchanged)
    (copy.refused, copy.forgotten) = (merged.refused, merged.forgotten)
    return copy
  }

  public func mergeCoverage(of feed: TransferredFeed) throws(StorageError) -> Int {
    try below.mergeCoverage(of: feed)
  }

  public func postsMadeByHand() throws(StorageError) -> [(id: Int64, uri: String)] {
    try below.postsMadeByHand().map { (id: $0.id, uri: $0.uri) }
  }

  public func postMadeByHand(_ uri: String) throws(StorageError) -> Int64? { try below.postMadeByHand(uri) }

  public func save(_ entries: [PlannerEntry], now: Date) throws(StorageError) {
    try below.save(entries.map { PlannerEntry(post: $0.post, files: $0.files) }, now: now)
  }
}
