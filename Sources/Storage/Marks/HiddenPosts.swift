import FoundationEssentials
import Posts
import Rows

/// Whose posts no list shows.
public enum HiddenName: Sendable, Hashable {
  /// An author: a handle, or its part before the host.
  case author(String)
  /// A tag.
  case tag(String)
}

/// An author or a tag of which no list shows a post.
public struct HiddenEntry: Sendable, Equatable {
  /// The author's handle, or the tag.
  public let name: HiddenName
  /// How many of its posts are stored, without deleted ones.
  public let posts: Int

  package init(name: HiddenName, posts: Int) { (self.name, self.posts) = (name, posts) }
}

extension Store {
  /// The hidden authors and tags, by name.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func hiddenNames() throws(StorageError) -> [HiddenEntry] {
    try read { db in
      let counted = "(SELECT n.posts FROM total n WHERE n.kind = h.kind AND n.ref = coalesce(a.id, t.id))"
      return try db.rows(
        """
        SELECT h.kind, coalesce(a.handle, h.name) AS name, coalesce(\(counted), 0) AS posts FROM hidden h
          LEFT JOIN author a ON h.kind = 'author' AND a.source = h.source AND a.uri = h.identity
          LEFT JOIN tag t ON h.kind = 'tag' AND t.name = h.identity
        WHERE h.is_hidden = 1 ORDER BY h.kind, \(db.folded("coalesce(a.handle, h.name)")), h.source, h.identity
        """
      ) { row in
        let name: String = try row["name"]
        return HiddenEntry(
          name: try row["kind"] as String == "tag" ? .tag(name) : .author(name), posts: try row["posts"])
      }
    }
  }

  /// Hides posts, and all posts of authors and tags, from every list, or shows them again. They stay stored.
  ///
  /// - Parameters:
  ///   - posts: The posts' numbers. Unknown numbers are reported; the others are hidden nevertheless.
  ///   - names: Authors and tags.
  ///   - isHidden: Whether they are hidden from now on.
  ///   - marker: Who says it.
  ///   - dryRun: Whether nothing is stored. The result tells what would change.
  /// - Returns: What changed, and the whole names that did.
  /// - Throws: `MarkError` for an author of whom nothing is stored; `StorageError`.
  @discardableResult
  public func hide(
    _ posts: [Int64] = [], _ names: [HiddenName] = [], _ isHidden: Bool = true, by marker: Marker, now: Date,
    dryRun: Bool = false
  ) throws -> (marking: Marking, names: [HiddenName]) {
    var changed: [HiddenName] = []
    let what = (posts.isEmpty ? [] : [posts.count == 1 ? "1 post" : "\(posts.count) posts"]) + names.map(\.text)
    let words = "\(isHidden ? "hide" : "unhide") \(what.joined(separator: ", "))"
    let marking = try changingMarks(words, posts, by: marker, now: now, dryRun: dryRun) { writer, posts in
      try writer.set(.hidden, posts.map { ($0, isHidden ? "1" : "0") })
      for name in names { changed += try Hidden.set(name, isHidden, &writer) }
    }
    return (marking, changed)
  }

  /// How many posts a list leaves out because they are hidden, counted up to 10,000.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func hiddenPosts(of list: PostListQuery) throws(StorageError) -> ListTotal {
    try read { db in try PostPredicate(list, in: db)?.hiddenTotal(in: db) ?? .exactly(0) }
  }
}

extension HiddenName {
  /// As a filter spells it.
  public var text: String {
    switch self {
    case .author(let handle): "by:\(handle)"
    case .tag(let name): "tag:\(name)"
    }
  }
}

/// What lists leave out: posts that were hidden one by one, and those of hidden authors and tags.
struct Hidden: Hashable {
  private(set) var authors: [Int64] = []
  private(set) var tags: [Int64] = []
  private(set) var hasPosts = false

