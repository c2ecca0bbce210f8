import GRDB

/// Reads a search that finds more posts than can be held.
///
/// Two ways lead to its newest posts: to walk from the newest on and ask of each whether the words stand in it (some 12
/// microseconds a post), or to sort all that were found (0.7 a post). The walk is shorter where the words are frequent;
/// where they turn out to be frequent only elsewhere, it is broken off. For the beginning of a word each question costs
/// as much as gathering all its posts: then there is but one.
struct SearchWalk {
  let posts: PostSelection
  let match: String
  /// In how many posts the words stand, counted to `Bound.matches`.
  let matches: Int

  private static let chunk = 500
  private static let patience = 4_000

  func keys(_ course: PostSelection.Course, limit: Int, in db: Database) throws -> [PostKey] {
    if try isFrequent(enoughFor: limit, in: db), let keys = try walk(course, limit: limit, in: db) { return keys }
    let found = PostSource.found(match, atMost: -1)
    let all = OwnedPosts(source: found, predicate: posts.predicate, grouping: .none)
    return try all.sorted(course, limit: limit, in: db)
  }

  /// How many of a stretch of time, or of a section, they are, as far as few posts tell.
  func count(within stint: Stint?, in db: Database) throws -> ListTotal {
    let candidates = try open.keys(PostSelection.Course(range: stint), limit: Self.patience, in: db)
    let found = try matching(candidates, in: db).count
    return candidates.count < Self.patience ? .exactly(found) : .moreThan(found)
  }

  /// The posts of the source, whether or not the words stand in them.
  private var open: PostSelection { PostSelection(source: posts.source, predicate: posts.predicate.withoutMatch) }

  private func isFrequent(enoughFor limit: Int, in db: Database) throws -> Bool {
    try matches >= Bound.matches || Double(steps(to: limit, in: db)) * 12 < Double(matches) * 0.7
  }

  /// How many posts hold so many matches, if these are spread evenly; more than that where they were not all counted.
  private func steps(to limit: Int, in db: Database) throws -> Int {
    Int(min(Double(limit) * Double(try db.total("library", 0)) / Double(max(matches, 1)), 1e9)) + 1
  }

  /// nil where the walk was broken off.
  private func walk(_ course: PostSelection.Course, limit: Int, in db: Database) throws -> [PostKey]? {
    var (rest, found, asked) = (course, [PostKey](), 0)
    // A little more than as many posts as should hold enough of them.
    let likely = max(min(try steps(to: limit, in: db) * 5 / 4, Self.chunk), 16)
    let chunk = match.hasSuffix("*") ? Self.patience : likely
    while asked < Self.patience {
      let candidates = try open.keys(rest, limit: chunk, in: db)
      found += try matching(candidates, in: db)
      if found.count >= limit { return Array(found.prefix(limit)) }
      guard candidates.count == chunk, let last = candidates.last else { return found }
      asked += candidates.count
      rest.start = last
      rest.isInclusive = false
    }
    return nil
  }

  private func matching(_ candidates: [PostKey], in db: Database) throws -> [PostKey] {
    let list = "[\(candidates.map { String($0.id) }.joined(separator: ","))]"
    let numbers = PostSource.numbered(Set(candidates.map(\.id))).numbers
    let words = Clause(of: "CAST(j.value AS INTEGER)", from: numbers, count: candidates.count, matching: match)
    let sql = "SELECT j.value FROM json_each(?) j WHERE \(words.sql)"
    let rows = try db.rows(Clause(sql: sql, arguments: [list] + words.arguments))
    let ids = Set(rows.map { $0[0] as Int64 })
    return candidates.filter { ids.contains($0.id) }
  }
}
