import Blobs
import FoundationEssentials
import Posts

/// Reads whole posts by their numbers, with five queries for any number of posts.
struct PostReader {
  let db: Database

  /// The posts in the order of `ids`. Skips a number that no post has.
  func posts(_ ids: [Int64]) throws -> [StoredPost] {
    guard !ids.isEmpty else { return [] }
    let list = ids.jsonList
    let tags = try tags(list)
    let attachments = try attachments(list)
    let repeats = try repeats(list)
    let quotes = try quotes(list)
    return try db.rows(
      """
      SELECT p.id, p.source, p.uri, p.url, p.server, p.remote_id, p.created_at, p.ends_at, p.edited_at, p.title,
        p.caption, p.caption_html, p.warning, p.sensitive, p.language, p.stored_at, p.updated_at,
        s.deleted_at IS NOT NULL, u.id, u.handle, u.name, u.url, u.avatar_url, b.sha256, g.gone_at,
        (SELECT count(*) FROM revision r WHERE r.post = p.id)
      FROM json_each(?) j CROSS JOIN post p ON p.id = j.value
        LEFT JOIN post_state s ON s.post = p.id LEFT JOIN author u ON u.id = p.author
        LEFT JOIN blob b ON b.id = u.avatar_blob LEFT JOIN recheck g ON g.post = p.id
      ORDER BY j.key
      """,
      [list]
    ).map { row in
      var post = StoredPost(row)
      post.tags = tags[post.id] ?? []
      post.attachments = attachments[post.id] ?? []
      post.repeatedBy = repeats[post.id] ?? []
      post.quote = quotes[post.id]
      return post
    }
  }

  private func tags(_ list: String) throws -> [Int64: [String]] {
    var tags: [Int64: [String]] = [:]
    let rows = try db.rows(
      """
      SELECT k.post, t.name FROM json_each(?) j CROSS JOIN post_tag k ON k.post = j.value JOIN tag t ON t.id = k.tag
      ORDER BY j.key, k.position
      """,
      [list]
    )
    for row in rows { tags[row[0], default: []].append(row[1]) }
    return tags
  }

  private func repeats(_ list: String) throws -> [Int64: [StoredRepeat]] {
    var repeats: [Int64: [StoredRepeat]] = [:]
    let rows = try db.rows(
      """
      SELECT b.post, u.id, u.handle, b.repeated_at
      FROM json_each(?) j CROSS JOIN feed_post b INDEXED BY feed_post_post ON b.post = j.value
        JOIN author u ON u.id = b.repeated_by
      """,
      [list]
    )
    for row in rows {
      let at = StoredPost.moment(row[3]) ?? .distantPast
      repeats[row[0], default: []].append(StoredRepeat(author: row[1], handle: row[2], at: at))
    }
    // Several feeds may show the same repeat.
    return repeats.mapValues { repeats in
      var authors: Set<Int64> = []
      return repeats.sorted { ($0.at, $0.author) < ($1.at, $1.author) }.filter { authors.insert($0.author).inserted }
    }
  }

  private func attachments(_ list: String) throws -> [Int64: [StoredAttachment]] {
    var attachments: [Int64: [StoredAttachment]] = [:]
    let rows = try db.rows(
      """
      SELECT a.post, a.id, a.kind, a.url, a.preview_url, a.alt, coalesce(b.width, a.width),
        coalesce(b.height, a.height), a.blurhash, b.sha256, b.bytes, b.media_type, a.state, a.failure, a.next_try_at
      FROM json_each(?) j CROSS JOIN attachment a ON a.post = j.value LEFT JOIN blob b ON b.id = a.blob AND a.state = 'stored'
      ORDER BY j.key, a.position
      """,
      [list]
    )
    for row in rows { attachments[row[0], default: []].append(StoredAttachment(row)) }
    return attachments
  }
}

extension StoredPost {
  fileprivate init(_ row: Columns) {
    id = row[0]
    source = SourceName(rawValue: row[1])
    uri = row[2]
    url = row[3]
    server = row[4]
    remoteID = row[5]
    createdAt = Self.moment(row[6]) ?? .distantPast
    endsAt = Self.moment(row[7])
    editedAt = Self.moment(row[8])
    title = row[9]
    caption = row[10]
    captionHTML = row[11]
    warning = row[12]
    sensitive = row[13]
    language = row[14]
    storedAt = Self.moment(row[15]) ?? .distantPast
    updatedAt = Self.moment(row[16]) ?? .distantPast
    isDeleted = row[17]
    author = StoredAuthor(row)
    goneAt = Self.moment(row[24])
    revisionCount = row[25]
  }

  fileprivate static func moment(_ text: String?) -> Date? { text.flatMap(UTC.date) }
}

extension StoredAuthor {
  fileprivate init?(_ row: Columns) {
    guard let id: Int64 = row[18] else { return nil }
    self.id = id
    handle = row[19]
    name = row[20]
    url = row[21]
    avatarURL = row[22]
    avatar = (row[23] as String?).flatMap(BlobID.init)
  }
}

extension StoredAttachment {
  fileprivate init(_ row: Columns) {
    id = row[1]
    kind = Attachment.Kind(rawValue: row[2]) ?? .file
    url = row[3]
    previewURL = row[4]
    alt = row[5]
    width = row[6]
    height = row[7]
    blurhash = row[8]
    blob = (row[9] as String?).flatMap(BlobID.init)
    byteCount = row[10]
    mediaType = row[11]
    state = PictureState(rawValue: row[12]) ?? .pending
    failure = row[13]
    nextTryAt = StoredPost.moment(row[14])
  }
}
