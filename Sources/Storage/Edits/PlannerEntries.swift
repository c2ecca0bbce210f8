import FoundationEssentials
import Machine
import Posts

extension Store {
  /// The posts made by hand that are not deleted, oldest first, and their URIs. The cost does not grow with what was pulled.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func postsMadeByHand() throws(StorageError) -> [(id: Int64, uri: String)] {
    try read { db in
      try db.rows(
        """
        SELECT p.id, p.uri FROM post p LEFT JOIN post_state s ON s.post = p.id
        WHERE p.source = 'manual' AND s.deleted_at IS NULL ORDER BY p.created_at, p.id
        """
      ) { (id: try $0["id"], uri: try $0["uri"]) }
    }
  }

  /// The post made by hand with a URI, deleted or not; nil if there is none.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func postMadeByHand(_ uri: String) throws(StorageError) -> Int64? {
    try read { try $0.value("SELECT id FROM post WHERE source = 'manual' AND uri = $1", [uri.storable]) }
  }

  /// When the entries of a series start, deleted or not, the earliest first: the post made by hand with a URI, and those whose
  /// URIs are that one, `#`, and more.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func startsMadeByHand(ofSeries uri: String) throws(StorageError) -> [(uri: String, start: Date)] {
    try read { db in
      try db.rows(
        """
        SELECT uri, created_at FROM post
        WHERE source = 'manual' AND (uri = $1 OR uri > $2 AND uri < $3) ORDER BY created_at, id
        """, [uri.storable, "\(uri)#".storable, "\(uri)$".storable]
      ) { (uri: try $0["uri"] as String, start: UTC.date(try $0["created_at"])) }
      .compactMap { row in row.start.map { (row.uri, $0) } }
    }
  }

  /// Stores entries in one transaction: a new post, or another wording of the post with the same URI, whose earlier wording
  /// becomes a revision. Files that the post does not have yet are added to it.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  public func save(_ entries: [PlannerEntry], now: Date) throws(StorageError) {
    try writeDurably { db in
      let written = try PostWriter.scope(in: db, pictures: true, now: UTC.text(now)) { writer in
        try entries.map { entry in
          var post = entry.post
          (post.source, post.attachments, post.listsAttachments) = (.manual, [], false)
          return try writer.write(post, raw: []).id
        }
      }
      let pictures = PictureWriter(db: db, now: now)
      for (id, entry) in zip(written, entries) {
        for file in entry.files { try Self.add(file, to: id, pictures, in: db) }
      }
    }
  }

  private static func add(
    _ file: (attachment: Attachment, blob: StoredBlob?), to post: Int64, _ pictures: PictureWriter, in db: Database
  ) throws {
    let blob = try file.blob.map(pictures.row)
    let record = AttachmentRecord(file.attachment, state: "pending")
    let isKnown = try db.hasRow(
      "SELECT 1 FROM attachment WHERE post = $1 AND (blob = $2 OR url = $3)", [post, blob, record.url])
    guard !isKnown else { return }
    try db.run(
      """
      INSERT INTO attachment (post, position, kind, url, width, height, name, blob, state)
      SELECT $1, coalesce(max(position) + 1, 0), $2, $3, $4, $5, $6, $7, $8 FROM attachment WHERE post = $1
      """,
      [
        post, record.kind, record.url, record.width, record.height, record.name, blob,
        blob == nil ? "pending" : "stored",
      ])
  }
}
