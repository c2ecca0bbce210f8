import Blobs
import Glibc
import Machine
import Synchronization

/// Bytes of a store that were read or written on this machine, and bytes under way, in a folder. Any number of processes
/// may use the same folder. Everything in it may go at any time.
final class BlobCache: Sendable {
  private struct State {
    /// Blobs whose bytes were compared with their names: a loss of power may leave others.
    var verified: Set<BlobID> = []
    /// The bytes that were added since the folder was last looked at; nil if it never was.
    var added: Int?
  }

  /// The number of bytes that may stay.
  let limit: Int
  private let folder: String
  private let disk: DiskBlobs
  private let state = Mutex(State())

  init(folder: String, limit: Int) {
    (self.folder, self.limit) = (folder, max(0, limit))
    disk = DiskBlobs(library: folder)
  }

  /// Whether anything stays.
  var isUsed: Bool { limit > 0 }

  /// A file for bytes under way.
  func draft() throws(BlobError) -> any BlobReceiving {
    _ = makeFolders(folder)
    return try disk.draft()
  }

  /// The range of a cached blob; nil if it is not cached. What is read is evicted last.
  func fetch(_ id: BlobID, _ range: Range<Int>) -> [UInt8]? {
    guard isUsed, let blob = try? disk.stat(id), isVerified(blob) else { return nil }
    disk.renew(id, byteCount: blob.byteCount)
    return try? disk.fetch(id, range)
  }

  private func isVerified(_ blob: BlobInfo) -> Bool {
    if state.withLock({ $0.verified.contains(blob.id) }) { return true }
    guard disk.condition(of: blob.id) == .good else {
      _ = try? disk.remove(blob)
      return false
    }
    state.withLock { _ = $0.verified.insert(blob.id) }
    return true
  }

  /// Caches a finished draft. A full disk caches nothing.
  func take(_ draft: any BlobReceiving, _ id: BlobID) {
    guard let byteCount = try? draft.finish().byteCount, byteCount <= limit / 4, (try? disk.place(draft)) != nil else {
      return draft.discard()
    }
    let isDue = state.withLock { state in
      state.verified.insert(id)
      let added = state.added.map { $0 + byteCount }
      state.added = added ?? 0
      return added.map { $0 > limit / 8 } ?? true
    }
    if isDue { evict() }
  }

  /// Removes a blob.
  func drop(_ id: BlobID) {
    guard let blob = try? disk.stat(id) else { return }
    _ = try? disk.remove(blob)
  }

  /// Removes the blobs that were not read for the longest time. One process at a time does so.
  private func evict() {
    let lock = open("\(folder)/evicting", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { return }
    defer { close(lock) }
    state.withLock { $0.added = 0 }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { return }
    _ = try? disk.removeLeftovers()
    var (blobs, bytes): ([BlobInfo], Int) = ([], 0)
    try? disk.eachBlob { blob in
      blobs.append(blob)
      bytes += blob.byteCount
    }
    guard bytes > limit else { return }
    for blob in blobs.sorted(by: { $0.storedAt < $1.storedAt }) {
      if bytes <= limit / 10 * 9 { break }
      if (try? disk.remove(blob)) == true { bytes -= blob.byteCount }
    }
  }
}
