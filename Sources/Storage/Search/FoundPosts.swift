import Rows

/// A list of few posts, with all keys in memory: the result of a search, or of a narrow list.
struct FoundPosts: PostOrder {
  private let predicate: PostPredicate
  private let grouping: PostGrouping
  private var sortedKeys: [PostKey]

  /// Nil if there are too many.
  init?(_ predicate: PostPredicate, _ grouping: PostGrouping, from source: PostSource, in db: Database) throws {
    self.predicate = predicate
    self.grouping = grouping
    sortedKeys = try OwnedPosts(source: source, predicate: predicate, grouping: grouping).keys(
      limit: Bound.exact + 1, in: db)
    if sortedKeys.count > Bound.exact { return nil }
    sortedKeys.sort()
  }

  /// A list whose keys are known, in any order.
  init(_ predicate: PostPredicate, _ grouping: PostGrouping, _ keys: [PostKey]) {
    (self.predicate, self.grouping, sortedKeys) = (predicate, grouping, keys.sorted())
  }

  func keys(_ course: PostSelection.ScanRange, limit: Int, in db: Database) throws -> [PostKey] {
    guard let start = course.start else {
      return course.continues ? Array(sortedKeys.prefix(limit)) : sortedKeys.suffix(limit).reversed()
    }
    if course.continues { return Array(sortedKeys[index(of: start, passing: !course.isInclusive)...].prefix(limit)) }
    return sortedKeys[..<index(of: start, passing: course.isInclusive)].suffix(limit).reversed()
  }

  func total(in db: Database) throws -> ListTotal { .exactly(sortedKeys.count) }

  func hidden(in db: Database) throws -> ListTotal { try predicate.hiddenTotal(in: db) }

  func count(of section: PostKey.Section, in db: Database) throws -> ListTotal {
    // Keys of other sections are all before or all after these.
    let first = sortedKeys.partitioned { $0.section.map { $0 < section } ?? true }
    let last = sortedKeys.partitioned { $0.section.map { !(section < $0) } ?? true }
    return .exactly(last - first)
  }

  func count(within timeRange: TimeRange, in db: Database) throws -> ListTotal {
    let first = sortedKeys.partitioned { $0.createdAt >= timeRange.end }
    let last = sortedKeys.partitioned { $0.createdAt >= timeRange.start }
    return .exactly(max(last - first, 0))
  }

  mutating func follow(_ changed: Set<Int64>, in db: Database) throws -> Bool {
    sortedKeys.removeAll { changed.contains($0.id) }
    let posts = OwnedPosts(source: .numbered(changed), predicate: predicate, grouping: grouping)
    for key in try posts.keys(limit: Bound.exact + 1, in: db) {
      sortedKeys.insert(key, at: index(of: key, passing: false))
    }
    return sortedKeys.count <= Bound.exact
  }

  /// The index of the first key that is not before `key`, or that is after it if `passing` is true.
  private func index(of key: PostKey, passing: Bool) -> Int {
    sortedKeys.partitioned { passing ? !(key < $0) : $0 < key }
  }
}

extension Array {
  /// The index of the first element for which the predicate is false. It must be true for all before and for none after.
  fileprivate func partitioned(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Posts of a source, with their sections.
struct OwnedPosts {
  let source: PostSource
  let predicate: PostPredicate
  let grouping: PostGrouping

  /// At most `limit` keys, unordered.
  func keys(limit: Int, in db: Database) throws -> [PostKey] {
    try db.rows(statement(limit: limit, in: db), PostKey.init(owned:))
  }

  /// The number of keys, counted up to a limit.
  func count(limit: Int, in db: Database) throws -> Int {
    try db.value("SELECT count(*) FROM (\(statement(limit: limit, in: db))) AS owned" as Clause) ?? 0
  }

  /// The keys in the list's order, forwards or backwards from a key. Sorts all of them and keeps the first `limit`.
  func sorted(_ course: PostSelection.ScanRange, limit: Int, in db: Database) throws -> [PostKey] {
    let (onward, backward) = course.continues ? ("ASC", "DESC") : ("DESC", "ASC")
    let owners = grouping.hasOwners ? "\(db.folded("name")) \(onward), owner \(onward), " : ""
    return try db.rows(
      """
      SELECT * FROM (\(statement(limit: -1, in: db))) AS owned WHERE \(beyond(course, in: db))
      ORDER BY \(owners)moment \(backward), number \(backward)\(Clause(limit: limit))
      """ as Clause, PostKey.init(owned:))
  }

  /// Whether the range contains any key. Stops at the first.
  func hasAny(_ course: PostSelection.ScanRange, in db: Database) throws -> Bool {
    let owned = statement(limit: -1, in: db)
    return try db.hasRow("SELECT 1 FROM (\(owned)) AS owned WHERE \(beyond(course, in: db)) LIMIT 1" as Clause)
  }

  private func beyond(_ course: PostSelection.ScanRange, in db: Database) -> Clause {
    guard let start = course.start else { return "TRUE" }
    let (older, later) = course.continues ? ("<", ">") : (">", "<")
    let edge = course.isInclusive ? "=" : ""
    let isOlder: Clause = "(moment, number) \(older)\(edge) (\(bind: start.createdAt), \(bind: start.id))"
    guard grouping.hasOwners, let section = start.section else { return isOlder }
    let owner = "(\(db.folded("name")), owner)"
    let other: Clause = "(\(db.folded(bind: section.name)), \(bind: section.id))"
    return "(\(owner) \(later) \(other) OR (\(owner) = \(other) AND \(isOlder)))"
  }

  private func statement(limit: Int, in db: Database) -> Clause {
    // A post without tags is in no group, one with many in many: the limit is that of the groups' rows.
    let limitOfPosts = if case .tag = grouping { -1 } else { limit }
    let posts = PostSelection(source: source, predicate: predicate)
      .statement(isOrdered: false, limit: limitOfPosts, in: db)
    switch grouping {
    case .none, .day: return "SELECT moment, number, NULL AS name, NULL AS owner FROM (\(posts)) AS listed"
    case .author:
      return """
        SELECT moment, number, coalesce(a.name, '') AS name, coalesce(a.id, 0) AS owner
        FROM (\(posts)) AS listed \(db.crossJoin) post q ON q.id = number LEFT JOIN author a ON a.id = q.author
        """
    case .tag:
      return """
        SELECT moment, number, t.name AS name, t.id AS owner FROM (\(posts)) AS listed CROSS JOIN tag t
        WHERE t.id IN (SELECT tag FROM post_tag WHERE post = number UNION ALL
          SELECT tag FROM tag_extra WHERE post = number)\(Clause(limit: limit))
        """
    case .sorted(let sort):
      return "SELECT moment, number, \(sort.name) AS name, \(sort.owner) AS owner FROM (\(posts)) AS listed"
    }
  }
}

extension PostKey {
  /// From the moment, the number, and the section's name and number.
  init(owned row: Row) throws {
    let (createdAt, id): (String, Int64) = try (row["moment"], row["number"])
    let (name, owner): (String?, Int64?) = try (row["name"], row["owner"])
    self.init(section: owner.map { Section(name: name ?? "", id: $0) }, createdAt: createdAt, id: id)
  }
}
