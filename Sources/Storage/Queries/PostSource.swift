import Rows

/// Where posts are read from. The first five are read in order of time, from an index.
enum PostSource: Equatable {
  case library
  /// The posts that carry one of these tags, or that their feeds brought, each once.
  case tags([Int64])
  /// The posts of these authors; an empty list means the posts without an author.
  case authors([Int64])
  case feed(Int64)
  /// The posts for which a condition holds, whatever list they are on.
  case matching(FilterCondition)
  /// The posts that match a search, unordered. `atMost` bounds how many are read; -1 means all.
  case found(SearchMatch, atMost: Int)
  /// The posts with these numbers, unordered.
  case numbered(Set<Int64>)
  /// The deleted posts, unordered.
  case deleted
  /// Posts with what few posts have, unordered.
  case rare(RarePosts)
  /// The posts made by hand that begin after a moment, unordered.
  case planned(after: String)
  /// The posts made by hand that have begun at a moment and end after it, unordered.
  case underWay(at: String)

  /// One index or list that posts are read from.
  struct IndexScan {
    let from: Clause
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

  func branches(in db: Database) -> [IndexScan] {
    switch self {
    // Also where no order is asked for: in that of another index, what belongs to posts would be read here and there.
    case .library: return [IndexScan(from: Self.newest(in: db))]
    case .matching(let condition):
      return [IndexScan(from: Self.newest(in: db), condition: condition.clause(of: "p.id", in: db))]
    case .tags(let tags) where tags.count > Self.mostTagBranches:
      return [IndexScan(from: "post p", condition: Clause(of: "p.id", carryingAnyOf: tags))]
    case .tags(let tags):
      return tags.indices.flatMap { branches(of: tags[$0], exceptOf: Array(tags[..<$0])) }
    case .authors([]): return [IndexScan(from: "post p", condition: "p.author IS NULL")]
    case .authors(let authors) where authors.count > Self.mostAuthorBranches:
      // SQLite limits the branches of a statement, so this sorts all of the posts instead.
      let isTheirs: Clause = "p.author IN (SELECT value FROM \(db.each)(\(bind: authors.jsonList)))"
      return [IndexScan(from: "post p", condition: isTheirs)]
    case .authors(let authors):
      return authors.map { IndexScan(from: "post p", condition: "p.author = \(bind: $0)") }
    case .feed(let feed):
      // A feed shows a post again if somebody repeats it.
      let isFirst: Clause = """
        b.feed = \(bind: feed) AND NOT EXISTS (
          SELECT 1 FROM feed_post o \(db.index("feed_post_post"))
          WHERE o.post = b.post AND o.feed = b.feed AND o.id < b.id)
        """
      return [IndexScan(from: "feed_post b", time: "b.created_at", id: "b.post", condition: isFirst)]
    case .found(let match, let limit):
      return [IndexScan(from: "\(db.found(match, atMost: limit)) \(db.crossJoin) post p ON p.id = f.number")]
    case .numbered(let ids):
      let list: Clause = "\(db.each)(\(bind: ids.sorted().jsonList)) j"
      return [IndexScan(from: "\(list) \(db.crossJoin) post p ON p.id = j.value")]
    case .planned(let moment):
      let isLater: Clause = "p.source = 'manual' AND p.created_at > \(bind: moment)"
      return [IndexScan(from: "post p \(db.index("post_manual"))", condition: isLater)]
    case .underWay(let moment):
      let isNow: Clause = "p.ends_at > \(bind: moment) AND p.created_at <= \(bind: moment) AND p.source = 'manual'"
      return [IndexScan(from: "post p \(db.index("post_ends"))", condition: isNow)]
    case .rare(let posts):
      let rows = posts.rows(in: db)
      return [IndexScan(from: "(SELECT DISTINCT d.post FROM \(rows)) m \(db.crossJoin) post p ON p.id = m.post")]
    case .deleted:
      let deleted = "post_state d \(db.index("post_state_deleted"))"
      return [
        IndexScan(
          from: "\(deleted) \(db.crossJoin) post p ON p.id = d.post", condition: "d.deleted_at IS NOT NULL")
      ]
    }
  }

  private static func newest(in db: Database) -> Clause { "post p \(db.index("post_newest"))" }

  /// The most lists that are merged. SQLite limits the terms of a statement, and above this a scan is as fast.
  private static let (mostAuthorBranches, mostTagBranches) = (50, 20)

  /// The two lists of a tag's posts: those that carry it, and those that its feeds brought without it. A post with
  /// several of the tags is only in the lists of the first.
  private func branches(of tag: Int64, exceptOf earlier: [Int64]) -> [IndexScan] {
    ["post_tag", "tag_extra"].map { table in
      var condition: Clause = "l.tag = \(bind: tag)"
      if !earlier.isEmpty { condition += " AND NOT \(Clause(of: "l.post", carryingAnyOf: earlier))" }
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
  func statement(_ course: ScanRange = ScanRange(), isOrdered: Bool = true, limit: Int, in db: Database) -> Clause {
    let way = course.continues ? "DESC" : "ASC"
    let order = isOrdered ? " ORDER BY moment \(way), number \(way)" : ""
    let branches = source.branches(in: db)
    // SQLite merges what several indexes return in order. PostgreSQL would read all of them to their ends, and sort.
    let isInParts = db.engine == .postgresql && isOrdered && branches.count > 1
    let most = Clause(limit: limit)
    let selects = branches.map { branch -> Clause in
      var clauses = branch.condition.map { [$0] } ?? []
      if let start = course.start {
        let sign = (course.continues ? "<" : ">") + (course.isInclusive ? "=" : "")
        clauses.append("(\(branch.time), \(branch.id)) \(sign) (\(bind: start.createdAt), \(bind: start.id))")
      }
      clauses += predicate.conditions(on: source, id: branch.id, time: branch.time, within: course.range, in: db)
      let condition: Clause = clauses.isEmpty ? "" : " WHERE \(clauses.joined(by: " AND "))"
      let select: Clause = "SELECT \(branch.time) AS moment, \(branch.id) AS number FROM \(branch.from)\(condition)"
      return isInParts ? "SELECT * FROM (\(select)\(order)\(most)) AS part" : select
    }
    return "\(selects.joined(by: " UNION ALL "))\(order)\(most)"
  }

  /// The keys of the posts, without sections.
  func keys(_ course: ScanRange = ScanRange(), limit: Int, in db: Database) throws -> [PostKey] {
    try db.rows(statement(course, limit: limit, in: db)) { PostKey(createdAt: try $0["moment"], id: try $0["number"]) }
  }

  /// Their number, counted up to a limit.
  func count(within range: TimeRange? = nil, limit: Int, in db: Database) throws -> Int {
    let posts = statement(ScanRange(range: range), isOrdered: false, limit: limit, in: db)
    return try db.value("SELECT count(*) FROM (\(posts)) AS listed" as Clause) ?? 0
  }
}
