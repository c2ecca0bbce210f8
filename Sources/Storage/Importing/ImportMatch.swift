import Posts

/// Finds what the library has of an imported post.
struct ImportMatch {
  let db: Database

  /// The stored post that an item is; nil if there is none.
  func known(_ item: ImportItem, _ post: Post) throws -> PostRecord? {
    let facts = PostFacts(post)
    if let known = try PostWriter.find(facts, isDated: post.isDated, in: db) { return known }
    guard item.isFoundByPicture, let picture = item.pictures[0] else { return nil }
    return try db.row(
      """
      SELECT \(PostRecord.columns) FROM post p LEFT JOIN post_state s ON s.post = p.id
      WHERE p.source = ?1 AND p.id = (
        SELECT min(o.id) FROM blob b JOIN attachment a ON a.blob = b.id JOIN post o ON o.id = a.post
        WHERE b.sha256 = ?2 AND o.source = ?1)
      """,
      [facts.source, picture.id.hex]
    ) { try PostRecord($0, as: facts) }
  }

  /// A stored attachment that an item names.
  struct Attached {
    /// Its index in the item.
    let index: Int
    /// Its row.
    let row: Int64
    let isStored: Bool
  }

  /// The attachments of a stored post that an item names.
  func attachments(of item: ImportItem, in post: Int64) throws -> [Attached] {
    guard let incoming = item.item.post?.attachments, !incoming.isEmpty else { return [] }
    let stored: [AttachmentRecord] = try db.rows(
      "SELECT id, \(AttachmentRecord.columns) FROM attachment WHERE post = ? ORDER BY position", [post])
    let named = matches(incoming, stored, byPlace: false)
    // A copy may know other addresses than the server gave. If it has as many pictures, the order decides.
    let isSame = named.count == incoming.count || stored.count != incoming.count
    return isSame ? named : matches(incoming, stored, byPlace: true)
  }

  private func matches(_ incoming: [Attachment], _ stored: [AttachmentRecord], byPlace: Bool) -> [Attached] {
    var match = AttachmentMatch(stored: stored, otherServer: byPlace)
    return incoming.enumerated().compactMap { index, attachment in
      let record = match.merged(attachment, at: index, state: "pending")
      return record.id.map { Attached(index: index, row: $0, isStored: record.blob != nil) }
    }
  }
}
