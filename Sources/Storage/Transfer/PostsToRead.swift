import Rows

/// The posts that a `TransferReader` reads.
enum PostsToRead {
  /// Those with these numbers, in this order.
  case numbered([Int64])
  /// All from one number to another: no list has to be read, and indexes give their order.
  case range(ClosedRange<Int64>)

  /// The statement's text for these posts.
  func text(of statement: PostStatement, in db: Database) -> String {
    let table = "\(statement.table) \(statement.index.map(db.index) ?? "")"
    let post = statement.post
    switch self {
    case .numbered:
      return statement.text(db, "\(db.each)($1) j \(db.crossJoin) \(table) ON \(post) = j.value", "ORDER BY j.key")
    case .range: return statement.text(db, table, "WHERE \(post) BETWEEN $1 AND $2 ORDER BY \(post)")
    }
  }

  /// The arguments of every such statement.
  var arguments: Arguments {
    switch self {
    case .numbered(let ids): [ids.jsonList]
    case .range(let range): [range.lowerBound, range.upperBound]
    }
  }
}

/// A statement that reads what belongs to posts, in the order of the posts.
struct PostStatement: Sendable {
  /// The table that is read, with its alias: `post_tag k`.
  let table: String
  /// Its column that names the post: `k.post`.
  let post: String
  /// The index by which it is read; nil if the engine chooses.
  let index: String?
  /// Makes the text of what stands after `FROM`, and of what stands at the end; an order can be added to it.
  let text: @Sendable (_ db: Database, _ source: String, _ end: String) -> String

  init(
    _ table: String, _ post: String, index: String? = nil,
    _ text: @escaping @Sendable (_ db: Database, _ source: String, _ end: String) -> String
  ) {
    (self.table, self.post, self.index, self.text) = (table, post, index, text)
  }
}

extension PostStatement {
  static let posts = PostStatement("post p", "p.id") { db, source, end in
    """
    SELECT \(RecordFields<TransferColumns.Post>.list(of: "p")), u.uri, u.handle, u.name,
      (SELECT sha256 FROM blob WHERE id = u.avatar_blob),
      \(RecordFields<TransferColumns.State>.list(of: "s")), \(RecordFields<TransferColumns.Recheck>.list(of: "g")),
      coalesce(q.quoted, (SELECT o.id FROM post o WHERE o.source = p.source AND o.uri = q.uri)), q.uri, q.url
    FROM \(source) LEFT JOIN author u ON u.id = p.author
      LEFT JOIN post_state s ON s.post = p.id LEFT JOIN recheck g ON g.post = p.id LEFT JOIN quote q ON q.post = p.id
    \(end)
    """
  }

  static let tags = PostStatement("post_tag k", "k.post") { db, source, end in
    "SELECT t.name AS value, k.post FROM \(source) \(db.crossJoin) tag t ON t.id = k.tag \(end), k.position"
  }

  static let aliases = PostStatement("post_alias a", "a.post") { db, source, end in
    """
    SELECT a.alias AS value, a.post FROM \(source) \(db.crossJoin) post p ON p.id = a.post AND p.source = a.source
    \(end), a.id
    """
  }

  static let revisions = PostStatement("revision r", "r.post") { db, source, end in
    "SELECT \(RecordFields<TransferColumns.Revision>.list(of: "r")), r.post FROM \(source) \(end), r.id"
  }

  static let items = PostStatement("feed_post b", "b.post", index: "feed_post_post") { db, source, end in
    """
    SELECT f.name, b.remote_id, b.coverage, b.place, b.pinned, u.uri, b.repeated_at, b.seen_at, u.handle, b.post
    FROM \(source) \(db.crossJoin) feed f ON f.id = b.feed LEFT JOIN author u ON u.id = b.repeated_by
    \(end), b.id
    """
  }

  static let files = PostStatement("attachment a", "a.post") { db, source, end in
    """
    SELECT \(RecordFields<TransferColumns.Attachment>.list(of: "a")),
      \(RecordFields<TransferColumns.Blob>.list(of: "b")), a.post
    FROM \(source) LEFT JOIN blob b ON b.id = a.blob
    \(end), a.position
    """
  }

  static let ownTags = PostStatement("own_tag o", "o.post") { db, source, end in
    "SELECT \(RecordFields<TransferColumns.OwnTag>.list(of: "o")), o.post FROM \(source) \(end), o.name"
  }

  static let albums = PostStatement("album_post o", "o.post") { db, source, end in
    """
    SELECT a.identity, o.place, o.stamp, o.post FROM \(source) \(db.crossJoin) album a ON a.id = o.album
    \(end), a.identity
    """
  }

  static let earlierNotes = PostStatement("earlier_note o", "o.post") { db, source, end in
    "SELECT o.stamp, o.note, o.post FROM \(source) \(end), o.stamp"
  }

  static let answers = PostStatement("raw r", "r.post") { db, source, end in
    "SELECT r.server, r.pulled_at, r.body, r.post FROM \(source) \(end)"
  }
}
