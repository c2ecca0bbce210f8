import Rows

/// Reads records of posts, with a few queries for any number of posts.
struct TransferReader {
  let db: Database
  let raw: Bool

  /// The posts in the order of `ids`.
  func posts(_ ids: [Int64]) throws -> [TransferredPost] {
    guard !ids.isEmpty else { return [] }
    let list = ids.jsonList
    var tags = try texts(Self.tags, list)
    var aliases = try aliases(list)
    var files = try files(list)
    var revisions = try rows(Self.revisions, list)
    var items = try rows(Self.items, list)
    var answers = raw ? try answers(list) : [:]
    return try db.rows(Self.posts, [list]) { row in
      var post = try Self.post(row.contents)
      let id = post[.id].integer ?? 0
      post.tags = tags.removeValue(forKey: id) ?? []
      post.aliases = aliases.removeValue(forKey: id) ?? []
      post.attachments = files.removeValue(forKey: id) ?? []
      post.revisions = revisions.removeValue(forKey: id) ?? []
      post.items = items.removeValue(forKey: id) ?? []
      post.raw = answers.removeValue(forKey: id)
      return post
    }
  }

  private static let posts = """
    SELECT \(TransferColumns.list(TransferColumns.post, of: "p")), u.uri, u.handle, u.name,
      (SELECT sha256 FROM blob WHERE id = u.avatar_blob),
      \(TransferColumns.list(TransferColumns.state, of: "s")), \(TransferColumns.list(TransferColumns.recheck, of: "g")),
      coalesce(q.quoted, (SELECT o.id FROM post o WHERE o.source = p.source AND o.uri = q.uri)), q.uri, q.url
    FROM json_each(?) j CROSS JOIN post p ON p.id = j.value LEFT JOIN author u ON u.id = p.author
      LEFT JOIN post_state s ON s.post = p.id LEFT JOIN recheck g ON g.post = p.id LEFT JOIN quote q ON q.post = p.id
    ORDER BY j.key
    """

  private static let tags = """
    SELECT t.name AS value, k.post FROM json_each(?) j CROSS JOIN post_tag k ON k.post = j.value
      JOIN tag t ON t.id = k.tag
    ORDER BY j.key, k.position
    """

  private static let revisions = """
    SELECT \(TransferColumns.list(TransferColumns.revision, of: "r")), r.post
    FROM json_each(?) j CROSS JOIN revision r ON r.post = j.value ORDER BY j.key, r.id
    """

  private static let items = """
    SELECT f.name, b.remote_id, b.coverage, b.place, b.pinned, u.uri, b.repeated_at, b.seen_at, u.handle, b.post
    FROM json_each(?) j CROSS JOIN feed_post b INDEXED BY feed_post_post ON b.post = j.value
      CROSS JOIN feed f ON f.id = b.feed LEFT JOIN author u ON u.id = b.repeated_by
    ORDER BY j.key, b.id
    """

