import Glibc

// Copies blobs from one store to another.

extension BlobStoring {
  /// Reads a blob of another store into a draft of this one, and verifies it. On a file system that can share bytes
  /// between files, nothing is written.
  ///
  /// - Parameters:
  ///   - id: The blob.
  ///   - other: The store that has it.
  /// - Returns: The draft, to be kept; nil if the other store has no such bytes, has others, or cannot read them.
  /// - Throws: `BlobError` if this store cannot be written, or if the other one is in a service that cannot be used: that
  ///   says nothing about the bytes.
  public func draft(copying id: BlobID, from other: any BlobStoring) throws -> (any BlobReceiving)? {
    let draft = try draft()
    if try !((draft as? DiskDraft)?.share(other, id) ?? false) {
      var offset = 0
      while true {
        let length = 1 << 20
        let piece: [UInt8]
        do throws(BlobError) { piece = try other.fetch(id, offset..<offset + length) } catch {
          draft.discard()
          if case .service = error { throw error }
          return nil
        }
        try piece.withUnsafeBytes { try draft.write($0) }
        offset += piece.count
        if piece.count < length { break }
      }
    }
    if try draft.finish().id == id { return draft }
    draft.discard()
    return nil
  }
}

extension DiskDraft {
  fileprivate func share(_ other: any BlobStoring, _ id: BlobID) throws(BlobError) -> Bool {
    guard let path = other.localFile(of: id) else { return false }
    return try share(path)
  }
}

extension DiskBlobs {
  /// Has the system forget a blob's bytes, which are on the disk: whoever reads them next reads the disk, and other
  /// programs keep theirs in memory.
  public func dropFromMemory(_ id: BlobID) {
    let file = open(currentPath(of: id), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return }
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
    close(file)
  }
}
