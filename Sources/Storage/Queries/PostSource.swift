import Rows

/// Where posts are read from. The first four are read in order of time, from an index.
enum PostSource: Equatable {
  case library
  /// The posts that carry one of these tags, or that their feeds brought, each once.
  case tags([Int64])
  /// The posts of these authors; an empty list means the posts without an author.
  case authors([Int64])
  case feed(Int64)
  /// The posts that match a search, unordered. `atMost` bounds how many are read; -1 means all.
  case found(SearchMatch, atMost: Int)
  /// The posts with these numbers, unordered.
  case numbered(Set<Int64>)
  /// The deleted posts, unordered.
  case deleted
  /// The posts made by hand that begin after a moment, unordered.
  case planned(after: String)
  /// The posts made by hand that have begun at a moment and end after it, unordered.
  case underWay(at: String)

  /// One index or list that posts are read from.
  struct IndexScan {
    let from: String
    var arguments: [any Argument] = []
    var time = "p.created_at"
    var id = "p.id"
    var condition: Clause?
  }

  var isOfAuthors: Bool { if case .authors = self { true } else { false } }

  /// Whether the totals that triggers maintain give its exact size.
  var hasExactTotal: Bool { if case .tags(let tags) = self { tags.count == 1 } else { true } }

  /// Whether its posts are the matches of a search.
  var isFound: Bool { if case .found = self { true } else { false } }

  /// The range of its posts' numbers, if it is known.
  var numbers: ClosedRange<Int64>? {
    guard case .numbered(let ids) = self, let low = ids.min(), let high = ids.max() else { return nil }
    return low...high
  }

  var branches: [IndexScan] {
    switch self {
    case .library: return [IndexScan(from: "post p")]
    case .tags(let tags) where tags.count > Self.mostTagBranches:
      return [IndexScan(from: "post p", condition: Clause(of: "p.id", carryingAnyOf: tags))]
    case .tags(let tags):
      return tags.indices.flatMap { branches(of: tags[$0], exceptOf: Array(tags[..<$0])) }
    case .authors([]): return [IndexScan(from: "post p", condition: Clause(sql: "p.author IS NULL"))]
    case .authors(let authors) where authors.count > Self.mostAuthorBranches:
      // SQLite limits the branches of a statement, so this sorts all of the posts instead.
      let list = authors.jsonList
      let isTheirs = Clause(sql: "p.author IN (SELECT value FROM json_each(?))", arguments: [list])
      return [IndexScan(from: "post p", condition: isTheirs)]
    case .authors(let authors):
      return authors.map { IndexScan(from: "post p", condition: Clause(sql: "p.author = ?", arguments: [$0])) }
    case .feed(let feed):
      // A feed shows a post again if somebody repeats it.
      let isFirst = Clause(
        sql: """
          b.feed = ? AND NOT EXISTS (
            SELECT 1 FROM feed_post o INDEXED BY feed_post_post
            WHERE o.post = b.post AND o.feed = b.feed AND o.id < b.id)
          """, arguments: [feed])
      return [IndexScan(from: "feed_post b", time: "b.created_at", id: "b.post", condition: isFirst)]
    case .found(let match, let limit):
      let found = "(SELECT rowid AS number FROM caption_fts WHERE caption_fts MATCH ? LIMIT ?)"
      return [IndexScan(from: "\(found) f CROSS JOIN post p ON p.id = f.number", arguments: [match, limit])]
    case .numbered(let ids):
      let list = ids.sorted().jsonList
      return [IndexScan(from: "json_each(?) j CROSS JOIN post p ON p.id = j.value", arguments: [list])]
    case .planned(let moment):
      let isLater = Clause(sql: "p.source = 'manual' AND p.created_at > ?", arguments: [moment])
      return [IndexScan(from: "post p INDEXED BY post_manual", condition: isLater)]
    case .underWay(let moment):
      let isNow = Clause(
        sql: "p.ends_at > ? AND p.created_at <= ? AND p.source = 'manual'", arguments: [moment, moment])
      return [IndexScan(from: "post p INDEXED BY post_ends", condition: isNow)]
    case .deleted:
      let deleted = Clause(sql: "d.deleted_at IS NOT NULL")
      let rows = "post_state d INDEXED BY post_state_deleted CROSS JOIN post p ON p.id = d.post"
      return [IndexScan(from: rows, condition: deleted)]
    }
  }

