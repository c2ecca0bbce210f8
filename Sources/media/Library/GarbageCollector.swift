import Derivatives
import FoundationEssentials
import HTTP
import Storage

/// Collects a library's garbage within the limits of its settings.
struct GarbageCollector {
  let library: LibraryOpener
  let settings: LibrarySettings
  let console: Console
  let time: TimeSource
  let dryRun: Bool
  /// Whether the store is compacted however large it is.
  let compactsAll: Bool

  func collect() throws -> Garbage {
    let lock = try library.pictureLock.acquireExclusive()
    defer { withExtendedLifetime(lock) {} }
    if dryRun { return try library.withStore(for: .reading) { try collect($0) } }
    var before = Garbage()
    while true {
      do {
        var garbage = try library.withStore { try collect($0) }
        garbage.orphans += before.orphans
        garbage.bytes += before.bytes
        return garbage
      } catch let error as StorageError {
        guard case .full = error else { throw error }
        let (freed, garbage) = try library.withStore(for: .reading) { store in
          let limits = try limits(store)
          return try store.makeRoom(in: library.blobs, trash: limits.trash, grace: limits.grace)
        }
        guard freed > 0 else { throw error }
        before.orphans += garbage.orphans
        before.bytes += garbage.bytes
      }
    }
  }

  /// Removes thumbnails of pictures that are gone, and those beyond the limit. They are made anew where they are needed.
  func collectThumbnails() throws -> ThumbnailCache.Removed {
    let limit = try library.withStore(for: .reading) { try settings.read(in: $0).thumbnails.bytes }
    let cache = ThumbnailCache(library: library.path, limit: Int(limit), now: time.now)
    // A picture that cannot be asked for is taken to be there.
    return cache.collectGarbage(dryRun: dryRun) { (try? library.blobs.contains($0)) != false }
  }

  /// Posts deleted and pictures stored before these times are collected.
  private func limits(_ store: Store) throws -> (trash: Date, grace: Date) {
    let current = try settings.read(in: store)
    try library.expectGrace(current.grace)
    let now = time.now()
    return (now.addingTimeInterval(-current.trash.seconds), now.addingTimeInterval(-current.grace.seconds))
  }

  private func collect(_ store: Store) throws -> Garbage {
    let current = try settings.read(in: store)
    let limits = try limits(store)
    let progress = GarbageProgress(LiveLine(console))
    defer { progress.line.clear() }
    var garbage = try store.collectGarbage(
      in: library.blobs, trash: limits.trash, grace: limits.grace, dryRun: dryRun
    ) { progress.note($0) }
    let avatars = try store.trimCache(
      to: Int(current.cache.bytes), in: library.blobs, grace: library.evictionGrace(limits.grace), dryRun: dryRun)
    garbage.avatars = avatars.avatars
    garbage.bytes += avatars.bytes
    progress.note(.store)
    let compaction = try store.compact(dryRun: dryRun, upTo: compactsAll ? .max : Compaction.unaskedLimit)
    (garbage.store, garbage.waste) = (compaction.freed, compaction.left)
    return garbage
  }
}

extension Duration {
  /// As Foundation's dates count.
  var seconds: TimeInterval { self / .seconds(1) }
}