  /// nil if nothing is hidden.
  init?(in db: Database) throws {
    try db.rows(
      """
      SELECT 1 AS kind, a.id AS ref FROM hidden h \(db.crossJoin) author a ON a.source = h.source AND a.uri = h.identity
        WHERE h.kind = 'author' AND h.is_hidden = 1
      UNION ALL SELECT 2, t.id FROM hidden h \(db.crossJoin) tag t ON t.name = h.identity
        WHERE h.kind = 'tag' AND h.is_hidden = 1
      UNION ALL SELECT 3, 0 WHERE EXISTS (SELECT 1 FROM post_state d WHERE d.hidden = 1)
      ORDER BY 1, 2
      """
    ) { row in
      switch try row["kind"] as Int64 {
      case 1: authors.append(try row["ref"])
      case 2: tags.append(try row["ref"])
      default: hasPosts = true
      }
    }
    if authors.isEmpty, tags.isEmpty, !hasPosts { return nil }
  }

  /// The tables of the tags that posts carry, and of those whose feeds brought them: both have a tag's posts.
  private var taggings: [String] { tags.isEmpty ? [] : ["post_tag", "tag_extra"] }

  /// The post is hidden.
  func clause(of id: String) -> Clause {
    var parts: [Clause] = []
    if hasPosts { parts.append("EXISTS (SELECT 1 FROM post_state h WHERE h.post = \(id) AND h.hidden = 1)") }
    if !authors.isEmpty {
      let list = authors.listed
      parts.append(
        id == "p.id"
          ? "coalesce(p.author, 0) IN (\(list))"
          : "EXISTS (SELECT 1 FROM post h WHERE h.id = \(id) AND h.author IN (\(list)))")
    }
    for table in taggings {
      parts.append("EXISTS (SELECT 1 FROM \(table) h WHERE h.post = \(id) AND h.tag IN (\(tags.listed)))")
    }
    return "(\(parts.joined(by: " OR ")))"
  }

  /// The rows of its posts, as `RarePosts` has them.
  var rows: Clause {
    var parts: [Clause] = []
    if hasPosts { parts.append("SELECT post FROM post_state WHERE hidden = 1") }
    if !authors.isEmpty { parts.append("SELECT id AS post FROM post WHERE author IN (\(authors.listed))") }
    parts += taggings.map { "SELECT post FROM \($0) WHERE tag IN (\(tags.listed))" }
    return "(\(parts.joined(by: " UNION ALL "))) d WHERE TRUE"
  }

  /// A number that is not less than that of its posts, without deleted ones. No post is read for it.
  func most(in db: Database) throws -> Int {
    let marked: Int =
      hasPosts ? try db.value("SELECT count(*) FROM post_state d WHERE d.hidden = 1") ?? 0 : 0
    return try marked + authors.reduce(0) { try $0 + db.total("author", $1) }
      + tags.reduce(0) { try $0 + db.total("tag", $1) }
  }

  /// How many of its posts are of each of these tags or authors, without deleted ones; nil if they are too many to be read.
  ///
  /// - Parameter table: `tag` or `author`.
  func counts(by table: String, of ids: [Int64], in db: Database) throws -> [Int64: Int]? {
    guard try most(in: db) <= Bound.exact else { return nil }
    let lists = table == "tag" ? ["post_tag k ON k.post", "tag_extra k ON k.post"] : ["post k ON k.id"]
    var counts: [Int64: Int] = [:]
    for list in lists {
      // Looked up by the posts alone: by each pair of a post and a name takes five times as long.
      let isDeleted = "EXISTS (SELECT 1 FROM post_state s WHERE s.post = m.post AND s.deleted_at IS NOT NULL)"
      let statement: Clause = """
        SELECT k.\(table) AS ref, count(*) AS posts
        FROM (SELECT DISTINCT d.post FROM \(rows)) m \(db.crossJoin) \(list) = m.post
        WHERE \(db.unindexed)k.\(table) IN (\(ids.listed)) AND NOT \(isDeleted) GROUP BY k.\(table)
        """
      try db.rows(statement) { counts[try $0["ref"], default: 0] += try $0["posts"] }
    }
    return counts
  }

  // MARK: Names

