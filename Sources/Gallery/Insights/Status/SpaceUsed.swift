import FoundationEssentials
import Glibc
import MediaLibrary
import Storage

/// The space that a library takes on its disk.
struct SpaceUsed: Sendable, Equatable {
  /// The file of the posts with its log; nil if they are not in a file here.
  let store: Int?
  /// All pictures and files, avatars included.
  let blobs: Int
  let blobCount: Int
  /// The smaller pictures, which can be made again.
  let thumbnails: Int
  /// The disk; nil if the system does not say.
  let disk: DiskRoom?

  init(of library: Library, _ totals: BlobTotals) {
    let files = ["", "-wal", "-shm"].compactMap { Self.size(of: "\(library.folder)/media.sqlite\($0)") }
    store = files.isEmpty ? nil : files.reduce(0, +)
    (blobs, blobCount) = (totals.bytes, totals.count)
    thumbnails = Self.size(below: "\(library.folder)/cache/thumb", depth: 3)
    disk = DiskRoom(of: library.folder)
  }

  private static func size(of path: String) -> Int? {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  /// The bytes of the files in a folder and in folders to a depth.
  private static func size(below folder: String, depth: Int) -> Int {
    guard depth > 0 else { return 0 }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.reduce(0) { sum, name in
      sum + (size(of: "\(folder)/\(name)") ?? size(below: "\(folder)/\(name)", depth: depth - 1))
    }
  }
}
