import Blobs
import Harvest
import Storage

/// The cache of avatars, kept to the size that the settings name.
struct AvatarCache: Sendable {
  let settings: LibrarySettings
  let blobs: any BlobStoring
  let lock: PictureLock

  /// Evicts avatars beyond the cache limit, unless another process is storing pictures; that one evicts them.
  func trim(_ store: any StoreCare & PersonalChanges) throws {
    let size = try store.cacheSize()
    guard size > 0 else { return }
    let limit = Int(try settings.read(in: store).cache.bytes)
    guard size > limit, let lock = try? lock.acquireExclusive() else { return }
    defer { withExtendedLifetime(lock) {} }
    _ = try store.trimCache(to: limit, in: blobs, dryRun: false)
  }
}
