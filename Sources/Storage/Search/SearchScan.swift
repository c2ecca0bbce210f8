/// Reads a search with more results than can be kept in memory.
///
/// There are two ways to its newest posts: scan from the newest on and match each post (some 5 microseconds a post), or
/// sort all matches (0.7 a post). The scan is faster if the words are frequent. It is aborted if they turn out to be
/// frequent only elsewhere.
struct SearchScan {
  let posts: PostSelection
  let search: SearchText
  /// How many posts match, counted up to `Bound.matches`.
  let matches: Int

  private static let chunk = 500
  private static let patience = 4_000
  /// How many posts a glance looks through.
  static let glance = patience - 1

  /// The newest matches if the words are frequent among the newest posts, without counting all matches; else nil.
  static func glance(
    _ posts: PostSelection,
    _ search: SearchText,
    _ course: PostSelection.ScanRange,
    limit: Int,
    in db: Database
  ) throws -> [PostKey]? {
    guard limit <= patience else { return nil }
    // Enough matches that the scan should finish before it is aborted.
    let enough = try Int(Double(limit) * Double(db.total("library", 0)) / Double(patience)) + 1
    // For a prefix the index would first gather all posts. A prefix is frequent if it is frequent as a word.
    guard enough < Bound.matches, try PostSelection.matches(search.whole, limit: enough, in: db) == enough else {
      return nil
    }
    return try SearchScan(posts: posts, search: search, matches: enough).walk(course, limit: limit, in: db)
  }

  func keys(_ course: PostSelection.ScanRange, limit: Int, in db: Database) throws -> [PostKey] {
    if let keys = try walkWhereFrequent(course, limit: limit, in: db) { return keys }
    return try all.sorted(course, limit: limit, in: db)
  }

  func hasAny(_ course: PostSelection.ScanRange, in db: Database) throws -> Bool {
    if let keys = try walkWhereFrequent(course, limit: 1, in: db) { return !keys.isEmpty }
    return try all.hasAny(course, in: db)
  }

  /// How many matches are in a time range, as far as a bounded scan can count.
  func count(within timeRange: TimeRange?, in db: Database) throws -> ListTotal {
    guard let finder = try TermMatcher(search, in: db) else {
      return Bound.total(try posts.count(within: timeRange, limit: Bound.exact + 1, in: db))
    }
    let candidates = try open.keys(PostSelection.ScanRange(range: timeRange), limit: Self.patience, in: db)
    let found = try matching(candidates, finder, in: db).count
    return candidates.count < Self.patience ? .exactly(found) : .moreThan(found)
  }

  /// The posts of the source, whether or not they match.
  private var open: PostSelection { PostSelection(source: posts.source, predicate: posts.predicate.withoutSearch) }

  private var all: OwnedPosts {
    OwnedPosts(source: .found(search.match, atMost: -1), predicate: posts.predicate, grouping: .none)
  }

  private func walkWhereFrequent(_ course: PostSelection.ScanRange, limit: Int, in db: Database) throws -> [PostKey]? {
    let isFrequent = try matches >= Bound.matches || Double(steps(to: limit, in: db)) * 5 < Double(matches) * 0.7
    return isFrequent ? try walk(course, limit: limit, in: db) : nil
  }

  /// How many posts must be scanned for `limit` matches if they are spread evenly; an overestimate if not all matches
  /// were counted.
  private func steps(to limit: Int, in db: Database) throws -> Int {
    Int(min(Double(limit) * Double(try db.total("library", 0)) / Double(max(matches, 1)), 1e9)) + 1
  }

  /// nil if the scan was aborted.
  func walk(_ course: PostSelection.ScanRange, limit: Int, in db: Database) throws -> [PostKey]? {
    guard let finder = try TermMatcher(search, in: db) else { return nil }
    var (rest, found, scanned) = (course, [PostKey](), 0)
    // A little more than the number of posts that should contain enough matches.
    let chunk = max(min(try steps(to: limit, in: db) * 5 / 4, Self.chunk), 16)
    while scanned < Self.patience {
      let candidates = try open.keys(rest, limit: chunk, in: db)
      found += try matching(candidates, finder, in: db)
      if found.count >= limit { return Array(found.prefix(limit)) }
      guard candidates.count == chunk, let last = candidates.last else { return found }
      scanned += candidates.count
      rest.start = last
      rest.isInclusive = false
    }
    return nil
  }

  private func matching(_ candidates: [PostKey], _ finder: TermMatcher, in db: Database) throws -> [PostKey] {
    let list = candidates.map(\.id).jsonList
    return try db.rows(SearchedTexts.selection(in: db), [list]) { row -> PostKey? in
      let (index, texts): (Int, [String?]) = try (row["key"], SearchedTexts.columns.map { try row[$0] })
      let isFound = try search.noted.contains(candidates[index].id) || finder.isFound(in: texts.compactMap(\.self))
      return isFound ? candidates[index] : nil
    }.compactMap(\.self)
  }
}
