import Blobs
import Storage

/// Sends the blobs that a store names and that a backup in a service lacks. Both are read in the order of the names, side by
/// side: the service lists a thousand at once, so nothing is asked for each blob.
struct BucketCopying {
  private let source: any BlobStoring
  private let target: any BlobStoring
  private let known: Int
  private let onStep: (BackupStep) -> Void
  private var named: NamedBlobs
  private var page: ArraySlice<BlobInfo> = []
  private var isEnded = false
  private var last: BlobID?
  private var drafts: [any BlobReceiving] = []
  private var draftBytes = 0
  private let store: Store
  /// Blobs that the store does not name.
  private var rest: [BlobInfo] = []
  private var done = 0
  private(set) var result = BackupResult()

  /// Drafts are sent together, but not more than these at once.
  private static let mostDrafts = 64
  private static let mostBytes = 64 << 20
  private static let pageSize = 500

  init(
    from source: any BlobStoring, to target: any BlobStoring, named store: Store, known: Int,
    _ onStep: @escaping (BackupStep) -> Void
  ) {
    (self.source, self.target, self.store) = (source, target, store)
    (self.known, self.onStep, named) = (known, onStep, NamedBlobs(store))
  }

  mutating func run() throws {
    while let blob = try named.next() {
      while let there = try peek(), there.id.hex < blob.id.hex { rest.append(page.removeFirst()) }
      done += 1
      if let there = try peek(), there.id == blob.id {
        page.removeFirst()
        if there.byteCount == blob.byteCount {
          if done % 1_000 == 0 { report() }
          continue
        }
      }
      try copy(blob)
    }
    while try peek() != nil { rest.append(page.removeFirst()) }
    try keep()
    report()
  }

  /// Removes what the library has let go, once the new store has its place.
  mutating func removeRest() throws {
    try target.removeLeftovers()
    for blob in rest where try target.remove(blob) { result.removed += 1 }
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

  private mutating func copy(_ blob: StoredBlob) throws {
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
    }
    (drafts, draftBytes) = ([], 0)
  }

  private func report() { onStep(.blobs(done: done, known: max(done, known), bytes: result.bytes + draftBytes)) }
}
