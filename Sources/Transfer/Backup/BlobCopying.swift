import Blobs
import Storage

/// Copies the blobs that a store names and that a backup lacks.
struct BlobCopying {
  private let source: any BlobStoring
  private let target: DiskBlobs
  /// The store that names the blobs.
  private let store: Store
  private let known: Int
  private let onStep: (BackupStep) -> Void
  private var drafts: [any BlobReceiving] = []
  private var draftBytes = 0
  /// Blobs that the earlier store named and this one does not.
  private var rest: [BlobID] = []
  private var done = 0
  private(set) var result = BackupResult()

  /// Drafts are synced together, but not more than these at once: each holds a file open, and a kill loses them.
  private static let mostDrafts = 64
  private static let mostBytes = 64 << 20

  init(
    from source: any BlobStoring, to target: DiskBlobs, named store: Store, known: Int,
    onStep: @escaping (BackupStep) -> Void
  ) {
    (self.source, self.target, self.store, self.known, self.onStep) = (source, target, store, known, onStep)
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
      done += 1
      if before?.id == blob.id {
        before = try old?.next()
        if done % 10_000 == 0 { report() }
        continue
      }
      try copy(blob)
    }
    while let passed = before {
      rest.append(passed.id)
      before = try old?.next()
    }
    try keep()
    report()
  }

  /// Removes blobs of the backup that the library has let go, once the new store has its place.
  ///
  /// - Parameter isSearched: Whether every blob of the backup is looked at: an earlier backup that was cut off may have
  ///   left some.
  mutating func removeRest(isSearched: Bool) throws {
    if isSearched {
      try target.removeLeftovers()
      try target.eachBlob { blob in
        if try store.blob(blob.id) == nil, try target.remove(blob) { result.removed += 1 }
      }
    }
    for id in rest {
      if let blob = try target.stat(id), try target.remove(blob) { result.removed += 1 }
    }
  }

  private mutating func copy(_ blob: StoredBlob) throws {
    // One that was cut off has copied some.
    if try target.stat(blob.id)?.byteCount == blob.byteCount { return report() }
    guard let draft = try target.draft(copying: blob.id, from: source) else {
      if try store.isShown(blob.id) {
        result.lostCount += 1
        if result.lost.count < BackupResult.mostNamed { result.lost.append(blob.id) }
      }
      return
    }
    drafts.append(draft)
    draftBytes += blob.byteCount
    if drafts.count >= Self.mostDrafts || draftBytes >= Self.mostBytes { try keep() }
    report()
  }

  private mutating func keep() throws {
    for kept in try target.keep(drafts) {
      result.copied += 1
      result.bytes += kept.byteCount
      target.dropFromMemory(kept.id)
    }
    (drafts, draftBytes) = ([], 0)
  }

  private func report() { onStep(.blobs(done: done, known: max(done, known), bytes: result.bytes + draftBytes)) }
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
