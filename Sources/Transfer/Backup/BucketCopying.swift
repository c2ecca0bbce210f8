import Blobs
import Storage

/// Sends the blobs that a store names and that a backup in a service lacks. Both are read in the order of the names, side by
/// side: the service lists a thousand at once, so nothing is asked for each blob.
struct BucketCopying {
  private let target: any BlobStoring
  private var named: NamedBlobs
  private var batches: BlobBatches
  private var page: ArraySlice<BlobInfo> = []
  private var isEnded = false
  private var last: BlobID?
  /// Blobs that the store does not name.
  private var rest: [BlobInfo] = []

  /// What it did.
  var result: BackupResult { batches.result }

  private static let pageSize = 500

  init(
    from source: any BlobStoring, to target: any BlobStoring, named store: Store, known: Int,
    _ onStep: @escaping (BackupStep) -> Void
  ) {
    (self.target, named) = (target, NamedBlobs(store))
    batches = BlobBatches(from: source, to: target, named: store, known: known, onStep)
  }

  mutating func run() throws {
    while let blob = try named.next() {
      while let there = try peek(), there.id.hex < blob.id.hex { rest.append(page.removeFirst()) }
      batches.done += 1
      if let there = try peek(), there.id == blob.id {
        page.removeFirst()
        if there.byteCount == blob.byteCount {
          if batches.done % 1_000 == 0 { batches.report() }
          continue
        }
      }
      try batches.copy(blob)
    }
    while try peek() != nil { rest.append(page.removeFirst()) }
    try batches.keep()
    batches.report()
  }

  /// Removes what the library has let go, once the new store has its place.
  mutating func removeRest() throws {
    try target.removeLeftovers()
    for blob in rest where try target.remove(blob) { batches.result.removed += 1 }
  }

  /// The next blob of the backup.
  private mutating func peek() throws -> BlobInfo? {
    if page.isEmpty, !isEnded {
      page = try target.page(after: last, limit: Self.pageSize)[...]
      isEnded = page.isEmpty
      last = page.last?.id
    }
    return page.first
  }
}