  /// The most lists that are merged. SQLite limits the terms of a statement, and above this a scan is as fast.
  private static let (mostAuthorBranches, mostTagBranches) = (50, 20)

  /// The two lists of a tag's posts: those that carry it, and those that its feeds brought without it. A post with
  /// several of the tags is only in the lists of the first.
  private func branches(of tag: Int64, exceptOf earlier: [Int64]) -> [IndexScan] {
    ["post_tag", "tag_extra"].map { table in
      var condition = Clause(sql: "l.tag = ?", arguments: [tag])
      if !earlier.isEmpty { condition.sql += " AND NOT \(Clause(of: "l.post", carryingAnyOf: earlier).sql)" }
      return IndexScan(from: "\(table) l", time: "l.created_at", id: "l.post", condition: condition)
    }
  }
}

/// The posts of a source that a list contains, and how to read them.
struct PostSelection {
  /// The range to read.
  struct ScanRange {
    /// Where it starts; nil for the source's end.
    var start: PostKey?
    /// Whether a post at the start is included.
    var isInclusive = false
    /// Whether it continues to older posts.
    var continues = true
    var range: TimeRange?
  }

  let source: PostSource
  let predicate: PostPredicate

  /// Selects times and numbers, ordered unless `isOrdered` is false.
  ///
  /// - Parameter isInParts: Whether each index is told the order and the limit. SQLite merges what several indexes return
  ///   in order. PostgreSQL would read all of them to their ends, and sort.
  func statement(
    _ course: ScanRange = ScanRange(), isOrdered: Bool = true, isInParts: Bool = false, limit: Int
  ) -> Clause {
    let way = course.continues ? "DESC" : "ASC"
    let order = isOrdered ? " ORDER BY moment \(way), number \(way)" : ""
    let isInParts = isInParts && isOrdered && source.branches.count > 1
    var all: [any Argument] = []
    let selects = source.branches.map { branch in
      var clauses = branch.condition.map { [$0] } ?? []
      if let start = course.start {
        let sign = (course.continues ? "<" : ">") + (course.isInclusive ? "=" : "")
        let sql = "(\(branch.time), \(branch.id)) \(sign) (?, ?)"
        clauses.append(Clause(sql: sql, arguments: [start.createdAt, start.id]))
      }
      clauses += predicate.conditions(on: source, id: branch.id, time: branch.time, within: course.range)
      all += branch.arguments + clauses.flatMap(\.arguments)
      let condition = clauses.isEmpty ? "" : " WHERE \(clauses.map(\.sql).joined(separator: " AND "))"
      let select = "SELECT \(branch.time) AS moment, \(branch.id) AS number FROM \(branch.from)\(condition)"
      if isInParts { all.append(limit) }
      return isInParts ? "SELECT * FROM (\(select)\(order) LIMIT ?)" : select
    }
    all.append(limit)
    return Clause(sql: "\(selects.joined(separator: " UNION ALL "))\(order) LIMIT ?", arguments: all)
  }

  /// The keys of the posts, without sections.
  func keys(_ course: ScanRange = ScanRange(), limit: Int, in db: Database) throws -> [PostKey] {
    let statement = statement(course, isInParts: db.engine == .postgresql, limit: limit)
    return try db.rows(statement) { PostKey(createdAt: try $0["moment"], id: try $0["number"]) }
  }

  /// Their number, counted up to a limit.
  func count(within range: TimeRange? = nil, limit: Int, in db: Database) throws -> Int {
    var clause = statement(ScanRange(range: range), isOrdered: false, limit: limit)
    clause.sql = "SELECT count(*) FROM (\(clause.sql))"
    return try db.value(clause.sql, clause.arguments) ?? 0
  }
}

extension Database {
  func rows<Value>(_ clause: Clause, _ body: (Row) throws -> Value) throws -> [Value] {
    try rows(clause.sql, clause.arguments, body)
  }
}
