import Filters

/// All posts by a rank that an index has, the highest first. Those that it lacks have the rank 0, and are read newest first.
struct RankedPosts {
  /// The rank of posts with the best rating.
  static let bestRating: Int64 = 5
  /// More bytes than any file has, and a number with as many digits as all that it is lessened to.
  static let mostBytes: Int64 = 9_000_000_000_000_000_000

  private let predicate: PostPredicate
  /// The rows of the index, each with a post `p`, and what they are chosen by.
  private let rows: Clause
  private let rank: String
  /// What the name in a key is lessened from by the rank.
  private let most: Int64
  /// The rank is 0.
  private let isUnranked: FilterCondition

  /// Nil if no index has the order.
  init?(_ predicate: PostPredicate, by sort: PostSort, in db: Database) {
    self.predicate = predicate
    switch sort {
    case .oldest, .random: return nil
    case .rating:
      rows = "post_state d \(db.index("post_state_rated")) \(db.crossJoin) post p ON p.id = d.post WHERE d.rating > 0"
      (rank, most) = ("d.rating", Self.bestRating)
      isUnranked = .facts(Filter.Term(.rating, [.number(.equal, 0)]), now: "")
    case .size:
      // A post has the rank of its largest file.
      rows = """
        blob b \(db.index("blob_bytes")) \(db.crossJoin) attachment a ON a.blob = b.id AND a.state = 'stored'
          \(db.crossJoin) post p ON p.id = a.post
        WHERE b.bytes > 0 AND a.id = (
          SELECT o.id FROM attachment o JOIN blob c ON c.id = o.blob WHERE o.post = a.post AND o.state = 'stored'
          ORDER BY c.bytes DESC, o.id DESC LIMIT 1)
        """
      (rank, most) = ("b.bytes", Self.mostBytes)
      isUnranked = .not(.facts(Filter.Term(.size, [.number(.more, 0)]), now: ""))
    }
  }

  /// The keys from a position on; nil for a position in another list.
  func keys(_ course: PostSelection.ScanRange, limit: Int, in db: Database) throws -> [PostKey]? {
    var parts = course.continues ? [ranked, unranked] : [unranked, ranked]
    if let start = course.start {
      guard let edge = rank(of: start) else { return nil }
      if (edge > 0) != course.continues { parts.removeFirst() }
    }
    var (keys, rest) = ([PostKey](), course)
    for part in parts where limit < 0 || keys.count < limit {
      keys += try part(rest, limit < 0 ? limit : limit - keys.count, db)
      rest.start = nil
    }
    return keys
  }

  private func rank(of key: PostKey) -> Int64? {
    guard let section = key.section, section.id == 0, let name = Int64(section.name), (0...most).contains(name) else {
      return nil
    }
    return most - name
  }

  private func section(of rank: Int64) -> PostKey.Section { PostKey.Section(name: String(most - rank), id: 0) }

  private func ranked(_ course: PostSelection.ScanRange, limit: Int, in db: Database) throws -> [PostKey] {
    let (way, sign) = course.continues ? ("DESC", "<") : ("ASC", ">")
    var clauses = predicate.conditions(on: .library, id: "p.id", time: "p.created_at", within: course.range, in: db)
    if let start = course.start, let edge = rank(of: start) {
      let equal = course.isInclusive ? "=" : ""
      clauses.append(
        """
        \(rank) \(sign)= \(bind: edge) AND (\(rank) \(sign) \(bind: edge)
          OR (p.created_at, p.id) \(sign)\(equal) (\(bind: start.createdAt), \(bind: start.id)))
        """)
    }
    let conditions: Clause = clauses.isEmpty ? "" : " AND \(clauses.joined(by: " AND "))"
    return try db.rows(
      """
      SELECT \(rank) AS rank, p.created_at AS moment, p.id AS number FROM \(rows)\(conditions)
      ORDER BY \(rank) \(way), p.created_at \(way), p.id \(way)\(Clause(limit: limit))
      """ as Clause
    ) { PostKey(section: section(of: try $0["rank"]), createdAt: try $0["moment"], id: try $0["number"]) }
  }

  private func unranked(_ course: PostSelection.ScanRange, limit: Int, in db: Database) throws -> [PostKey] {
    try PostSelection(source: .matching(isUnranked), predicate: predicate).keys(course, limit: limit, in: db)
      .map { PostKey(section: section(of: 0), createdAt: $0.createdAt, id: $0.id) }
  }
}
