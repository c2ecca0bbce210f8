import Blobs
import Storage

/// Copies the blobs that a store names and that a backup lacks.
struct BlobCopying {
  private let target: DiskBlobs
  /// The store that names the blobs.
  private let store: Store
  private var batches: BlobBatches
  /// Blobs that the earlier store named and this one does not.
  private var rest: [BlobID] = []

  /// What it did.
  var result: BackupResult { batches.result }

  init(
    from source: any BlobStoring, to target: DiskBlobs, named store: Store, known: Int,
    onStep: @escaping (BackupStep) -> Void
  ) {
    (self.target, self.store) = (target, store)
    batches = BlobBatches(from: source, to: target, named: store, known: known, onStep) { target.dropFromMemory($0) }
  }

  /// Copies them.
  ///
  /// - Parameter earlier: A store whose blobs are all in the backup: only what differs from it is looked at. Nil if each
  ///   blob has to be looked for.
  mutating func run(since earlier: Store?) throws {
    var old = earlier.map(NamedBlobs.init)
    var new = NamedBlobs(store)
    var before = try old?.next()
    while let blob = try new.next() {
      while let passed = before, passed.id.hex < blob.id.hex {
        rest.append(passed.id)
        before = try old?.next()
      }
      batches.done += 1
      if before?.id == blob.id {
        before = try old?.next()
        if batches.done % 10_000 == 0 { batches.report() }
        continue
      }
      // One that was cut off has copied some.
      if try target.stat(blob.id)?.byteCount == blob.byteCount {
        batches.report()
      } else {
        try batches.copy(blob)
      }
    }
    while let passed = before {
      rest.append(passed.id)
      before = try old?.next()
    }
    try batches.keep()
    batches.report()
  }

  /// Removes blobs of the backup that the library has let go, once the new store has its place.
  ///
  /// - Parameter isSearched: Whether every blob of the backup is looked at: an earlier backup that was cut off may have
  ///   left some.
  mutating func removeRest(isSearched: Bool) throws {
    if isSearched {
      try target.removeLeftovers()
      try target.eachBlob { blob in
        if try store.blob(blob.id) == nil, try target.remove(blob) { batches.result.removed += 1 }
      }
    }
    for id in rest {
      if let blob = try target.stat(id), try target.remove(blob) { batches.result.removed += 1 }
    }
  }
}

/// The blobs that a store names, in the order of their names, some at a time.
struct NamedBlobs {
  private let store: Store
  private var page: [StoredBlob] = []
  private var index = 0
  private var last: BlobID?

  private static let pageSize = 2000

  init(_ store: Store) { self.store = store }

  mutating func next() throws -> StoredBlob? {
    if index == page.count {
      page = try store.blobs(after: last, limit: Self.pageSize)
      index = 0
      guard let end = page.last else { return nil }
      last = end.id
    }
    defer { index += 1 }
    return page[index]
  }
}
