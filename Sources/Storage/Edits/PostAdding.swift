import FoundationEssentials
import Machine
import Posts

extension Store {
  /// Stores a post made by hand, with its pictures. It is on disk when this returns.
  ///
  /// - Parameters:
  ///   - post: The post. Its source is set to `manual` and its URI to one made from `id`.
  ///   - id: The post's identity.
  ///   - pictures: The stored bytes of its attachments, in order.
  ///   - now: The current time.
  /// - Returns: The post's number.
  /// - Throws: `StorageError` if the library cannot be written.
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
      let rows: [Int64] = try db.values("SELECT id FROM attachment WHERE post = $1 ORDER BY position", [written.id])
      try PictureWriter(db: db, now: now).attach(zip(rows, pictures).map { ($1, .attachment($0), nil) })
      return written.id
    }
  }
}
