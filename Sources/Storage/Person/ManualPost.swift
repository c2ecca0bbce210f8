import Blobs
import Foundation
import Posts

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  @discardableResult
  public func add(
    _ post: Post,
    id: UUID,
    pictures: [StoredBlob] = [],
    now: Date
  ) throws(StorageError) -> Int64 {
    var post = post
    post.source = .manual
    post.uri = "urn:uuid:\(id.uuidString.lowercased())"
    let made = post
    return try writeDurably { db in
      var writer = try PostWriter(db: db, pictures: true, now: UTC.text(now))
      let written = try writer.write(made, raw: [])
      try writer.index()
      let rows: [Int64] = try db.values("SELECT id FROM attachment WHERE post = ? ORDER BY position", [written.id])
      var pictureWriter = PictureWriter(db: db, now: now)
      for (attachment, blob) in zip(rows, pictures) {
        try pictureWriter.attach(blob, to: .attachment(attachment), from: nil)
      }
      try pictureWriter.write()
      return written.id
    }
  }
}
