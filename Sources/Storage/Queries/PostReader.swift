import Blobs
import FoundationEssentials
import Rows

/// Reads whole posts by their numbers, with a few queries for any number of posts.
struct PostReader {
  let db: Database

  /// The posts in the order of `ids`. Skips a number that no post has.
  ///
  /// - Parameter search: The words that found them, so that they tell whether their pictures alone have them.
  func posts(_ ids: [Int64], foundBy search: SearchText?) throws -> [StoredPost] {
    var posts = try posts(ids)
    guard let search, posts.contains(where: \.hasTextInPictures), let finder = try PictureFinder(search, in: db) else {
      return posts
    }
    for index in posts.indices where posts[index].hasTextInPictures {
      posts[index].isFoundInPicture = try finder.isNeeded(by: posts[index])
    }
    return posts
  }

  /// The posts in the order of `ids`. Skips a number that no post has.
  func posts(_ ids: [Int64]) throws -> [StoredPost] {
    guard !ids.isEmpty else { return [] }
    let list = ids.jsonList
    let tags = try tags(list)
    let attachments = try attachments(list)
    let repeats = try repeats(list)
    let quotes = try quotes(list)
    let links = try links(list)
    let ownTags = try names(
      "own_tag o ON o.post = j.value AND o.is_set = 1", "o.name", orderedBy: "o.name", of: list)
    let albums = try names(
      "album_post o ON o.post = j.value AND o.place IS NOT NULL JOIN album a ON a.id = o.album AND a.is_deleted = 0",
      "a.name", orderedBy: db.folded("a.name"), of: list)
    return try db.rows(
      """
      SELECT p.id, p.source, p.uri, \(PostFacts.selection), p.stored_at, p.updated_at,
        s.deleted_at IS NOT NULL AS is_deleted, s.favourite, s.rating, s.hidden, s.seen_at, s.note, u.id AS author, u.uri AS author_uri, u.handle, u.name,
        u.url AS author_url, u.avatar_url, b.sha256 AS avatar,
        (SELECT g.gone_at FROM recheck g \(db.index("recheck_gone")) WHERE g.post = p.id AND g.gone_at IS NOT NULL) AS gone_at,
        (SELECT count(*) FROM revision r WHERE r.post = p.id) AS revisions
      FROM \(db.each)($1) j \(db.crossJoin) post p ON p.id = j.value
        LEFT JOIN post_state s ON s.post = p.id LEFT JOIN author u ON u.id = p.author
        LEFT JOIN blob b ON b.id = u.avatar_blob
      ORDER BY j.key
      """,
      [list]
    ) { row in
      var post = try StoredPost(row)
      post.tags = tags[post.id] ?? []
      post.attachments = attachments[post.id] ?? []
      post.repeatedBy = repeats[post.id] ?? []
      post.quote = quotes[post.id]
      post.elsewhere = links[post.id] ?? []
      post.marks.ownTags = ownTags[post.id] ?? []
      post.marks.albums = albums[post.id] ?? []
      return post
    }
  }

  private func tags(_ list: String) throws -> [Int64: [String]] {
    try names(
      "post_tag o ON o.post = j.value JOIN tag t ON t.id = o.tag", "t.name", orderedBy: "o.position", of: list)
  }

  /// Names that belong to posts.
  ///
  /// - Parameters:
  ///   - join: The tables that the numbers `j.value` are joined with; the post is `o.post`.
  ///   - name: The column of the name.
  private func names(_ join: String, _ name: String, orderedBy order: String, of list: String) throws -> [Int64:
    [String]]
  {
    var names: [Int64: [String]] = [:]
    try db.rows(
      """
      SELECT o.post, \(name) AS name FROM \(db.each)($1) j \(db.crossJoin) \(join) ORDER BY j.key, \(order)
      """,
      [list]
    ) { names[try $0["post"], default: []].append(try $0["name"]) }
    return names
  }

  private func repeats(_ list: String) throws -> [Int64: [StoredRepeat]] {
    var repeats: [Int64: [StoredRepeat]] = [:]
    try db.rows(
      """
      SELECT b.post, u.id AS author, u.handle, b.repeated_at
      FROM \(db.each)($1) j \(db.crossJoin) feed_post b \(db.index("feed_post_repeat"))
        ON b.post = j.value AND b.repeated_by IS NOT NULL
        JOIN author u ON u.id = b.repeated_by
      """,
      [list]
    ) { row in
      let (post, author, handle): (Int64, Int64, String) = try (row["post"], row["author"], row["handle"])
      let at = try row.date("repeated_at") ?? .distantPast
      repeats[post, default: []].append(StoredRepeat(author: author, handle: handle, at: at))
    }
    // Several feeds may show the same repeat.
    return repeats.mapValues { repeats in
      var authors: Set<Int64> = []
      return repeats.sorted { ($0.at, $0.author) < ($1.at, $1.author) }.filter { authors.insert($0.author).inserted }
    }
  }

  private func attachments(_ list: String) throws -> [Int64: [StoredAttachment]] {
    var attachments: [Int64: [StoredAttachment]] = [:]
    let findings = try findings(list)
    try db.rows(
      """
      SELECT a.post, a.id, a.kind, a.url, a.preview_url, a.alt, coalesce(b.width, a.width) AS width,
        coalesce(b.height, a.height) AS height, a.blurhash, b.sha256, b.bytes, b.media_type, a.state, a.failure,
        a.next_try_at, a.name, a.skipped_by, a.limits, f.blob AS described, \(FileFacts.columns), \(PictureText.columns)
      FROM \(db.each)($1) j \(db.crossJoin) attachment a ON a.post = j.value LEFT JOIN blob b ON b.id = a.blob AND a.state = 'stored'
        LEFT JOIN file_facts f ON f.blob = b.id LEFT JOIN picture_text t ON t.blob = b.id
      ORDER BY j.key, a.position
      """,
      [list]
    ) { row in
      var attachment = try StoredAttachment(row)
      attachment.findings = attachment.blob.flatMap { findings[$0] }
      attachments[try row["post"], default: []].append(attachment)
    }
    return attachments
  }
}
