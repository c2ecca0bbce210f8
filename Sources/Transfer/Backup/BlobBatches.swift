import Blobs
import Storage

/// Copies blobs to a backup, some at a time, and counts them.
struct BlobBatches {
  private let source, target: any BlobStoring
  /// The store that names the blobs.
  private let store: Store
  private let known: Int
  private let onStep: (BackupStep) -> Void
  private let onKept: (BlobID) -> Void
  private var drafts: [any BlobReceiving] = []
  private var draftBytes = 0
  /// The number of blobs that were looked at.
  var done = 0
  /// What was done.
  var result = BackupResult()

  /// Drafts are kept together, but not more than these at once: each holds a file open, and a kill loses them.
  private static let mostDrafts = 64
  private static let mostBytes = 64 << 20

  init(
    from source: any BlobStoring, to target: any BlobStoring, named store: Store, known: Int,
    _ onStep: @escaping (BackupStep) -> Void, onKept: @escaping (BlobID) -> Void = { _ in }
  ) {
    (self.source, self.target, self.store) = (source, target, store)
    (self.known, self.onStep, self.onKept) = (known, onStep, onKept)
  }

  /// Copies a blob, with others later. One that the source lacks is noted if it is shown.
  mutating func copy(_ blob: StoredBlob) throws {
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

  /// Makes durable what was copied.
  mutating func keep() throws {
    for kept in try target.keep(drafts) {
      result.copied += 1
      result.bytes += kept.byteCount
      onKept(kept.id)
    }
    (drafts, draftBytes) = ([], 0)
  }

  /// Tells how far it is.
  func report() { onStep(.blobs(done: done, known: max(done, known), bytes: result.bytes + draftBytes)) }
}
