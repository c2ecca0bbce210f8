import Blobs
import Posts
import Rows

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func blob(_ id: BlobID) throws(StorageError) -> StoredBlob? {
    try read { db in
      try db.rows("SELECT bytes, media_type, width, height FROM blob WHERE sha256 = ?", [id.hex]) { row in
        StoredBlob(
          id: id, byteCount: try row["bytes"], mediaType: try row["media_type"], width: try row["width"],
          height: try row["height"])
      }.first
    }
  }
}
