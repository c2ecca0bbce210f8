import Blobs

extension StoredBlob {
  /// Creates a stored blob from the header of its bytes.
  public init(id: BlobID, byteCount: Int, header: MediaHeader) {
    self.init(
      id: id, byteCount: byteCount, mediaType: header.type?.rawValue, width: header.size?.width,
      height: header.size?.height)
  }
}
