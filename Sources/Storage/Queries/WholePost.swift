import FoundationEssentials
import Machine
import Posts
import Rows

/// An earlier version of a post's text.
public struct Revision: Sendable, Equatable, RowDecodable {
  /// When the version that replaced it was seen.
  public let seenAt: Date
  /// The headline.
  public let title: String?
  /// The text.
  public let caption: String
  /// The content warning.
  public let warning: String

  package init(_ row: some RowReading) throws {
    seenAt = UTC.date(try row["seen_at"]) ?? .distantPast
    title = try row["title"]
    caption = try row["caption"]
    warning = try row["warning"]
  }
}

/// A note that another one replaced, here or by a copy from another machine.
public struct EarlierNote: Sendable, Equatable, RowDecodable {
  /// When the person wrote it.
  public let writtenAt: Date
  /// The note.
  public let text: String

  package init(_ row: some RowReading) throws {
    writtenAt = MarkStamp.moment(try row["stamp"]) ?? .distantPast
    text = try row["note"]
  }
}

/// A post with everything that the library has of it.
public struct WholePost: Sendable, Equatable {
  /// The post.
  public let post: StoredPost
  /// The verbatim answer of its last change; nil for a post made by hand.
  public let raw: [UInt8]?
  /// What edits overwrote, earliest first.
  public let revisions: [Revision]
  /// The names of the feeds that brought it.
  public let feeds: [String]
  /// The notes that it had, earliest first.
  public let earlierNotes: [EarlierNote]
}

extension Store {
  /// How many posts are read at once if their number has no bound.
  static let chunk = 200

  /// The posts of a query, newest first.
  ///
  /// - Throws: `StorageError.unknownPosts` if `before` is not a post's number.
  public func posts(_ query: PostQuery = PostQuery()) throws(StorageError) -> [StoredPost] {
    try read { db in
      let start = try query.before.map { try key(of: $0, on: query, in: db) }
      let keys = try keys(query, after: start, limit: query.limit ?? .max, in: db)
      return try posts(keys, of: query, in: db)
    }
  }

  /// Calls `body` with each post of a query, in constant memory.
  ///
  /// - Throws: `StorageError.unknownPosts` if `before` is not a post's number, or what `body` throws, which ends the
  ///   iteration.
  public func eachPost(_ query: PostQuery, _ body: (StoredPost) throws -> Void) throws {
    var rest = query.limit ?? .max
    var last = try query.before.map { before in try read { try key(of: before, on: query, in: $0) } }
    // Sorting posts costs the same for any limit, so it is done once.
    let isSorted = try query.search != nil || read { try PostPlan(query.list, in: $0).grouping.sort != nil }
    var found = isSorted ? try read { try keys(query, after: last, limit: rest, in: $0) }[...] : []
    while rest > 0 {
      let limit = min(rest, Self.chunk)
      let (posts, end) = try read { db -> ([StoredPost], PostKey?) in
        let keys = isSorted ? Array(found.prefix(limit)) : try keys(query, after: last, limit: limit, in: db)
        return (try self.posts(keys, of: query, in: db), keys.last)
      }
      for post in posts { try body(post) }
      guard end != nil else { return }
      found = found.dropFirst(limit)
      last = end
      rest -= posts.count
    }
  }

  private func posts(_ keys: [PostKey], of query: PostQuery, in db: Database) throws -> [StoredPost] {
    let predicate =
      query.search == nil && query.filter == nil && !query.isFolded ? nil : try PostPredicate(query.list, in: db)
    var posts = try PostReader(db: db).posts(keys.map(\.id), foundBy: predicate?.search)
    if predicate?.isFolded == true { for index in posts.indices { posts[index].noteFolded() } }
    return posts
  }

  /// The number of the post with a web address; nil if none has it.
  ///
  /// - Parameters:
  ///   - address: The post's identity, an alias of it, or the address at which people open it.
  ///   - sources: The sources whose posts may have it.
  /// - Throws: `StorageError` if the library cannot be read.
  public func post(at address: String, of sources: [SourceName]) throws(StorageError) -> Int64? {
    try read { db in
      for source in sources {
        for name in [address, WebIdentity.key(of: address)] {
          let found: Int64? = try db.value(
            """
            SELECT coalesce(
              (SELECT id FROM post WHERE source = $1 AND uri = $2),
              (SELECT post FROM post_alias WHERE source = $1 AND alias = $2))
            """, [source.rawValue, name])
          if let found { return found }
        }
      }
      // Many items of feeds may share an address. The newest counts.
      let indexed = address.unicodeScalars.count <= LinkWriter.longest ? "AND length(url) <= \(LinkWriter.longest)" : ""
      return try db.value(
        "SELECT id FROM post WHERE url = $1 \(indexed) ORDER BY created_at DESC, id DESC LIMIT 1", [address])
    }
  }

  /// A post with everything that the library has of it; nil if no post has the number.
  public func post(_ id: Int64) throws(StorageError) -> WholePost? {
    try read { db in
      guard let post = try PostReader(db: db).posts([id]).first else { return nil }
      let frame: [UInt8]? = try db.value("SELECT body FROM raw WHERE post = $1", [id])
      let revisions: [Revision] = try db.rows(
        "SELECT seen_at, title, caption, warning FROM revision WHERE post = $1 ORDER BY id",
        [id]
      )
      let feeds: [String] = try db.values(
        "SELECT DISTINCT f.name FROM feed_post b JOIN feed f ON f.id = b.feed WHERE b.post = $1 ORDER BY f.name",
        [id]
      )
      let notes: [EarlierNote] = try db.rows(
        "SELECT stamp, note FROM earlier_note WHERE post = $1 AND note <> $2 ORDER BY stamp",
        [id, post.marks.note ?? ""])
      return WholePost(
        post: post,
        raw: frame.flatMap(RawBytes.decompress),
        revisions: revisions,
        feeds: feeds,
        earlierNotes: notes
      )
    }
  }

  private func keys(_ query: PostQuery, after key: PostKey?, limit: Int, in db: Database) throws -> [PostKey] {
    try PostPlan(query.list, in: db).keys(PostSelection.ScanRange(start: key), limit: limit, in: db)
  }

  private func key(of id: Int64, on query: PostQuery, in db: Database) throws -> PostKey {
    guard let key = try PostPlan(query.list, in: db).key(of: id, in: db) else { throw StorageError.unknownPosts([id]) }
    return key
  }
}
