import Glibc

// System calls on files. They throw failures as `BlobError`.

enum Descriptor {
  /// Converts `errno` to an error case.
  static func error(_ path: String, code: Int32 = errno) -> BlobError {
    switch code {
    case ENOSPC, EDQUOT: .full(location: path)
    case EROFS, EACCES, EPERM: .readOnly(location: path)
    default: .io(location: path, reason: String(cString: strerror(code)))
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

  static func write(_ bytes: [UInt8], to file: Int32, path: String) throws(BlobError) {
    let result: Result<Void, BlobError> = bytes.withUnsafeBytes { bytes in
      do throws(BlobError) { return .success(try write(bytes, to: file, path: path)) } catch {
        return .failure(error)
      }
    }
    try result.get()
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

  /// Reads the part of a file that lies in the range.
  static func read(_ file: Int32, _ range: Range<Int>, path: String) throws(BlobError) -> [UInt8] {
    var status = stat()
    _ = try retried(path) { fstat(file, &status) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .io(location: path, reason: "it is not a file") }
    let range = range.clamped(to: 0..<Int(status.st_size))
    return range.isEmpty ? [] : try read(file, at: range.lowerBound, count: range.count, path: path)
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
}
