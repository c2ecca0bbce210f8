import Rows

/// Reads records of posts, with a few queries for any number of posts.
struct TransferReader {
  let db: Database
  let raw: Bool

  /// The posts with these numbers, in this order.
  func posts(_ ids: [Int64]) throws -> [TransferredPost] { ids.isEmpty ? [] : try posts(.numbered(ids)) }

  /// The posts, each with what belongs to it.
  func posts(_ posts: PostsToRead) throws -> [TransferredPost] {
    var tags = try texts(.tags, posts)
    var aliases = try aliases(posts)
    var files = try files(posts)
    var revisions = try rows(.revisions, posts)
    var items = try rows(.items, posts)
    var answers = raw ? try answers(posts) : [:]
    return try db.rows(posts.text(of: .posts), posts.arguments) { row in
      var post = try Self.post(row.contents)
      let id = post[.id].integer ?? 0
      post.tags = tags.removeValue(forKey: id) ?? []
      post.aliases = aliases.removeValue(forKey: id) ?? []
      post.attachments = files.removeValue(forKey: id) ?? []
      post.revisions = revisions.removeValue(forKey: id) ?? []
      post.items = items.removeValue(forKey: id) ?? []
      post.raw = answers.removeValue(forKey: id)
      // Nothing is left to look at.
      if raw, post.raw == nil, post[.visibility] == .pending { post[.visibility] = .null }
      return post
    }
  }

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
  private func rows(_ statement: PostStatement, _ posts: PostsToRead) throws -> [Int64: [[ColumnContent]]] {
    var found: [Int64: [[ColumnContent]]] = [:]
    try db.rows(posts.text(of: statement), posts.arguments) { row in
      var values = try row.contents
      let post = values.removeLast().integer ?? 0
      found[post, default: []].append(values)
    }
    return found
  }

  private func texts(_ statement: PostStatement, _ posts: PostsToRead) throws -> [Int64: [String]] {
    var found: [Int64: [String]] = [:]
    try db.rows(posts.text(of: statement), posts.arguments) {
      found[try $0["post"], default: []].append(try $0["value"])
    }
    return found
  }

  private func aliases(_ posts: PostsToRead) throws -> [Int64: [String]] {
    try db.hasRow("SELECT 1 FROM post_alias LIMIT 1") ? texts(.aliases, posts) : [:]
  }

  private func files(_ posts: PostsToRead) throws -> [Int64: [TransferredFile]] {
    let count = TransferColumns.attachment.count
    return try rows(.files, posts).mapValues { rows in
      rows.map { values in
        let blob = values[count] == .null ? nil : Array(values[count...])
        return TransferredFile(values: Array(values[..<count]), blob: blob)
      }
    }
  }

  private func answers(_ posts: PostsToRead) throws -> [Int64: [ColumnContent]] {
    try rows(.answers, posts).compactMapValues { rows in
      guard var values = rows.first, case .blob(let frame) = values[2], let body = RawBytes.decompress(frame) else {
        return nil
      }
      values[2] = .blob(body)
      return values
    }
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
