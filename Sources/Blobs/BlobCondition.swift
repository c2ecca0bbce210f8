import CCrypto
import Glibc

// Whether a blob's file still holds what its name says.

/// What became of a blob's file since it was written.
public enum BlobCondition: Sendable, Hashable {
  /// Whole, and with the right hash.
  case good
  /// No file has the name.
  case missing
  /// So many bytes instead of those that were written.
  case wrongLength(Int)
  /// As many bytes, but others.
  case wrongBytes
  /// The disk does not give the bytes; its own words.
  case unreadable(String)
}

extension DiskBlobs {
  /// How many bytes are hashed at a time.
  private static let pieceSize = 1 << 20

  /// Reads a blob's file from its first byte to its last, in constant memory. Without `byteCount` any length is right.
  public func condition(of id: BlobID, byteCount: Int? = nil) -> BlobCondition {
    let path = path(of: id)
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      return errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable(String(cString: strerror(errno)))
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .unreadable("it is no file") }
    if let byteCount, Int(status.st_size) != byteCount { return .wrongLength(Int(status.st_size)) }
    _ = posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL)
    do throws(BlobError) {
      return try Self.digest(of: file, path: path) == id ? .good : .wrongBytes
    } catch {
      guard case .io(_, let reason) = error else { return .unreadable("it may not be read") }
      return .unreadable(reason)
    }
  }

  private static func digest(of file: Int32, path: String) throws(BlobError) -> BlobID {
    let hash = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(hash) }
    guard hash != nil, EVP_DigestInit_ex(hash, EVP_sha256(), nil) == 1 else {
      throw .io(path: path, reason: "SHA-256 is not available")
    }
    var piece = [UInt8](repeating: 0, count: pieceSize)
    while true {
      let count = try Descriptor.retried(path) { Glibc.read(file, &piece, pieceSize) }
      if count == 0 { break }
      EVP_DigestUpdate(hash, piece, count)
    }
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_DigestFinal_ex(hash, &digest, nil)
    return BlobID(digest: digest)
  }
}
