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
    let kind = facts.uri.split(separator: ":").prefix(2).joined(separator: ":")
    let earlier = facts.uri.split(separator: ":").dropLast().joined(separator: ":")
    // The kind alone is no post's identity, though libraries of before may have it.
    let former = earlier == kind ? nil : earlier
    let picture = item.pictures[0]?.id.hex
    return try db.row(
      """
      SELECT \(PostRecord.columns) FROM post p LEFT JOIN post_state s ON s.post = p.id
      WHERE p.id = coalesce(
        (SELECT min(id) FROM post WHERE source = $1 AND uri IN ($3, $4)),
        (SELECT min(o.id) FROM blob b JOIN attachment a ON a.blob = b.id JOIN post o ON o.id = a.post
         WHERE b.sha256 = $2 AND o.source = $1 AND o.uri NOT LIKE $5))
      """,
      [facts.source, picture, former, former.flatMap { former in picture.map { "\(former):\($0)" } }, "\(kind)%"]
    ) { try PostRecord($0, as: facts) }
  }

  /// A stored attachment that an item names.
  struct Attached {
    /// Its index in the item.
    let index: Int
    /// Its row.
    let row: Int64
    let isStored: Bool
    /// Whether its place alone tells that it is the same file.
    let isByPlace: Bool

    /// Whether the item may have another file in its place.
    var mayDiffer: Bool { isStored && isByPlace }
  }

  /// Whether an item is a newer version of a stored post.
  static func isNewer(_ item: ImportItem, than known: PostRecord) -> Bool {
    guard !item.replaces, let post = item.item.post else { return false }
    return known.uri == post.uri.storable && post.isNewer(than: known.facts)
  }

  /// The attachments of a stored post that an item names, the indexes of its files that the post lacks, and of those that
  /// only their place tells, so that they may be other files.
  ///
  /// What imports alone brought may grow, as a folder does into which somebody still downloads.
  ///
  /// - Parameters:
  ///   - adds: Whether the post may get files.
  ///   - isNewer: Whether the item is a newer version of it.
  func attachments(
    of item: ImportItem, in post: Int64, adds: Bool, isNewer: Bool
  ) throws -> (named: [Attached], lacking: [Int], compared: [Int]) {
    guard let incoming = item.item.post?.attachments, !incoming.isEmpty else { return ([], [], []) }
    let stored: [AttachmentRecord] = try db.rows(
      "SELECT id, \(AttachmentRecord.columns) FROM attachment WHERE post = $1 ORDER BY position", [post])
    var named = matches(incoming, stored, byPlace: false)
    // A copy may know other addresses than the server gave. If it has as many pictures, the order decides.
    let isWhole = stored.count == incoming.count || adds && named.isEmpty && stored.count < incoming.count
    if named.count < incoming.count, isWhole { named = matches(incoming, stored, byPlace: true) }
    let more = lacking(named, of: incoming, in: stored)
    let isGrowing = try !adds && !isNewer && !more.isEmpty && ImportedPage.isOnlyImported(post, in: db)
    let compared = isNewer || isGrowing ? named.filter(\.mayDiffer).map(\.index) : []
    return (named, adds || isNewer || isGrowing ? more : [], compared)
  }

  /// The indexes of the files of which the post has fewer of their kind, and that are none of its own.
  private func lacking(_ named: [Attached], of incoming: [Attachment], in stored: [AttachmentRecord]) -> [Int] {
    let found = Set(named.map(\.index))
    let kinds = Dictionary(stored.map { ($0.kind, 1) }, uniquingKeysWith: +)
    let wanted = Dictionary(incoming.map { ($0.kind, 1) }, uniquingKeysWith: +)
    return incoming.indices.filter { index in
      let kind = incoming[index].kind
      return !found.contains(index) && kinds[kind.rawValue] ?? 0 < wanted[kind] ?? 0
    }
  }

  /// Of these files of an item, those whose bytes are there and the post has not.
  func unstored(_ lacking: [Int], of item: ImportItem, in post: Int64) throws -> [Int] {
    if lacking.isEmpty { return [] }
    let known: [String] = try db.values(
      "SELECT b.sha256 FROM attachment a JOIN blob b ON b.id = a.blob WHERE a.post = $1", [post])
    return lacking.filter { index in item.pictures[index].map { !known.contains($0.id.hex) } ?? false }
  }

  /// Of lacking files whose bytes are not there, those that may be fetched later: the last ones, and no more than make up
  /// for what the post has fewer of a kind. The others may be its own, under other addresses.
  ///
  /// - Parameter added: The files that the post gets with their bytes.
  func fetchable(_ lacking: [Int], of item: ImportItem, in post: Int64, beside added: [Int]) throws -> [Int] {
    guard let incoming = item.item.post?.attachments, !lacking.isEmpty else { return [] }
    let kinds: [String] = try db.values("SELECT kind FROM attachment WHERE post = $1", [post])
    var room: [Attachment.Kind: Int] = [:]
    for file in incoming { room[file.kind, default: 0] += 1 }
    for kind in kinds.compactMap({ Attachment.Kind(rawValue: $0) }) + added.map({ incoming[$0].kind }) {
      room[kind, default: 0] -= 1
    }
    return lacking.reversed().filter { index in
      let kind = incoming[index].kind
      guard item.pictures[index] == nil, incoming[index].url != nil, room[kind, default: 0] > 0 else { return false }
      room[kind, default: 0] -= 1
      return true
    }
  }

  private func matches(_ incoming: [Attachment], _ stored: [AttachmentRecord], byPlace: Bool) -> [Attached] {
    let records = AttachmentMatch(stored: stored, otherServer: byPlace).merged(incoming, state: "pending")
    return records.enumerated().compactMap { index, record in
      guard let id = record.id, let known = stored.first(where: { $0.id == id }) else { return nil }
      let url = incoming[index].url?.storable
      let isNamed = url != nil && [known.url, known.alternateURL].contains { WebAddress.sameFile($0, url) }
      return Attached(
        index: index, row: id, isStored: record.blob != nil, isByPlace: !isNamed && (byPlace || known.isNameless))
    }
  }
}
