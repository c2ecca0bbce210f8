import Blobs
import FoundationEssentials
import Glibc
import Machine
import Pictures

/// System calls on one file of the cache.
enum CacheFile {
  private static let unchanged = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)  // UTIME_OMIT, which Swift does not import

  /// All bytes of an open file; nil if it is no regular file, or too large for a derivative.
  static func bytes(_ descriptor: Int32) -> [UInt8]? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (1...DerivativeProtocol.mostBytes).contains(status.st_size)
    else { return nil }
    var isComplete = false
    let bytes = [UInt8](unsafeUninitializedCapacity: status.st_size) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
      isComplete = count == status.st_size
    }
    return isComplete ? bytes : nil
  }

  /// When an open file was last used.
  static func usedAt(_ descriptor: Int32) -> Date? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? date(status) : nil
  }

  /// The time of a file's last use.
  static func date(_ status: stat) -> Date {
    Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9)
  }

  /// Sets the time of the last use. A failure, as on a read-only disk, makes a file look older than it is.
  static func use(_ descriptor: Int32, at date: Date) {
    let seconds = date.timeIntervalSince1970
    let time = timespec(tv_sec: Int(seconds.rounded(.down)), tv_nsec: 0)
    var times = [unchanged, time]
    _ = futimens(descriptor, &times)
  }

  /// Writes a file under another name in the same folder and renames it, so that nobody reads a part of it.
  ///
  /// - Parameters:
  ///   - root: The folder below which folders are created.
  ///   - location: What people know the folder by.
  static func write(
    _ bytes: [UInt8], to path: String, below root: String, named location: String, at date: Date
  ) throws(BlobError) {
    guard let slash = path.lastIndex(of: "/") else { throw .io(location: location, reason: "it is no path") }
    let folder = String(path[..<slash])
    var draft = makeTemporaryFile("\(folder)/XXXXXX.part")
    if draft.file < 0, errno == ENOENT {
      try makeFolders(folder, below: root, named: location)
      draft = makeTemporaryFile("\(folder)/XXXXXX.part")
    }
    guard draft.file >= 0 else { throw BlobError(location: location) }
    defer { close(draft.file) }
    if let code = writeAll(bytes, to: draft.file) {
      errno = code
    } else {
      use(draft.file, at: date)
      if rename(draft.path, path) == 0 { return }
    }
    let failure = BlobError(location: location)
    unlink(draft.path)
    throw failure
  }

  /// Makes a folder, and those above it below a root.
  static func makeFolders(_ folder: String, below root: String, named location: String) throws(BlobError) {
    var path = root
    for name in folder.dropFirst(root.count).split(separator: "/") {
      path += "/\(name)"
      if mkdir(path, 0o700) != 0, errno != EEXIST { throw BlobError(location: location) }
      if name == "cache" { CacheFile.tag(path) }
    }
  }

  /// Backup programs skip a folder with this file (https://bford.info/cachedir).
  private static func tag(_ folder: String) {
    let descriptor = open("\(folder)/CACHEDIR.TAG", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    _ = writeAll(Array("Signature: 8a477f597d28d172789f06886806bc55\n".utf8), to: descriptor)
    close(descriptor)
  }
}
