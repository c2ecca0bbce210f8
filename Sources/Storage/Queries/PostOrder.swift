/// An ordered list of posts, however it is read.
protocol PostOrder {
  /// The keys from a key on, or before it, the nearest first; from the list's start if there is no key.
  func keys(_ course: PostSelection.ScanRange, limit: Int, in db: Database) throws -> [PostKey]
  /// Whether the range contains a key.
  func hasAny(_ course: PostSelection.ScanRange, in db: Database) throws -> Bool
  /// How many rows it has.
  func total(in db: Database) throws -> ListTotal
  /// How many posts it leaves out because they are hidden.
  func hidden(in db: Database) throws -> ListTotal
  /// How many of them are in a section of authors or tags.
  func count(of section: PostKey.Section, in db: Database) throws -> ListTotal
  /// How many of them are in a time range.
  func count(within timeRange: TimeRange, in db: Database) throws -> ListTotal
  /// Updates the list after posts changed.
  ///
  /// - Returns: False if it cannot, and must be built again.
  mutating func follow(_ changed: Set<Int64>, in db: Database) throws -> Bool
}

extension PostOrder {
  func hasAny(_ course: PostSelection.ScanRange, in db: Database) throws -> Bool {
    try !keys(course, limit: 1, in: db).isEmpty
  }
}

/// Up to where lists without a stored total are counted.
enum Bound {
  static let exact = 10_000
  /// Counted beyond `exact`, so that posts may leave before a list must be counted again.
  static let slack = 2_000
  /// Up to where rare posts are read to their end rather than looked for among all posts: some 0.3 s.
  static let sorted = 50_000
  /// Up to where rare posts are read for a first screen.
  static let glanced = 2_000
  /// Up to where the posts that match a search are counted.
  static let matches = 100_000

  static func total(_ counted: Int) -> ListTotal { counted > exact ? .moreThan(exact) : .exactly(counted) }
}

extension PostPredicate {
  /// The first of its rare lists that is short enough to be read to its end.
  func rareSource(in db: Database) throws -> PostSource? {
    try rare.first { try $0.count(atMost: Bound.sorted + 1, in: db) <= Bound.sorted }.map(PostSource.rare)
  }
}

/// An empty list.
struct NoPosts: PostOrder {
  func keys(_ course: PostSelection.ScanRange, limit: Int, in db: Database) throws -> [PostKey] { [] }
  func total(in db: Database) throws -> ListTotal { .exactly(0) }
  func hidden(in db: Database) throws -> ListTotal { .exactly(0) }
  func count(of section: PostKey.Section, in db: Database) throws -> ListTotal { .exactly(0) }
  func count(within timeRange: TimeRange, in db: Database) throws -> ListTotal { .exactly(0) }
  mutating func follow(_ changed: Set<Int64>, in db: Database) throws -> Bool { true }
}

/// Chooses how a list is read: from the indexes in its order, or, if it is small, as a whole.
struct PostPlan {
  let predicate: PostPredicate?
  let grouping: PostGrouping

  init(_ query: PostListQuery, in db: Database) throws {
    predicate = try PostPredicate(query, in: db)
    grouping = predicate?.sort.map(PostGrouping.sorted) ?? query.grouping
  }

  /// The same posts, newest first.
  init(byTime query: PostListQuery, in db: Database) throws {
    (predicate, grouping) = (try PostPredicate(query, in: db), .none)
  }

  /// How the list is read.
  ///
  /// - Parameter isFollowed: Whether more is asked than its first keys: then what no index has is looked for once.
  func order(isFollowed: Bool = true, in db: Database) throws -> any PostOrder {
    guard let predicate else { return NoPosts() }
    if let trash = try trash(predicate, in: db) { return trash }
    for rare in predicate.rare where try rare.isShort(Bound.exact, in: db) {
      if let few = try FoundPosts(predicate, grouping, from: .rare(rare), in: db) { return few }
    }
    let source = try predicate.narrowestSource(in: db)
    if isFollowed, predicate.isScanned {
      // Rows of a rare list are read one by one, and sorted. They may all be far from the start.
      let rare = try predicate.rareSource(in: db)
      let posts = OwnedPosts(source: rare ?? source, predicate: predicate, grouping: grouping)
      let keys = try posts.keys(limit: Bound.exact + Bound.slack, in: db)
      if keys.count <= Bound.exact { return FoundPosts(predicate, grouping, keys) }
      return try IndexedPosts(predicate, grouping, from: source, known: keys.count, in: db)
    }
    let matches = try predicate.search.map { try PostSelection.matches($0.match, limit: Bound.matches, in: db) } ?? 0
    if let few = try few(predicate, from: source, matches: matches, in: db) { return few }
    return try IndexedPosts(predicate, grouping, from: source, matches: matches, in: db)
  }

  /// Only the keys, for a caller that needs nothing else of the list.
  func keys(_ course: PostSelection.ScanRange, limit: Int, in db: Database) throws -> [PostKey] {
    if let predicate, let search = predicate.search, !grouping.hasOwners, predicate.deleted != .only {
      let posts = PostSelection(source: try predicate.narrowestSource(in: db), predicate: predicate)
      if let keys = try SearchScan.glance(posts, search, course, limit: limit, in: db) { return keys }
    }
    return try order(isFollowed: false, in: db).keys(course, limit: limit, in: db)
  }

