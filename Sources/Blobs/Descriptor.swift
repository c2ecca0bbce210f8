import Glibc

// System calls on files. They throw failures as `BlobError`.

enum Descriptor {
  /// Converts `errno` to an error case.
  static func error(_ path: String, code: Int32 = errno) -> BlobError {
    switch code {
    case ENOSPC, EDQUOT: .full(folder: path)
    case EROFS, EACCES, EPERM: .readOnly(folder: path)
    default: .io(path: path, reason: String(cString: strerror(code)))
    }
  }

  /// Repeats a call while signals interrupt it.
  static func retried<Result: SignedInteger>(_ path: String, _ call: () -> Result) throws(BlobError) -> Result {
    while true {
      let result = call()
      if result >= 0 { return result }
      guard errno == EINTR else { throw error(path) }
    }
  }

  static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, path: String) throws(BlobError) {
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      let count = rest.count
      let written = try retried(path) { Glibc.write(file, start, count) }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }

  /// Returns fewer than `count` bytes only at the end of the file.
  static func read(_ file: Int32, at offset: Int, count: Int, path: String) throws(BlobError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let received = try retried(path) {
        bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress! + filled, count - filled, off_t(offset + filled)) }
      }
      if received == 0 { break }
      filled += received
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// Creates a folder that only its owner can enter. Returns false if it existed.
  ///
  /// - Parameter name: the path to show to people.
  @discardableResult
  static func makeFolder(_ path: String, named name: String? = nil) throws(BlobError) -> Bool {
    if mkdir(path, 0o700) == 0 { return true }
    guard errno == EEXIST else { throw error(name ?? path) }
    return false
  }

  /// Syncs a folder. Its new names survive a loss of power only after this.
  static func syncFolder(_ path: String, named name: String) throws(BlobError) {
    let folder = try retried(name) { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    defer { close(folder) }
    // Some file systems do not support fsync of a folder, and nothing else helps there.
    if fsync(folder) != 0, errno != EINVAL, errno != ENOTSUP { throw error(name) }
  }

  static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }
}
