/// Reads a search that finds more posts than can be held.
///
/// Two ways lead to its newest posts: to walk from the newest on and look for the words in each (some 5 microseconds a
/// post), or to sort all that were found (0.7 a post). The walk is shorter where the words are frequent; where they turn
/// out to be frequent only elsewhere, it is broken off.
struct SearchWalk {
  let posts: PostSelection
  let search: SearchText
  /// In how many posts the words stand, counted to `Bound.matches`.
  let matches: Int

  private static let chunk = 500
  private static let patience = 4_000

  /// The newest posts where the words are frequent among them, without knowing how many they are in all; else nil.
  static func glance(
    _ posts: PostSelection,
    _ search: SearchText,
    _ course: PostSelection.Course,
    limit: Int,
    in db: Database
  ) throws -> [PostKey]? {
    guard limit <= patience else { return nil }
    // So many that the walk should come to its end before it is broken off.
    let enough = try limit * db.total("library", 0) / patience + 1
    // Of a word that may go on, the index would first gather all posts; it is frequent where it is so by itself.
    guard enough < Bound.matches, try PostSelection.matches(search.whole, limit: enough, in: db) == enough else {
      return nil
    }
    return try SearchWalk(posts: posts, search: search, matches: enough).walk(course, limit: limit, in: db)
  }

  func keys(_ course: PostSelection.Course, limit: Int, in db: Database) throws -> [PostKey] {
    if let keys = try walkWhereFrequent(course, limit: limit, in: db) { return keys }
    return try all.sorted(course, limit: limit, in: db)
  }

  func hasAny(_ course: PostSelection.Course, in db: Database) throws -> Bool {
    if let keys = try walkWhereFrequent(course, limit: 1, in: db) { return !keys.isEmpty }
    return try all.hasAny(course, in: db)
  }

  /// How many of a stretch of time, or of a section, they are, as far as few posts tell.
  func count(within stint: Stint?, in db: Database) throws -> ListTotal {
    guard let finder = try WordFinder(search, in: db) else {
      return Bound.total(try posts.count(within: stint, limit: Bound.exact + 1, in: db))
    }
    let candidates = try open.keys(PostSelection.Course(range: stint), limit: Self.patience, in: db)
    let found = try matching(candidates, finder, in: db).count
    return candidates.count < Self.patience ? .exactly(found) : .moreThan(found)
  }

  /// The posts of the source, whether or not the words stand in them.
  private var open: PostSelection { PostSelection(source: posts.source, predicate: posts.predicate.withoutSearch) }

  private var all: OwnedPosts {
    OwnedPosts(source: .found(search.match, atMost: -1), predicate: posts.predicate, grouping: .none)
  }

  private func walkWhereFrequent(_ course: PostSelection.Course, limit: Int, in db: Database) throws -> [PostKey]? {
    let isFrequent = try matches >= Bound.matches || Double(steps(to: limit, in: db)) * 5 < Double(matches) * 0.7
    return isFrequent ? try walk(course, limit: limit, in: db) : nil
  }

  /// How many posts hold so many matches, if these are spread evenly; more than that where they were not all counted.
  private func steps(to limit: Int, in db: Database) throws -> Int {
    Int(min(Double(limit) * Double(try db.total("library", 0)) / Double(max(matches, 1)), 1e9)) + 1
  }

  /// nil where the walk was broken off.
  private func walk(_ course: PostSelection.Course, limit: Int, in db: Database) throws -> [PostKey]? {
    guard let finder = try WordFinder(search, in: db) else { return nil }
    var (rest, found, asked) = (course, [PostKey](), 0)
    // A little more than as many posts as should hold enough of them.
    let chunk = max(min(try steps(to: limit, in: db) * 5 / 4, Self.chunk), 16)
    while asked < Self.patience {
      let candidates = try open.keys(rest, limit: chunk, in: db)
      found += try matching(candidates, finder, in: db)
      if found.count >= limit { return Array(found.prefix(limit)) }
      guard candidates.count == chunk, let last = candidates.last else { return found }
      asked += candidates.count
      rest.start = last
      rest.isInclusive = false
    }
    return nil
  }

  private func matching(_ candidates: [PostKey], _ finder: WordFinder, in db: Database) throws -> [PostKey] {
    let list = candidates.map(\.id).jsonList
    let sql = """
      SELECT j.key, p.title, p.caption, p.warning FROM json_each(?) j CROSS JOIN post p ON p.id = j.value ORDER BY j.key
      """
    return try db.map(Clause(sql: sql, arguments: [list])) { row in
      let texts = (1...3).compactMap { row[$0] as String? }
      return try finder.isFound(in: texts) ? candidates[row[0]] : nil
    }.compactMap(\.self)
  }
}
