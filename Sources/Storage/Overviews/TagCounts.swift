import Blobs
import Posts
import Rows

/// A tag, and how many posts carry it.
public struct TagCount: Sendable, Hashable {
  /// The tag, as posts spell it.
  public let name: String
  /// The number of posts that carry it, or that a feed of it brought, without deleted ones.
  public let count: Int
  /// How many of them are hidden; nil if so many posts of the library are hidden that they are not counted.
  public let hidden: Int?
  /// Its position in the list.
  public let key: CountKey
}

/// An author, and how many posts are stored of them.
public struct AuthorCount: Sendable, Equatable {
  /// The author.
  public let author: StoredAuthor
  /// The number of posts, without deleted ones.
  public let count: Int
  /// How many of them are hidden; nil if so many posts of the library are hidden that they are not counted.
  public let hidden: Int?
  /// Its position in the list.
  public let key: CountKey
}

extension TagCount {
  /// The number of posts without hidden ones, as far as these are counted.
  public var shown: Int { count - (hidden ?? 0) }
}

extension AuthorCount {
  /// The number of posts without hidden ones, as far as these are counted.
  public var shown: Int { count - (hidden ?? 0) }
}

extension Store {
  /// The tags of posts, with their counts. Tags without a post and hidden ones are left out.
  ///
  /// - Parameters:
  ///   - part: A part of the names, in any case of the letters of ASCII; empty for all.
  ///   - order: The order.
  ///   - key: The key of the last one of the page before, in the same order; nil for the first page. It stays valid if
  ///     its tag is gone.
  ///   - limit: Maximum number of tags.
  /// - Throws: `StorageError` if the library cannot be read.
  public func tagCounts(
    containing part: String = "", by order: CountOrder = .count, after key: CountKey? = nil, limit: Int
  ) throws(StorageError) -> [TagCount] {
    try read {
      try $0.tagCounts(CountScan(table: "tag", name: "name", part: part, order: order, after: key), limit)
    }
  }

  /// The authors of posts, with their counts. Authors without a post and hidden ones are left out.
  ///
  /// - Parameters:
  ///   - part: A part of the handles or the names, in any case of the letters of ASCII; empty for all.
  ///   - order: The order; names are the handles.
  ///   - key: The key of the last one of the page before, in the same order; nil for the first page.
  ///   - limit: Maximum number of authors.
  /// - Throws: `StorageError` if the library cannot be read.
  public func authorCounts(
    containing part: String = "", by order: CountOrder = .count, after key: CountKey? = nil, limit: Int
  ) throws(StorageError) -> [AuthorCount] {
    try read {
      let scan = CountScan(
        table: "author", name: "handle", otherName: "name", part: part, order: order, after: key)
      return try $0.authorCounts(scan, limit)
    }
  }
}

/// Reads tags or authors with the totals that triggers maintain.
struct CountScan {
  let table: String
  /// The column with the name.
  let name: String
  /// Another column in which a part of the name may be.
  var otherName: String?
  /// What the names contain.
  var part = ""
  var order = CountOrder.count
  var after: CountKey?

  static let tags = CountScan(table: "tag", name: "name")
  static let authors = CountScan(table: "author", name: "handle")

  /// Selects numbers and counts in the list's order.
  func statement(limit: Int, in db: Database) -> Clause {
    let named = db.folded("g.\(name)")
    // An index has the names in order. All counts are in one table, which is read in any order.
    let rows =
      order == .name
      ? "\(table) g \(db.crossJoin) total n ON n.kind = '\(table)' AND n.ref = g.id"
      : "total n \(db.crossJoin) \(table) g ON g.id = n.ref"
    var condition: Clause = "n.kind = '\(table)' AND n.posts > 0"
    let (source, identity) = table == "tag" ? ("''", "g.name") : ("g.source", "g.uri")
    condition += """
       AND NOT EXISTS (SELECT 1 FROM hidden h
        WHERE h.kind = '\(table)' AND h.source = \(source) AND h.identity = \(identity) AND h.is_hidden = 1)
      """
    if !part.isEmpty {
      let columns = [name, otherName].compactMap(\.self)
      let isIn = columns.map { "lower(g.\($0)) LIKE \(bind: pattern) ESCAPE '!'" as Clause }
      condition += " AND (\(isIn.joined(by: " OR ")))"
    }
    if let after {
      let later = db.isLater(named, "g.id", than: (after.name, after.id))
      condition +=
        order == .name
        ? " AND \(later)" : " AND (n.posts < \(bind: after.count) OR (n.posts = \(bind: after.count) AND \(later)))"
    }
    let sorted = order == .name ? "\(named), g.id" : "n.posts DESC, \(named), g.id"
    return """
      SELECT g.id AS id, g.\(name) AS name, n.posts AS posts FROM \(rows) WHERE \(condition)
      ORDER BY \(sorted) LIMIT \(bind: max(limit, 0))
      """
  }
}

extension CountScan {
  /// What contains the part. The engines fold the letters of ASCII alone.
  private var pattern: String {
    let folded = part.storable.unicodeScalars.map { scalar in
      switch scalar {
      case "%", "_", "!": "!\(scalar)"
      case "A"..."Z": String(scalar).lowercased()
      default: String(scalar)
      }
    }
    return "%\(folded.joined())%"
  }
}

extension CountKey: RowDecodable {
  package init(_ row: some RowReading) throws { try self.init(count: row["posts"], id: row["id"], name: row["name"]) }
}

extension Database {
  func tagCounts(_ scan: CountScan, _ limit: Int) throws -> [TagCount] {
    let keys: [CountKey] = try rows(scan.statement(limit: limit, in: self)) { try CountKey($0) }
    let hidden = try hiddenPosts(scan, keys)
    return keys.map { key in
      TagCount(name: key.name, count: key.count, hidden: hidden.map { $0[key.id] ?? 0 }, key: key)
    }
  }

  /// How many posts of each tag or author are hidden; nil if they are too many to be read.
  private func hiddenPosts(_ scan: CountScan, _ keys: [CountKey]) throws -> [Int64: Int]? {
    guard !keys.isEmpty, let hidden = try Hidden(in: self) else { return [:] }
    return try hidden.counts(by: scan.table, of: keys.map(\.id), in: self)
  }

  func authorCounts(_ scan: CountScan, _ limit: Int) throws -> [AuthorCount] {
    let keys: [CountKey] = try rows(scan.statement(limit: limit, in: self)) { try CountKey($0) }
    let hidden = try hiddenPosts(scan, keys)
    var authors: [Int64: StoredAuthor] = [:]
    try rows(
      """
      SELECT u.id, u.uri, u.handle, u.name, u.url, u.avatar_url, b.sha256
      FROM \(each)($1) j \(crossJoin) author u ON u.id = j.value LEFT JOIN blob b ON b.id = u.avatar_blob
      """, [keys.map(\.id).jsonList]
    ) { row in
      let author = StoredAuthor(
        id: try row["id"], uri: try row["uri"], handle: try row["handle"], name: try row["name"],
        url: try row["url"], avatarURL: try row["avatar_url"],
        avatar: try (row["sha256"] as String?).flatMap(BlobID.init))
      authors[author.id] = author
    }
    return keys.compactMap { key in
      authors[key.id].map {
        AuthorCount(author: $0, count: key.count, hidden: hidden.map { $0[key.id] ?? 0 }, key: key)
      }
    }
  }
}
