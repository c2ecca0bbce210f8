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
    var revisions = try rows(.revisions, posts) { $0.take(RecordFields<TransferColumns.Revision>.self) }
    var items = try rows(.items, posts) { $0.take(RecordFields<TransferColumns.Item>.self) }
    var ownTags = try marks(.ownTags, "own_tag", posts, TransferColumns.OwnTag.self)
    var albums = try marks(.albums, "album_post", posts, TransferColumns.AlbumPost.self)
    var notes = try marks(.earlierNotes, "earlier_note", posts, TransferColumns.EarlierNote.self)
    var answers = raw ? try answers(posts) : [:]
    return try db.rows(posts.text(of: .posts, in: db), posts.arguments) { row in
      var post = try Self.post(row.contents)
      let id = post[.id].integer ?? 0
      post.tags = tags.removeValue(forKey: id) ?? []
      post.aliases = aliases.removeValue(forKey: id) ?? []
      post.attachments = files.removeValue(forKey: id) ?? []
      post.revisions = revisions.removeValue(forKey: id) ?? []
      post.items = items.removeValue(forKey: id) ?? []
      post.ownTags = ownTags.removeValue(forKey: id) ?? []
      post.albums = albums.removeValue(forKey: id) ?? []
      post.earlierNotes = notes.removeValue(forKey: id) ?? []
      post.raw = answers.removeValue(forKey: id)
      // Nothing is left to look at.
      if raw, post.raw == nil, post[.visibility] == .pending { post[.visibility] = .null }
      return post
    }
  }

  private static func post(_ values: [ColumnContent]) -> TransferredPost {
    var rest = values
    var post = TransferredPost(rest.take(RecordFields<TransferColumns.Post>.self))
    post.writer = rest.take(unlessEmpty: RecordFields<TransferColumns.Writer>.self)
    post.state = rest.take(unlessEmpty: RecordFields<TransferColumns.State>.self)
    post.recheck = rest.take(unlessEmpty: RecordFields<TransferColumns.Recheck>.self)
    post.quote = rest.take(unlessEmpty: RecordFields<TransferColumns.Quote>.self)
    return post
  }

  /// What belongs to posts, by the post, which is the last column.
  private func rows<Value>(
    _ statement: PostStatement, _ posts: PostsToRead, _ make: (inout [ColumnContent]) -> Value?
  ) throws -> [Int64: [Value]] {
    var found: [Int64: [Value]] = [:]
    try db.rows(posts.text(of: statement, in: db), posts.arguments) { row in
      var values = try row.contents
      let post = values.removeLast().integer ?? 0
      if let value = make(&values) { found[post, default: []].append(value) }
    }
    return found
  }

  private func texts(_ statement: PostStatement, _ posts: PostsToRead) throws -> [Int64: [String]] {
    var found: [Int64: [String]] = [:]
    try db.rows(posts.text(of: statement, in: db), posts.arguments) {
      found[try $0["post"], default: []].append(try $0["value"])
    }
    return found
  }

  /// What the person did to posts. Most libraries have little of it, and none of some kinds.
  private func marks<Column>(
    _ statement: PostStatement, _ table: String, _ posts: PostsToRead, _ columns: Column.Type
  ) throws -> [Int64: [RecordFields<Column>]] {
    guard try db.hasRow("SELECT 1 FROM \(table) LIMIT 1") else { return [:] }
    return try rows(statement, posts) { $0.take(RecordFields<Column>.self) }
  }

  private func aliases(_ posts: PostsToRead) throws -> [Int64: [String]] {
    try db.hasRow("SELECT 1 FROM post_alias LIMIT 1") ? texts(.aliases, posts) : [:]
  }

  private func files(_ posts: PostsToRead) throws -> [Int64: [TransferredFile]] {
    try rows(.files, posts) { values in
      TransferredFile(
        values.take(RecordFields<TransferColumns.Attachment>.self),
        blob: values.take(unlessEmpty: RecordFields<TransferColumns.Blob>.self))
    }
  }

  private func answers(_ posts: PostsToRead) throws -> [Int64: RecordFields<TransferColumns.Raw>] {
    let found: [Int64: [RecordFields<TransferColumns.Raw>]] = try rows(.answers, posts) { values in
      var answer = values.take(RecordFields<TransferColumns.Raw>.self)
      guard case .blob(let frame) = answer[.body], let body = RawBytes.decompress(frame) else { return nil }
      answer[.body] = .blob(body)
      return answer
    }
    return found.compactMapValues(\.first)
  }
}

