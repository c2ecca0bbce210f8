import Glibc
import Machine

// Hands blobs to programs that read files.

/// A file with a blob's bytes: the store's own, or a copy that is removed with this value.
public final class BlobFile: Sendable {
  /// The path of the file, which must not be changed.
  public let path: String
  private let isCopy: Bool

  fileprivate init(_ path: String, isCopy: Bool) { (self.path, self.isCopy) = (path, isCopy) }

  deinit { if isCopy { unlink(path) } }
}

extension BlobStoring {
  /// A file with a blob's bytes: the store's own if it has one, else a temporary copy.
  ///
  /// - Parameter folder: The folder for a copy, such as `/tmp`.
  /// - Throws: `BlobError.missing` if the blob has to be copied and is absent.
  public func file(of id: BlobID, in folder: String) throws(BlobError) -> BlobFile {
    if let path = localFile(of: id) { return BlobFile(path, isCopy: false) }
    let (path, file) = makeTemporaryFile("\(folder)/media-blob.XXXXXX")
    guard file >= 0 else { throw BlobError(location: folder) }
    defer { close(file) }
    let copy = BlobFile(path, isCopy: true)
    try write(id, to: file, at: path)
    return copy
  }

  /// Copies a blob into a new file that only its owner can read.
  ///
  /// - Parameter path: The path of the file, which must not exist.
  /// - Throws: `BlobError.missing` if the blob is absent.
  public func copy(_ id: BlobID, to path: String) throws(BlobError) {
    let file = try Descriptor.retried(path) { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
    defer { close(file) }
    do throws(BlobError) { try write(id, to: file, at: path) } catch {
      unlink(path)
      throw error
    }
  }

  private func write(_ id: BlobID, to file: Int32, at path: String) throws(BlobError) {
    do {
      try eachPiece(of: id) { piece in
        try Descriptor.write(piece, to: file, path: path)
      }
    } catch let error as BlobError {
      throw error
    } catch {
      throw .io(location: path, reason: "\(error)")
    }
  }
}
