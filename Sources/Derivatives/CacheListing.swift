import Blobs
import FoundationEssentials
import Glibc

/// Lists the files of the cache.
enum CacheListing {
  /// One file.
  struct Entry {
    let path: String
    /// The blob of a derivative; nil for a draft.
    let blob: BlobID?
    let byteCount: Int
    let usedAt: Date
  }

  /// The derivatives of all sizes, the clean copies, and their drafts. Skips files that the cache did not write.
  static func entries(in folder: String) -> [Entry] {
    var entries: [Entry] = []
    for size in names(in: folder) {
      for prefix in names(in: "\(folder)/\(size)") {
        let path = "\(folder)/\(size)/\(prefix)"
        for name in names(in: path) {
          if let entry = entry("\(path)/\(name)", prefix, name) { entries.append(entry) }
        }
      }
    }
    return entries
  }

  private static func entry(_ path: String, _ prefix: String, _ name: String) -> Entry? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let isWhole = name.hasSuffix(".webp") || name.hasSuffix(ThumbnailCache.cleanSuffix)
    let blob = isWhole ? BlobID(prefix + name.prefix { $0 != "." }) : nil
    guard blob != nil || name.hasSuffix(".part") else { return nil }
    return Entry(path: path, blob: blob, byteCount: Int(status.st_size), usedAt: CacheFile.date(status))
  }

  private static func names(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }
  }
}
