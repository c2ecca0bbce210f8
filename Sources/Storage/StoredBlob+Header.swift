import Blobs

extension StoredBlob {
  /// Kept bytes, with what they say of themselves.
  public init(id: BlobID, byteCount: Int, header: MediaHeader) {
    self.init(
      id: id, byteCount: byteCount, mediaType: header.type?.rawValue, width: header.size?.width,
      height: header.size?.height)
  }
}
