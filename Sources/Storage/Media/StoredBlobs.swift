import Blobs
import Rows

extension Store {
  /// A stored blob: its length, and the type that was detected when it was stored.
  ///
  /// - Parameter id: The name of the bytes.
  /// - Returns: The blob; nil if the library has none of that name. Its file may be missing all the same.
  /// - Throws: `StorageError` if the library cannot be read.
  public func blob(_ id: BlobID) throws(StorageError) -> StoredBlob? {
    try read { db in
      try db.rows("SELECT bytes, media_type, width, height FROM blob WHERE sha256 = $1", [id.hex]) { row in
        StoredBlob(
          id: id, byteCount: try row["bytes"], mediaType: try row["media_type"], width: try row["width"],
          height: try row["height"])
      }.first
    }
  }
}