  /// The first keys of a list that no index has in its order, among so many of the newest posts, or fewer for words.
  ///
  /// - Returns: Nil if these are all, an index has the list, or no more posts have its words.
  func glance(limit: Int, looking count: Int, in db: Database) throws -> Glance? {
    guard let predicate, predicate.isScanned || predicate.search != nil, predicate.deleted != .only,
      try !predicate.rare.contains(where: { try $0.isShort(Bound.glanced, in: db) })
    else { return nil }
    // Where words are frequent, the newest posts fill the list before all that have them could be counted.
    if predicate.search != nil, let first = try glance(at: predicate, limit: limit, looking: Self.firstLook, in: db),
      first.keys.count == limit
    {
      return first
    }
    // A prefix is frequent if it is frequent as a word, which takes less to count.
    let matches = try predicate.search.map { search in
      try isFrequent(search, of: predicate, in: db)
        ? count + 1 : PostSelection.matches(search.whole, limit: count + 1, in: db)
    }
    if let matches, matches <= count { return nil }
    let count = matches == nil ? count : min(count, SearchScan.glance)
    return try glance(at: predicate, limit: limit, looking: count, matches: matches ?? 0, in: db)
  }

  private static let firstLook = 500

  /// Whether a tenth of the newest posts have the words that a list asks for beside other things.
  private func isFrequent(_ search: SearchText, of predicate: PostPredicate, in db: Database) throws -> Bool {
    guard predicate.condition != nil || !predicate.sources.isEmpty else { return false }
    var words = predicate
    words.openAll()
    words.search = search
    let enough = Self.firstLook / 10
    return try glance(at: words, limit: enough, looking: Self.firstLook, in: db)?.keys.count == enough
  }

  private func glance(
    at predicate: PostPredicate, limit: Int, looking count: Int, matches: Int = 0, in db: Database
  ) throws -> Glance? {
    let source = try predicate.narrowestSource(in: db)
    var open = predicate
    open.openAll()
    let looked = PostSelection(source: source, predicate: open).statement(limit: count, in: db)
    let edges: [(moment: String?, count: Int)] = try db.rows(
      "SELECT min(moment) AS moment, count(*) AS looked FROM (\(looked)) AS newest" as Clause
    ) { row in (moment: try row["moment"], count: try row["looked"]) }
    guard let edge = edges.first, let moment = edge.moment, edge.count == count else { return nil }
    let course = PostSelection.ScanRange(range: TimeRange(start: moment, end: TimeRange.always.end))
    let posts = PostSelection(source: source, predicate: predicate)
    let scan = predicate.search.map { SearchScan(posts: posts, search: $0, matches: matches) }
    guard
      let keys = try scan.map({ try $0.walk(course, limit: limit, in: db) }) ?? posts.keys(course, limit: limit, in: db)
    else { return nil }
    let order = try IndexedPosts(predicate, grouping, from: source, matches: matches, known: keys.count, in: db)
    return Glance(keys: keys, edge: moment, order: order)
  }

  /// The first keys of a list, and when the last post was written that was looked at.
  struct Glance {
    let keys: [PostKey]
    let edge: String
    let order: any PostOrder
  }

  /// The deleted posts of a list, if all keys of them can be kept in memory.
  private func trash(_ predicate: PostPredicate, in db: Database) throws -> FoundPosts? {
    guard predicate.deleted == .only, try db.countOfDeleted(atMost: Bound.exact + 1) <= Bound.exact else { return nil }
    return try FoundPosts(predicate, grouping, from: .deleted, in: db)
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
      // The list of tags does not contain posts without a tag.
      if grouping != .tag, try predicate.least(of: matches, in: db) ?? 0 > Bound.exact { return nil }
      return try FoundPosts(predicate, grouping, from: .found(search.match, atMost: Bound.matches), in: db)
    }
    guard source != .library, try db.total(of: source) <= Bound.exact else { return nil }
    return try FoundPosts(predicate, grouping, from: source, in: db)
  }
}

extension PostPredicate {
  /// The indexed list with the fewest posts that contains all of its posts.
  func narrowestSource(in db: Database) throws -> PostSource {
    guard sources.count > 1 else { return sources.first ?? .library }
    let totals = try sources.map { try db.total(of: $0) }
    return zip(sources, totals).min { $0.1 < $1.1 }?.0 ?? .library
  }
}

extension PostGrouping {
  /// Whether the order begins with something else than time: with authors, tags, or what it is sorted by.
  var hasOwners: Bool { self == .author || self == .tag || sort != nil }

  /// What it is sorted by; nil if it is not.
  var sort: PostSort? { if case .sorted(let sort) = self { sort } else { nil } }
}

extension PostSelection {
  /// How many posts match, deleted ones included, counted up to a limit.
  static func matches(_ match: SearchMatch, limit: Int, in db: Database) throws -> Int {
    try db.value("SELECT count(*) FROM \(db.found(match, atMost: limit))" as Clause) ?? 0
  }
}
