import Posts

/// Finds what the library has of an imported post.
struct ImportMatch {
  let db: Database

  /// The stored post that an item is; nil if there is none.
  func known(_ item: ImportItem, _ post: Post) throws -> PostRecord? {
    let facts = PostFacts(post)
    if let known = try PostWriter.find(facts, isDated: post.isDated, in: db) { return known }
    if let known = try ImportedPage.known(facts, in: db) { return known }
    guard item.isFoundByPicture else { return nil }
    // Two posts with identities of this kind are two, even if they show one picture: `urn:instagram-export:…`. Earlier
    // versions ended such an identity by the first picture's hash, or by nothing where the picture was missing.
    let kind = facts.uri.split(separator: ":").prefix(2).map { "\($0):" }.joined()
    let former = facts.uri.split(separator: ":").dropLast().joined(separator: ":")
    let picture = item.pictures[0]?.id.hex
    return try db.row(
      """
      SELECT \(PostRecord.columns) FROM post p LEFT JOIN post_state s ON s.post = p.id
      WHERE p.id = coalesce(
        (SELECT min(id) FROM post WHERE source = $1 AND uri IN ($3, $4)),
        (SELECT min(o.id) FROM blob b JOIN attachment a ON a.blob = b.id JOIN post o ON o.id = a.post
         WHERE b.sha256 = $2 AND o.source = $1 AND o.uri NOT LIKE $5))
      """,
      [facts.source, picture, former, picture.map { "\(former):\($0)" }, "\(kind)%"]
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
      "SELECT id, \(AttachmentRecord.columns) FROM attachment WHERE post = $1 ORDER BY position", [post])
    let named = matches(incoming, stored, byPlace: false)
    // A copy may know other addresses than the server gave. If it has as many pictures, the order decides.
    let isSame = named.count == incoming.count || stored.count != incoming.count
    return isSame ? named : matches(incoming, stored, byPlace: true)
  }

  private func matches(_ incoming: [Attachment], _ stored: [AttachmentRecord], byPlace: Bool) -> [Attached] {
    let records = AttachmentMatch(stored: stored, otherServer: byPlace).merged(incoming, state: "pending")
    return records.enumerated().compactMap { index, record in
      record.id.map { Attached(index: index, row: $0, isStored: record.blob != nil) }
    }
  }
}
