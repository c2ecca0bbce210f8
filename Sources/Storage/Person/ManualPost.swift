import Blobs
import FoundationEssentials
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
      let written = try PostWriter.scope(in: db, pictures: true, now: UTC.text(now)) { try $0.write(made, raw: []) }
      let rows: [Int64] = try db.values("SELECT id FROM attachment WHERE post = ? ORDER BY position", [written.id])
      try PictureWriter(db: db, now: now).attach(zip(rows, pictures).map { ($1, .attachment($0), nil) })
      return written.id
    }
  }
}
