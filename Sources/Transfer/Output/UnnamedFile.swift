import Glibc
import Machine

/// A file without a name, which goes with its last reference.
///
/// Unchecked, because `byteCount` changes: one thread at a time uses it, that of the output which has it.
final class UnnamedFile: @unchecked Sendable {
  private let file: Int32
  /// How many bytes it has.
  private(set) var byteCount = 0

  /// Nil if the folder cannot have such a file; `errno` says why.
  init?(in folder: String) {
    let path: String
    (path, file) = makeTemporaryFile("\(folder)/.media-XXXXXX.part")
    guard file >= 0 else { return nil }
    unlink(path)
  }

  deinit { close(file) }

  /// Empties it. Returns the code of a failure.
  func clear() -> Int32? {
    byteCount = 0
    return ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0 ? nil : errno
  }

  /// Adds bytes. Returns the code of a failure.
  func append(_ bytes: UnsafeRawBufferPointer) -> Int32? {
    if let code = writeAll(bytes, to: file) { return code }
    byteCount += bytes.count
    return nil
  }

  /// The bytes at an offset, at most a megabyte; none at the end, and nil if they cannot be read: `errno` says why.
  func bytes(at offset: Int) -> [UInt8]? {
    var piece = [UInt8](repeating: 0, count: min(1 << 20, byteCount - offset))
    if piece.isEmpty { return [] }
    let count = retried { pread(file, &piece, piece.count, offset) }
    if count == 0 { errno = EIO }
    return count > 0 ? Array(piece.prefix(count)) : nil
  }
}