extension TransferReader {
  /// Feeds by name; those with these numbers, without what is known of them, or all.
  func feeds(_ ids: [Int64]? = nil) throws -> [TransferredFeed] {
    let condition = ids == nil ? "" : "WHERE f.id IN (SELECT value FROM \(db.each)($1))"
    let feeds: [(id: Int64, feed: TransferredFeed)] = try db.rows(
      "SELECT \(RecordFields<TransferColumns.Feed>.list(of: "f")), f.id FROM feed f \(condition) ORDER BY f.name",
      ids.map { [$0.jsonList] } ?? []
    ) { row in
      var values = try row.contents
      return (id: values.removeLast().integer ?? 0, feed: TransferredFeed(RecordFields<TransferColumns.Feed>(values)))
    }
    if ids != nil { return feeds.map(\.feed) }
    return try feeds.map { id, feed in
      var feed = feed
      feed.follow = try fields(TransferColumns.Follow.self, in: "follow", of: id).first
      feed.visit = try fields(TransferColumns.Visit.self, in: "visit", of: id).first
      feed.look = try fields(TransferColumns.Look.self, in: "look", of: id).first
      feed.coverage = try fields(
        TransferColumns.Coverage.self,
        in: "(SELECT *, (SELECT count(*) FROM feed_post b WHERE b.coverage = c.id) AS items FROM coverage c)", of: id,
        "ORDER BY t.id")
      feed.pulls = try fields(
        TransferColumns.Pull.self, in: "cursor", of: id, "AND t.state <> 'reached' ORDER BY t.id")
      return feed
    }
  }

  private func fields<Column>(
    _ columns: Column.Type, in table: String, of feed: Int64, _ more: String = ""
  ) throws -> [RecordFields<Column>] {
    let list = RecordFields<Column>.list(of: "t")
    return try db.rows("SELECT \(list) FROM \(table) t WHERE t.feed = $1 \(more)", [feed]) { row in
      RecordFields<Column>(try row.contents)
    }
  }

  /// Albums: all, or those that hold some posts. One that became another is told as that one: a library that has only the two
  /// apart joins them, too.
  func albums(of posts: [Int64]? = nil) throws -> [RecordFields<TransferColumns.Album>] {
    let condition =
      posts == nil
      ? ""
      : """
      WHERE coalesce(a.same_as, a.id) IN (
        SELECT b.album FROM \(db.each)($1) j \(db.crossJoin) album_post b ON b.post = j.value)
      """
    return try db.rows(
      """
      SELECT a.identity, coalesce(o.name, a.name), coalesce(o.name_stamp, a.name_stamp),
        coalesce(o.is_deleted, a.is_deleted), coalesce(o.deleted_stamp, a.deleted_stamp)
      FROM album a LEFT JOIN album o ON o.id = a.same_as \(condition) ORDER BY a.identity
      """, posts.map { [$0.jsonList] } ?? []
    ) { RecordFields(try $0.contents) }
  }

  /// The saved searches, and the names of those that were removed.
  func searches() throws -> [RecordFields<TransferColumns.SavedSearch>] {
    var searches: [RecordFields<TransferColumns.SavedSearch>] = try db.rows(
      "SELECT name, filter, stamp FROM saved_search ORDER BY name"
    ) { RecordFields(try $0.contents) }
    for index in searches.indices { searches[index][.filter] = try leaving(searches[index][.filter]) }
    return searches
  }

  /// The rules, and the names of those that were removed.
  func rules() throws -> [RecordFields<TransferColumns.Rule>] {
    var rules: [RecordFields<TransferColumns.Rule>] = try db.rows(
      "SELECT name, filter, actions, stamp FROM rule ORDER BY name"
    ) { RecordFields(try $0.contents) }
    for index in rules.indices { rules[index][.filter] = try leaving(rules[index][.filter]) }
    return rules
  }

  private func leaving(_ filter: TransferValue) throws -> TransferValue { try NamedPosts(db: db).leaving(filter) }

  /// The hidden authors and tags, and those that are shown again.
  func hidden() throws -> [RecordFields<TransferColumns.Hidden>] {
    try db.rows(
      "SELECT kind, source, identity, name, is_hidden, stamp FROM hidden ORDER BY kind, source, identity"
    ) { RecordFields(try $0.contents) }
  }

  /// What the person said of pictures.
  func verdicts() throws -> [RecordFields<TransferColumns.Verdict>] {
    try db.rows("SELECT one, other, verdict, stamp FROM same_verdict ORDER BY one, other") {
      RecordFields(try $0.contents)
    }
  }

  /// What the person said of models' tags.
  func tagVerdicts() throws -> [RecordFields<TransferColumns.TagVerdict>] {
    try db.rows("SELECT file, tag, verdict, stamp FROM machine_verdict ORDER BY file, tag") {
      RecordFields(try $0.contents)
    }
  }

  /// Authors that a condition on `u` chooses.
  func authors(_ condition: String, _ arguments: Arguments) throws -> [(id: Int64, author: TransferredAuthor)] {
    try db.rows(
      """
      SELECT \(RecordFields<TransferColumns.Author>.list(of: "u")), \(RecordFields<TransferColumns.Blob>.list(of: "b")), u.id
      FROM author u LEFT JOIN blob b ON b.id = u.avatar_blob WHERE \(condition)
      """, arguments
    ) { row in
      var values = try row.contents
      let id = values.removeLast().integer ?? 0
      let author = values.take(RecordFields<TransferColumns.Author>.self)
      let avatar = values.take(unlessEmpty: RecordFields<TransferColumns.Blob>.self)
      return (id, TransferredAuthor(author, avatar: avatar))
    }
  }
}
