import Glibc
import Machine

// Tells whether a blob still has the bytes that its name promises.

/// The condition of a blob's bytes.
public enum BlobCondition: Sendable, Hashable {
  /// Complete, with the right hash.
  case good
  /// No blob has the name.
  case missing
  /// The blob has this number of bytes, not the number that was written.
  case wrongLength(Int)
  /// The right number of bytes, but other bytes.
  case wrongBytes
  /// The store cannot read the bytes. The value is the system's message.
  case unreadable(String)
  /// The system refuses to read them now, which says nothing about the bytes. The value is the system's message.
  case withheld(String)
}

extension DiskBlobs {
  /// The number of bytes that are hashed at a time.
  private static let pieceSize = 64 << 10

  /// Reads and hashes a blob's whole file, in constant memory.
  public func condition(of id: BlobID, byteCount: Int?) -> BlobCondition {
    let file = open(currentPath(of: id), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      return errno == ENOENT || errno == ENOTDIR ? .missing : Self.refused(errno)
    }
    defer { close(file) }
    var status = Glibc.stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .unreadable("it is not a file") }
    if let byteCount, Int(status.st_size) != byteCount { return .wrongLength(Int(status.st_size)) }
    _ = posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL)
    do throws(ReadFailure) {
      return try Self.digest(of: file) == id ? .good : .wrongBytes
    } catch {
      return Self.refused(error.code)
    }
  }

  /// Only errors of the disk or of the file itself count as damage. A file without permission or too many open files do
  /// not.
  static func refused(_ code: Int32) -> BlobCondition {
    let reason = String(cString: strerror(code))
    return [EIO, EBADMSG, EUCLEAN, ELOOP, ENXIO].contains(code) ? .unreadable(reason) : .withheld(reason)
  }

  fileprivate struct ReadFailure: Error {
    let code: Int32
  }

  fileprivate static func digest(of file: Int32) throws(ReadFailure) -> BlobID {
    guard let hash = BlobHash() else { throw ReadFailure(code: ENOMEM) }
    var piece = [UInt8](repeating: 0, count: pieceSize)
    while true {
      let count = retried { Glibc.read(file, &piece, pieceSize) }
      guard count >= 0 else { throw ReadFailure(code: errno) }
      if count == 0 { break }
      piece.withUnsafeBytes { hash.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    return hash.end()
  }
}

extension BlobID {
  /// The name of a file's bytes, from its beginning; nil if it cannot be read.
  ///
  /// - Parameter file: An open file at its beginning.
  public init?(hashing file: Int32) {
    guard let id = try? DiskBlobs.digest(of: file) else { return nil }
    self = id
  }
}