  /// Hides what a name stands for, or shows it again.
  ///
  /// - Returns: The whole names of what changed.
  static func set(_ name: HiddenName, _ isHidden: Bool, _ writer: inout MarkWriter) throws -> [HiddenName] {
    let db = writer.db
    let found: [(source: String, identity: String, name: String)]
    switch name {
    case .tag(let text):
      let tag = Feed.tagName(text)
      guard !tag.isEmpty else { throw MarkError.name(text) }
      found = [("", tag, tag)]
    case .author(let handle):
      found = try PostPredicate.authors(handle, in: db).compactMap { id in
        try db.row("SELECT source, uri, handle FROM author WHERE id = $1", [id]) {
          (try $0["source"], try $0["uri"], try $0["handle"])
        }
      }
      guard !found.isEmpty else { throw MarkError.noAuthor(handle) }
    }
    return try found.compactMap { one in
      let kind = name.kind
      let before: (isHidden: Bool, stamp: String)? = try db.row(
        "SELECT is_hidden, stamp FROM hidden WHERE kind = $1 AND source = $2 AND identity = $3",
        [kind, one.source, one.identity]
      ) { (try $0["is_hidden"] as Int64 == 1, try $0["stamp"]) }
      // What a person said stays where a rule asks.
      guard before?.isHidden ?? false != isHidden, before?.stamp ?? "" <= writer.stamp.text else { return nil }
      let key = [kind, one.source, one.identity].joined(separator: "\n")
      try writer.remember("hidden", key, isHidden ? "0" : "1", written: isHidden ? "1" : "0")
      try db.run(
        """
        INSERT INTO hidden (kind, source, identity, name, is_hidden, stamp) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (kind, source, identity)
        DO UPDATE SET name = excluded.name, is_hidden = excluded.is_hidden, stamp = excluded.stamp
        """, [kind, one.source, one.identity, one.name, isHidden ? 1 : 0, writer.stamp.text])
      return kind == "tag" ? .tag(one.name) : .author(one.name)
    }
  }

  /// Takes back what `set` wrote, if it is still so.
  ///
  /// - Parameter known: The stamps with which it counts as written by the change.
  /// - Returns: Whether it was.
  static func restore(
    _ key: String, _ value: String?, written: String?, from known: Set<String>, stamp: String, in db: Database
  ) throws -> Bool {
    let parts = key.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3,
      let current: String = try db.value(
        "SELECT stamp FROM hidden WHERE kind = $1 AND source = $2 AND identity = $3 AND is_hidden = $4",
        [parts[0], parts[1], parts[2], written == "1" ? 1 : 0]),
      known.contains(current)
    else { return false }
    try db.run(
      "UPDATE hidden SET is_hidden = $1, stamp = $2 WHERE kind = $3 AND source = $4 AND identity = $5",
      [value == "1" ? 1 : 0, stamp, parts[0], parts[1], parts[2]])
    return true
  }
}

extension HiddenName {
  fileprivate var kind: String {
    switch self {
    case .author: "author"
    case .tag: "tag"
    }
  }
}

extension PostPredicate {
  /// What it leaves out because it is hidden, as a predicate, and where that is read from; nil if nothing is hidden.
  private var hiddenPart: (source: PostSource, predicate: PostPredicate)? {
    guard let hidden else { return nil }
    var part = self
    part.hidden = nil
    guard let search else { return (.rare(.hidden(hidden)), part) }
    part.condition = .all([condition, .hidden(hidden)].compactMap(\.self))
    return (.found(search.match, atMost: Bound.exact), part)
  }

  /// How many posts it leaves out because they are hidden, as far as they are counted.
  func hiddenTotal(in db: Database) throws -> ListTotal {
    guard let part = hiddenPart else { return .exactly(0) }
    return Bound.total(
      try PostSelection(source: part.source, predicate: part.predicate).count(limit: Bound.exact + 1, in: db))
  }

  /// How many of the posts that totals count it leaves out because they are hidden; nil if they are too many to be read.
  func hidden(_ grouping: PostGrouping, in db: Database) throws -> Int? {
    guard let hidden, let part = hiddenPart else { return 0 }
    guard try hidden.most(in: db) <= Bound.exact else { return nil }
    var counted = part.predicate
    (counted.plannedAfter, counted.deleted) = (nil, .excluded)
    return try OwnedPosts(source: part.source, predicate: counted, grouping: grouping).count(limit: -1, in: db)
  }
}
