/// A list of posts in its order, however it is read.
protocol PostOrder {
  /// The places from a key on, or before it, the nearest first; from the list's start where there is no key.
  func keys(_ course: PostSelection.Course, limit: Int, in db: Database) throws -> [PostKey]
  /// Whether there is a place on that course.
  func hasAny(_ course: PostSelection.Course, in db: Database) throws -> Bool
  /// How many rows it holds.
  func total(in db: Database) throws -> ListTotal
  /// How many of them stand in a section of authors or tags.
  func count(of section: PostKey.Section, in db: Database) throws -> ListTotal
  /// How many of them fall into a stretch of time.
  func count(within stint: Stint, in db: Database) throws -> ListTotal
  /// Follows a change of posts. False where it cannot, and has to be made again.
  mutating func follow(_ changed: Set<Int64>, in db: Database) throws -> Bool
}

extension PostOrder {
  func hasAny(_ course: PostSelection.Course, in db: Database) throws -> Bool {
    try !keys(course, limit: 1, in: db).isEmpty
  }
}

/// Up to where lists are counted that no total is kept of.
enum Bound {
  static let exact = 10_000
  /// What is counted beyond, so that posts may leave before a list has to be counted again.
  static let slack = 2_000
  /// Up to where the posts in which a word stands are counted.
  static let matches = 100_000

  static func total(_ counted: Int) -> ListTotal { counted > exact ? .moreThan(exact) : .exactly(counted) }
}

/// A list that holds nothing.
struct NoPosts: PostOrder {
  func keys(_ course: PostSelection.Course, limit: Int, in db: Database) throws -> [PostKey] { [] }
  func total(in db: Database) throws -> ListTotal { .exactly(0) }
  func count(of section: PostKey.Section, in db: Database) throws -> ListTotal { .exactly(0) }
  func count(within stint: Stint, in db: Database) throws -> ListTotal { .exactly(0) }
  mutating func follow(_ changed: Set<Int64>, in db: Database) throws -> Bool { true }
}

/// Chooses how a list is read: from the indexes in its order, or, where what it holds is few, all of it at once.
struct PostPlan {
  let predicate: PostPredicate?
  let grouping: PostGrouping

  init(_ query: PostListQuery, in db: Database) throws {
    predicate = try PostPredicate(query, in: db)
    grouping = query.grouping
  }

  func order(in db: Database) throws -> any PostOrder {
    guard let predicate else { return NoPosts() }
    let source = try narrowest(predicate, in: db)
    let matches = try predicate.search.map { try PostSelection.matches($0.match, limit: Bound.matches, in: db) } ?? 0
    if let few = try few(predicate, from: source, matches: matches, in: db) { return few }
    return try IndexedPosts(predicate, grouping, from: source, matches: matches, in: db)
  }

  /// The keys alone, for who wants to know no more than these of the list.
  func keys(_ course: PostSelection.Course, limit: Int, in db: Database) throws -> [PostKey] {
    if let predicate, let search = predicate.search, !grouping.hasOwners {
      let posts = PostSelection(source: try narrowest(predicate, in: db), predicate: predicate)
      if let keys = try SearchWalk.glance(posts, search, course, limit: limit, in: db) { return keys }
    }
    return try order(in: db).keys(course, limit: limit, in: db)
  }

  private func few(
    _ predicate: PostPredicate,
    from source: PostSource,
    matches: Int,
    in db: Database
  ) throws -> FoundPosts? {
    guard let search = predicate.search else {
      guard grouping.hasOwners, predicate.isNarrow else { return nil }
      return try FoundPosts(predicate, grouping, from: source, in: db)
    }
    if matches < Bound.matches {
      // In the list of tags, a post without any has no place.
      if grouping != .tag, try predicate.least(of: matches, in: db) ?? 0 > Bound.exact { return nil }
      return try FoundPosts(predicate, grouping, from: .found(search.match, atMost: Bound.matches), in: db)
    }
    guard source != .library, try db.total(of: source) <= Bound.exact else { return nil }
    return try FoundPosts(predicate, grouping, from: source, in: db)
  }

  private func narrowest(_ predicate: PostPredicate, in db: Database) throws -> PostSource {
    let sources = predicate.sources
    guard sources.count > 1 else { return sources.first ?? .library }
    let totals = try sources.map { try db.total(of: $0) }
    return zip(sources, totals).min { $0.1 < $1.1 }?.0 ?? .library
  }
}

extension PostGrouping {
  /// Whether its sections are authors or tags, which the order begins with.
  var hasOwners: Bool { self == .author || self == .tag }
}

extension PostSelection {
  /// In how many posts words stand, deleted ones among them, counted to a limit.
  static func matches(_ match: String, limit: Int, in db: Database) throws -> Int {
    let sql = "SELECT count(*) FROM (SELECT 1 FROM caption_fts WHERE caption_fts MATCH ? LIMIT ?)"
    return try db.value(sql, [match, limit]) ?? 0
  }
}
