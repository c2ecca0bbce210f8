import Glibc

// The system's calls on files, with their failures as `BlobError`.

enum Descriptor {
  /// What `errno` says, as a case to react to.
  static func error(_ path: String, code: Int32 = errno) -> BlobError {
    switch code {
    case ENOSPC, EDQUOT: .full(folder: path)
    case EROFS, EACCES, EPERM: .readOnly(folder: path)
    default: .io(path: path, reason: String(cString: strerror(code)))
    }
  }

  /// Repeats a call that a signal interrupted.
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

  /// Fewer bytes than asked for only at the end of the file.
  static func read(_ file: Int32, at offset: Int, count: Int, path: String) throws(BlobError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = try retried(path) {
        bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress! + filled, count - filled, off_t(offset + filled)) }
      }
      if got == 0 { break }
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// Makes a folder only its owner can enter; false when it stood already. `name` is what people call it.
  @discardableResult
  static func makeFolder(_ path: String, named name: String? = nil) throws(BlobError) -> Bool {
    if mkdir(path, 0o700) == 0 { return true }
    guard errno == EEXIST else { throw error(name ?? path) }
    return false
  }

  /// A folder's new names survive a loss of power only after this.
  static func syncFolder(_ path: String, named name: String) throws(BlobError) {
    let folder = try retried(name) { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    defer { close(folder) }
    // Some file systems know no fsync of a folder; there is nothing more to be had from them.
    if fsync(folder) != 0, errno != EINVAL, errno != ENOTSUP { throw error(name) }
  }

  static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }
}