  private static func post(_ values: [ColumnContent]) -> TransferredPost {
    var rest = values[...]
    func part(_ count: Int) -> [ColumnContent] {
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    func optional(_ count: Int) -> [ColumnContent]? {
      let part = part(count)
      return part.allSatisfy { $0 == .null } ? nil : part
    }
    var post = TransferredPost(values: part(TransferColumns.post.count))
    post.writer = optional(TransferColumns.writer.count)
    post.state = optional(TransferColumns.state.count)
    post.recheck = optional(TransferColumns.recheck.count)
    post.quote = optional(TransferColumns.quote.count)
    return post
  }

  /// Rows by their post, which is the last column.
  private func rows(_ sql: String, _ list: String) throws -> [Int64: [[ColumnContent]]] {
    var found: [Int64: [[ColumnContent]]] = [:]
    try db.rows(sql, [list]) { row in
      var values = try row.contents
      let post = values.removeLast().integer ?? 0
      found[post, default: []].append(values)
    }
    return found
  }

  private func texts(_ sql: String, _ list: String) throws -> [Int64: [String]] {
    var found: [Int64: [String]] = [:]
    try db.rows(sql, [list]) { found[try $0["post"], default: []].append(try $0["value"]) }
    return found
  }

  private func aliases(_ list: String) throws -> [Int64: [String]] {
    guard try db.hasRow("SELECT 1 FROM post_alias LIMIT 1") else { return [:] }
    return try texts(
      """
      SELECT a.alias AS value, a.post FROM json_each(?) j CROSS JOIN post p ON p.id = j.value
        JOIN post_alias a ON a.post = p.id AND a.source = p.source
      ORDER BY j.key, a.id
      """, list)
  }

  private func files(_ list: String) throws -> [Int64: [TransferredFile]] {
    var found: [Int64: [TransferredFile]] = [:]
    let count = TransferColumns.attachment.count
    try db.rows(Self.files, [list]) { row in
      var values = try row.contents
      let post = values.removeLast().integer ?? 0
      let blob = values[count] == .null ? nil : Array(values[count...])
      found[post, default: []].append(TransferredFile(values: Array(values[..<count]), blob: blob))
    }
    return found
  }

  private static let files = """
    SELECT \(TransferColumns.list(TransferColumns.attachment, of: "a")),
      \(TransferColumns.list(TransferColumns.blob, of: "b")), a.post
    FROM json_each(?) j CROSS JOIN attachment a ON a.post = j.value LEFT JOIN blob b ON b.id = a.blob
    ORDER BY j.key, a.position
    """

  private func answers(_ list: String) throws -> [Int64: [ColumnContent]] {
    var found: [Int64: [ColumnContent]] = [:]
    try db.rows(
      "SELECT r.server, r.pulled_at, r.body, r.post FROM json_each(?) j CROSS JOIN raw r ON r.post = j.value", [list]
    ) { row in
      var values = try row.contents
      let post = values.removeLast().integer ?? 0
      guard case .blob(let frame) = values[2], let body = RawBytes.decompress(frame) else { return }
      values[2] = .blob(body)
      found[post] = values
    }
    return found
  }
}

extension TransferReader {
  /// Feeds by name; those with these numbers, without what is known of them, or all.
  func feeds(_ ids: [Int64]? = nil) throws -> [TransferredFeed] {
    let condition = ids == nil ? "" : "WHERE f.id IN (SELECT value FROM json_each(?))"
    let feeds = try db.rows(
      "SELECT \(TransferColumns.list(TransferColumns.feed, of: "f")), f.id FROM feed f \(condition) ORDER BY f.name",
      ids.map { [$0.jsonList] } ?? []
    ) { row in
      var values = try row.contents
      return (id: values.removeLast().integer ?? 0, feed: TransferredFeed(values: values))
    }
    if ids != nil { return feeds.map(\.feed) }
    return try feeds.map { id, feed in
      var feed = feed
      feed.follow = try contents("follow", TransferColumns.follow, of: id).first
      feed.visit = try contents("visit", TransferColumns.visit, of: id).first
      feed.look = try contents("look", TransferColumns.look, of: id).first
      feed.coverage = try contents("counted", TransferColumns.coverage, of: id, "ORDER BY t.id")
      feed.pulls = try contents("cursor", TransferColumns.pull, of: id, "AND t.state <> 'reached' ORDER BY t.id")
      return feed
    }
  }

  private func contents(
    _ table: String, _ columns: [StaticString], of feed: Int64, _ more: String = ""
  ) throws -> [[ColumnContent]] {
    let counted = "(SELECT *, (SELECT count(*) FROM feed_post b WHERE b.coverage = c.id) AS items FROM coverage c)"
    return try db.rows(
      """
      SELECT \(TransferColumns.list(columns, of: "t")) FROM \(table == "counted" ? counted : table) t
      WHERE t.feed = ? \(more)
      """, [feed]
    ) { try $0.contents }
  }

  /// Authors that a condition on `u` chooses.
  func authors(_ condition: String, _ arguments: Arguments) throws -> [(id: Int64, author: TransferredAuthor)] {
    let count = TransferColumns.author.count
    return try db.rows(
      """
      SELECT \(TransferColumns.list(TransferColumns.author, of: "u")),
        \(TransferColumns.list(TransferColumns.blob, of: "b")), u.id
      FROM author u LEFT JOIN blob b ON b.id = u.avatar_blob WHERE \(condition)
      """, arguments
    ) { row in
      var values = try row.contents
      let id = values.removeLast().integer ?? 0
      let avatar = values[count] == .null ? nil : Array(values[count...])
      return (id, TransferredAuthor(values: Array(values[..<count]), avatar: avatar))
    }
  }
}
