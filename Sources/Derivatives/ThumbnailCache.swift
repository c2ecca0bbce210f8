import Blobs
import FoundationEssentials
import Glibc
import Synchronization

/// The derivatives that were made, as files of a library: `cache/thumb/320/ab/….webp`, and the copies that are published:
/// `cache/thumb/clean-1/ab/….clean`.
///
/// Nothing here is promised. A file that is missing, damaged or evicted is made anew, so nothing is synced, and `check` and
/// `copy` pass it by. Any number of processes may use it at once. The file of a removed blob goes when it was not used for
/// longest, or with `media gc`.
///
/// A file's modification time is the time of its last use, to the hour: reading a file writes to the disk at most once in
/// an hour.
public final class ThumbnailCache: Sendable {
  /// How many files were removed, and their bytes.
  public struct Removed: Sendable, Equatable {
    /// The number of files.
    public var files = 0
    /// The number of bytes.
    public var bytes = 0

    /// Nothing.
    public init() {}

    mutating func add(_ bytes: Int) {
      files += 1
      self.bytes += bytes
    }
  }

  /// The default limit in bytes.
  public static let standardLimit = 2_000_000_000

  private static let stalenessLimit: TimeInterval = 3600

  private struct State {
    /// The size at the last count, and what this process wrote since; nil before the first count.
    var size: Int?
    var written = 0
  }

  let limit: Int
  private let library: OpenDirectory
  private let now: @Sendable () -> Date
  private let state = Mutex(State())
  private let trimming = Mutex(())

  /// The cache of the library in a folder.
  ///
  /// - Parameters:
  ///   - library: The library's folder.
  ///   - limit: The maximum size in bytes.
  ///   - now: The clock.
  public init(library: String, limit: Int = standardLimit, now: @escaping @Sendable () -> Date) {
    (self.library, self.limit, self.now) = (OpenDirectory(library), limit, now)
  }

  var folder: String { "\(library.path)/cache/thumb" }

  private func path(_ blob: BlobID, _ size: Derivatives.Size) -> String {
    "\(folder)/\(size.rawValue)/\(blob.folderName)/\(blob.hex.dropFirst(2)).webp"
  }

  /// Whether there is a file of a derivative, whole or not. Does not count as a use.
  func holds(_ blob: BlobID, _ size: Derivatives.Size) -> Bool { access(path(blob, size), R_OK) == 0 }

  /// A derivative; nil if there is none. Removes a file that is not whole. Counts as a use.
  func file(_ blob: BlobID, _ size: Derivatives.Size) -> DerivativeFile? {
    let path = path(blob, size)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let file = CacheFile.bytes(descriptor).flatMap({ DerivativeFile($0, size: size) }) else {
      unlink(path)
      return nil
    }
    countUse(of: descriptor)
    return file
  }

  private func countUse(of descriptor: Int32) {
    let now = now()
    if let used = CacheFile.usedAt(descriptor), abs(now.timeIntervalSince(used)) > Self.stalenessLimit {
      CacheFile.use(descriptor, at: now)
    }
  }

  /// Stores a derivative. Another process may store it at the same time; both write the same.
  func keep(_ file: DerivativeFile, _ blob: BlobID, _ size: Derivatives.Size) throws(BlobError) {
    try CacheFile.write(
      file.bytes, to: path(blob, size), below: library.path, named: "\(library.name)/cache", at: now())
    state.withLock { $0.written += file.byteCount }
  }

  // MARK: Clean copies

  static let cleanSuffix = ".clean"
  /// Its number grows when more is taken out of files than before.
  private var cleanFolder: String { "\(folder)/clean-1" }

  private func cleanPath(_ blob: BlobID) -> String {
    "\(cleanFolder)/\(blob.folderName)/\(blob.hex.dropFirst(2))\(Self.cleanSuffix)"
  }

  /// The clean copy of a blob; nil if there is none. Counts as a use.
  func cleanCopy(of blob: BlobID) -> CleanCopy? {
    let copy = CleanCopy(at: cleanPath(blob))
    if let copy { countUse(of: copy.descriptor) }
    return copy
  }

  /// The path of a new clean copy that is not whole yet, as another process knows it; nil if the cache can have none.
  func cleanDraft(of blob: BlobID, named name: String) -> String? {
    let path = "\(cleanFolder)/\(blob.folderName)"
    do throws(BlobError) {
      try CacheFile.makeFolders(path, below: library.path, named: "\(library.name)/cache")
    } catch {
      return nil
    }
    // The open folder is known to this process only, and its name may be another folder's by now.
    let named = "\(library.name)\(path.dropFirst(library.path.count))"
    var (one, other) = (stat(), stat())
    guard stat(path, &one) == 0, stat(named, &other) == 0, one.st_ino == other.st_ino, one.st_dev == other.st_dev,
      access(named, W_OK) == 0
    else { return nil }
    return "\(named)/\(name)"
  }

  /// Keeps a clean copy.
  ///
  /// - Parameter draft: The path of the copy.
  /// - Returns: Whether it is kept. A copy that would take the room of very many pictures is not.
  func keepCleanCopy(_ copy: CleanCopy, of blob: BlobID, from draft: String) -> Bool {
    // A power cut must leave no part of it under its name.
    guard draft.hasPrefix(library.name), copy.byteCount <= limit / 8, fsync(copy.descriptor) == 0 else { return false }
    CacheFile.use(copy.descriptor, at: now())
    guard rename(draft, cleanPath(blob)) == 0 else { return false }
    state.withLock { $0.written += copy.byteCount }
    trimIfNeeded()
    return true
  }

  // MARK: Limits

  /// Evicts the files that were not used for longest, if the cache may have outgrown its limit. Lists the folder only then,
  /// and once at first.
  func trimIfNeeded() {
    let isNeeded = state.withLock { state in
      guard let size = state.size else { return true }
      // Other processes write, too: count again after a tenth.
      return size + state.written > limit || state.written > limit / 10
    }
    guard isNeeded else { return }
    // Another thread does it already: this one has other work.
    _ = trimming.withLockIfAvailable { _ in trim { _ in true } }
  }

  /// Removes the files of blobs that are gone, and evicts others beyond the limit.
  ///
  /// - Parameters:
  ///   - dryRun: Whether to count only.
  ///   - isStored: Whether the library still has a blob.
  public func collectGarbage(dryRun: Bool, isStored: (BlobID) -> Bool) -> Removed {
    trimming.withLock { _ in trim(dryRun: dryRun, isStored: isStored) }
  }

  @discardableResult
  private func trim(dryRun: Bool = false, isStored: (BlobID) -> Bool) -> Removed {
    state.withLock { $0.written = 0 }
    var (kept, size, removed) = ([CacheListing.Entry](), 0, Removed())
    func remove(_ entry: CacheListing.Entry) {
      if dryRun || unlink(entry.path) == 0 { removed.add(entry.byteCount) }
    }
    for entry in CacheListing.entries(in: folder) {
      let isDraftOfOthers = entry.blob == nil && now().timeIntervalSince(entry.usedAt) < Self.stalenessLimit
      if isDraftOfOthers { continue }
      guard let blob = entry.blob, isStored(blob) else {
        remove(entry)
        continue
      }
      kept.append(entry)
      size += entry.byteCount
    }
    if size > limit {
      kept.sort { $0.usedAt < $1.usedAt }
      // Somewhat more than needed, so that the next file does not need it again.
      for entry in kept {
        guard size > limit / 10 * 9 else { break }
        remove(entry)
        size -= entry.byteCount
      }
    }
    state.withLock { $0.size = size }
    return removed
  }
}
