import Glibc
import Machine

// System calls on files. They throw failures as `BlobError`.

enum Descriptor {
  /// Repeats a call while signals interrupt it.
  static func retried<Result: SignedInteger>(_ path: String, _ call: () -> Result) throws(BlobError) -> Result {
    let result = Machine.retried(call)
    guard result >= 0 else { throw BlobError(location: path) }
    return result
  }

  static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, path: String) throws(BlobError) {
    if let code = writeAll(bytes, to: file) { throw BlobError(location: path, code: code) }
  }

  static func write(_ bytes: [UInt8], to file: Int32, path: String) throws(BlobError) {
    if let code = writeAll(bytes, to: file) { throw BlobError(location: path, code: code) }
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
    guard errno == EEXIST else { throw BlobError(location: name ?? path) }
    return false
  }

  /// Syncs a folder. Its new names survive a loss of power only after this.
  static func syncFolder(_ path: String, named name: String) throws(BlobError) {
    if let code = Machine.syncFolder(path) { throw BlobError(location: name, code: code) }
  }
}

extension BlobError {
  /// The error of a call of the system.
  package init(location: String, code: Int32 = errno) {
    self =
      switch code {
      case _ where FullDisk.isReason(code): .full(location: location)
      case EROFS, EACCES, EPERM: .readOnly(location: location)
      default: .io(location: location, reason: String(cString: strerror(code)))
      }
  }
}
