import HTTP
import Harvest
import Storage

/// The cache of avatars, kept to the size that the settings name.
struct AvatarCache: Sendable {
  let settings: LibrarySettings
  let library: LibraryOpener
  let time: TimeSource

  /// Evicts avatars beyond the cache limit, unless another process is storing pictures; that one evicts them.
  func trim(_ store: Store) throws {
    let size = try store.cacheSize()
    guard size > 0 else { return }
    let current = try settings.read(in: store)
    let limit = Int(current.cache.bytes)
    guard size > limit, let lock = try? library.pictureLock.acquireExclusive() else { return }
    defer { withExtendedLifetime(lock) {} }
    let grace = time.now().addingTimeInterval(-max(current.grace, GraceTooShort.least).seconds)
    _ = try store.trimCache(to: limit, in: library.blobs, grace: library.evictionGrace(grace), dryRun: false)
  }
}
