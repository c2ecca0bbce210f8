import Blobs
import FoundationEssentials
import Storage

/// Merges batches of records into a library: the bytes of their pictures first, the records in one transaction then.
struct RecordMerging {
  private let store: Store
  private let blobs: any BlobStoring
  private let pictures: (any BlobStoring)?
  private let dryRun: Bool
  private let now: Date
  /// Whether records tell what the bytes of pictures are, as those of a library do.
  private let believesTypes: Bool
  /// Of a trial: the pictures that would come along, and those of them that records before named.
  private let arriving: Set<BlobID>
  private var arrived: Set<BlobID> = []
  /// The albums of the batches before. Filters of the next one name them.
  private var albumNames: [String: Int64] = [:]

  /// - Parameters:
  ///   - store: The library.
  ///   - blobs: Its pictures.
  ///   - pictures: Where the pictures come from; nil if only those count that the library has.
  ///   - dryRun: Whether nothing is stored.
  ///   - believesTypes: Whether records tell what the bytes of pictures are, as those of a library do. Anybody may have
  ///     written those of a file.
  ///   - arriving: Of a trial: the pictures that come along, besides those of `pictures`.
  ///   - now: The current time.
  init(
    into store: Store, _ blobs: any BlobStoring, from pictures: (any BlobStoring)?, dryRun: Bool,
    believesTypes: Bool, arriving: Set<BlobID> = [], now: Date
  ) {
    (self.store, self.blobs, self.pictures, self.dryRun, self.now) = (store, blobs, pictures, dryRun, now)
    (self.believesTypes, self.arriving) = (believesTypes, arriving)
  }

  /// Merges a batch.
  ///
  /// - Returns: What became of the posts, how many pictures were copied, and how many neither side has whole.
  /// - Throws: `StorageError` or `BlobError`. What was merged before stays.
  mutating func merge(_ records: [LibraryRecord]) throws -> (posts: MergeResult, pictures: Int, missing: Int) {
    guard !records.isEmpty else { return (MergeResult(), 0, 0) }
    let wanted = records.flatMap(\.blobs)
    if dryRun { return try tried(records, wanted) }
    // Storing all of them again would cost a repeated copy as much as the first one.
    var known = try store.knownBlobs(among: wanted)
    let copier = BlobCopier(from: pictures ?? blobs, to: blobs)
    while true {
      for id in wanted { try copier.add(id, isKnown: known.contains(id)) }
      try copier.finish()
      let posts = try store.merge(
        try believesTypes ? records : detected(records, copier.present.subtracting(known)), stored: copier.present,
        known: known.intersection(copier.present), albumNames: albumNames, dryRun: false, now: now)
      guard !posts.forgotten.isEmpty else {
        albumNames = posts.albumNames
        return (posts, copier.copied, copier.missing)
      }
      // Another machine has collected garbage meanwhile.
      known.subtract(posts.forgotten)
      copier.forget(posts.forgotten)
    }
  }

  private mutating func tried(
    _ records: [LibraryRecord], _ wanted: [BlobID]
  ) throws -> (posts: MergeResult, pictures: Int, missing: Int) {
    let stored = Set(try wanted.filter { try blobs.stat($0) != nil })
    let others = Set(wanted).subtracting(stored)
    // A library has the pictures that its records name.
    let coming = believesTypes ? others : try others.filter { try arriving.contains($0) || pictures?.stat($0) != nil }
    let new = believesTypes ? [] : coming.subtracting(arrived)
    arrived.formUnion(new)
    let posts = try store.merge(records, stored: believesTypes ? stored : stored.union(coming), dryRun: true, now: now)
    return (posts, new.count, others.count - coming.count)
  }

  /// The records with what the bytes of these pictures really are.
  private func detected(_ records: [LibraryRecord], _ new: Set<BlobID>) throws -> [LibraryRecord] {
    var headers: [BlobID: StoredBlob] = [:]
    return try records.map { record in
      try record.mapBlobs { stored in
        guard let id = stored[.sha256].text.flatMap(BlobID.init), new.contains(id) else { return stored }
        if headers[id] == nil, let info = try blobs.stat(id) {
          headers[id] = StoredBlob(id: id, byteCount: info.byteCount, header: try blobs.header(of: id))
        }
        guard let blob = headers[id] else { return stored }
        var stored = stored
        stored[.bytes] = .integer(Int64(blob.byteCount))
        stored[.mediaType] = blob.mediaType.map { .text($0) } ?? .null
        stored[.width] = blob.width.map { .integer(Int64($0)) } ?? .null
        stored[.height] = blob.height.map { .integer(Int64($0)) } ?? .null
        return stored
      }
    }
  }
}
