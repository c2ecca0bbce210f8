import Blobs
import FoundationEssentials
import Storage

/// Merges batches of records into a library: the bytes of their pictures first, the records in one transaction then.
struct RecordMerging {
  private let store: any LibraryTransfer
  private let blobs: any BlobStoring
  private let pictures: (any BlobStoring)?
  private let dryRun: Bool
  private let now: Date

  /// - Parameters:
  ///   - store: The library.
  ///   - blobs: Its pictures.
  ///   - pictures: Where the pictures come from; nil if only those count that the library has.
  ///   - dryRun: Whether nothing is stored.
  ///   - now: The current time.
  init(
    into store: any LibraryTransfer, _ blobs: any BlobStoring, from pictures: (any BlobStoring)?, dryRun: Bool,
    now: Date
  ) {
    (self.store, self.blobs, self.pictures, self.dryRun, self.now) = (store, blobs, pictures, dryRun, now)
  }

  /// Merges a batch.
  ///
  /// - Returns: What became of the posts, how many pictures were copied, and how many neither side has whole.
  /// - Throws: `StorageError` or `BlobError`. What was merged before stays.
  func merge(_ records: [LibraryRecord]) throws -> (posts: MergeResult, pictures: Int, missing: Int) {
    guard !records.isEmpty else { return (MergeResult(), 0, 0) }
    let wanted = records.flatMap(\.blobs)
    if dryRun {
      let stored = Set(try wanted.filter { try blobs.stat($0) != nil })
      let missing = pictures == nil ? Set(wanted).subtracting(stored).count : 0
      return (try store.merge(records, stored: stored, dryRun: true, now: now), 0, missing)
    }
    // Storing all of them again would cost a repeated copy as much as the first one.
    var known = try store.knownBlobs(among: wanted)
    let copier = BlobCopier(from: pictures ?? blobs, to: blobs)
    while true {
      for id in wanted { try copier.add(id, isKnown: known.contains(id)) }
      try copier.finish()
      let posts = try store.merge(
        records, stored: copier.present, known: known.intersection(copier.present), dryRun: false, now: now)
      guard !posts.forgotten.isEmpty else { return (posts, copier.copied, copier.missing) }
      // Another machine has collected garbage meanwhile.
      known.subtract(posts.forgotten)
      copier.forget(posts.forgotten)
    }
  }
}
