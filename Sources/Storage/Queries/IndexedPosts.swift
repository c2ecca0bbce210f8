/// A list that is read from the indexes in order, as far as needed.
struct IndexedPosts: PostOrder {
  private var predicate: PostPredicate
  private let grouping: PostGrouping
  private let source: PostSource
  /// For a search or a filter with too many results to store: the number of results known so far.
  private var known: Int?
  /// The number of posts that contain its terms, as far as counted.
  private let matches: Int
  /// All deleted posts, if they are sorted faster than found in an index of all posts.
  private var trash: PostSelection?

  init(
    _ predicate: PostPredicate,
    _ grouping: PostGrouping,
    from source: PostSource,
    matches: Int = 0,
    known: Int? = nil,
    in db: Database
  ) throws {
    self.predicate = predicate
    self.known = known
    self.grouping = grouping
    self.source = source
    self.matches = matches
    if predicate.isTrash, !grouping.hasOwners, try db.countOfDeleted(atMost: Bound.matches + 1) <= Bound.matches {
      trash = PostSelection(source: .deleted, predicate: predicate)
    }
    guard known == nil, let search = predicate.search else { return }
    let limit = Bound.exact + Bound.slack
    let least = try predicate.least(of: matches, in: db) ?? 0
    let found = PostSelection(source: .found(search.match, atMost: Bound.matches), predicate: predicate)
    self.known = try least > limit ? limit : found.count(limit: limit, in: db)
  }

  func keys(_ course: PostSelection.ScanRange, limit: Int, in db: Database) throws -> [PostKey] {
    if let found { return try found.sorted(course, limit: limit, in: db) }
    if let scan { return try scan.keys(course, limit: limit, in: db) }
    if let sort = grouping.sort { return try keys(of: trash ?? posts, sortedBy: sort, course, limit: limit, in: db) }
    guard grouping.hasOwners else { return try (trash ?? posts).keys(course, limit: limit, in: db) }
    return try keysBySection(course, limit: limit, in: db)
  }

  func hasAny(_ course: PostSelection.ScanRange, in db: Database) throws -> Bool {
    if let found { return try found.hasAny(course, in: db) }
    if let scan { return try scan.hasAny(course, in: db) }
    return try !keys(course, limit: 1, in: db).isEmpty
  }

  private var posts: PostSelection { PostSelection(source: source, predicate: predicate) }

  /// The results of a search in sections with an order of their own. All of them are sorted.
  private var found: OwnedPosts? {
    guard grouping.hasOwners, let search = predicate.search else { return nil }
    return OwnedPosts(source: .found(search.match, atMost: -1), predicate: predicate, grouping: grouping)
  }

  private var scan: SearchScan? { predicate.search.map { SearchScan(posts: posts, search: $0, matches: matches) } }

  mutating func follow(_ changed: Set<Int64>, in db: Database) throws -> Bool {
    guard let before = known else { return true }
    let left = max(before - changed.count, 0)
    known = left
    return before <= Bound.exact || left > Bound.exact
  }

  // MARK: Sections

  private var owners: PostSections {
    PostSections(
      isOfTags: grouping == .tag,
      authors: predicate.authors,
      includesEmpty: predicate.deleted != .excluded
    )
  }

  private func keysBySection(_ course: PostSelection.ScanRange, limit: Int, in db: Database) throws -> [PostKey] {
    var keys: [PostKey] = []
    var rest = course
    var section = course.start?.section
    // If an author's name has changed, the key leads to a section that no longer exists.
    if let present = try section.flatMap({ try owners.present($0, in: db) }) {
      try appendKeys(present, rest, limit: limit, into: &keys, in: db)
    }
    rest.start = nil
    while keys.count < limit {
      let next = try owners.next(after: section, continues: course.continues, in: db)
      for one in next where keys.count < limit { try appendKeys(one, rest, limit: limit, into: &keys, in: db) }
      guard let last = next.last else { break }
      section = last
    }
    return keys
  }

  private func appendKeys(
    _ section: PostKey.Section,
    _ course: PostSelection.ScanRange,
    limit: Int,
    into keys: inout [PostKey],
    in db: Database
  ) throws {
    let posts = PostSelection(source: source(of: section), predicate: predicate)
    for key in try posts.keys(course, limit: limit - keys.count, in: db) {
      keys.append(PostKey(section: section, createdAt: key.createdAt, id: key.id))
    }
  }

  private func source(of section: PostKey.Section) -> PostSource {
    grouping == .tag ? .tags([section.id]) : .authors(section.id == 0 ? [] : [section.id])
  }

  // MARK: Counts

  func total(in db: Database) throws -> ListTotal {
    if let known { return known > Bound.exact ? .moreThan(Bound.exact) : .moreThan(known) }
    if predicate.isTrash, grouping != .tag { return .exactly(try db.countOfDeleted()) }
    if let folded = try foldedTotal(in: db) { return folded }
    if isWhole, grouping != .tag || !predicate.isNarrow {
      let shown = grouping == .tag ? try db.total("tags", 0) : try db.total(of: source)
      let counted = try shown + deleted(of: predicate, grouping, in: db) - planned(of: predicate, grouping, in: db)
      if let hidden = try predicate.hidden(grouping, in: db) { return .exactly(counted - hidden) }
      if grouping != .tag, let most = try predicate.hidden?.most(in: db), counted - most > Bound.exact {
        return .moreThan(counted - most - 1)
      }
    }
    if grouping == .tag {
      let owned = OwnedPosts(source: source, predicate: predicate, grouping: grouping)
      return Bound.total(try owned.count(limit: Bound.exact + 1, in: db))
    }
    return Bound.total(try posts.count(limit: Bound.exact + 1, in: db))
  }

  /// Whether its total is known without counting.
  private var isWhole: Bool {
    predicate.timeRange == nil && predicate.sources.count <= 1 && source.hasExactTotal && predicate.deleted != .only
      && !predicate.isConditional
  }

  /// The total of a long folded list: that of all posts, without the few that it leaves out. nil for other lists.
  private func foldedTotal(in db: Database) throws -> ListTotal? {
    guard predicate.isFolded, grouping != .tag else { return nil }
    var unfolded = self
    unfolded.predicate.isFolded = false
    guard unfolded.isWhole, try RarePosts.elsewhere.count(atMost: Bound.exact + 1, in: db) <= Bound.exact
    else { return nil }
    guard case .exactly(let all) = try unfolded.total(in: db), all > Bound.exact else { return nil }
    let counts = try [unfolded.predicate, predicate].map {
      try PostSelection(source: .rare(.elsewhere), predicate: $0).count(limit: -1, in: db)
    }
    return .exactly(all - counts[0] + counts[1])
  }

  func hidden(in db: Database) throws -> ListTotal { try predicate.hiddenTotal(in: db) }

  func count(of section: PostKey.Section, in db: Database) throws -> ListTotal {
    let source = source(of: section)
    var others = predicate
    if grouping == .author { others.authors = nil }
    if grouping == .tag, predicate.tags == [section.id] { others.tags = nil }
    // The posts without an author are the source of no total of their own.
    if !others.isNarrow, section.id != 0 || (predicate.plannedAfter == nil && predicate.hidden == nil) {
      if grouping == .tag { others.tags = [section.id] } else { others.authors = section.id == 0 ? nil : [section.id] }
      // For posts without an author, no condition selects the deleted ones.
      if section.id != 0 || predicate.deleted == .excluded, let hidden = try others.hidden(.none, in: db) {
        return .exactly(
          try db.total(of: source) + deleted(of: others, .none, in: db) - planned(of: others, .none, in: db) - hidden)
      }
    }
    return try bounded(PostSelection(source: source, predicate: predicate), in: db)
  }

  func count(within timeRange: TimeRange, in db: Database) throws -> ListTotal {
    try bounded(posts, within: timeRange, in: db)
  }

  private func bounded(_ posts: PostSelection, within timeRange: TimeRange? = nil, in db: Database) throws -> ListTotal
  {
    guard let search = predicate.search else {
      return Bound.total(try posts.count(within: timeRange, limit: Bound.exact + 1, in: db))
    }
    return try SearchScan(posts: posts, search: search, matches: matches).count(within: timeRange, in: db)
  }

  /// The number of posts that totals count and the list leaves out because they begin later.
  private func planned(of predicate: PostPredicate, _ grouping: PostGrouping, in db: Database) throws -> Int {
    guard let moment = predicate.plannedAfter else { return 0 }
    var later = predicate
    (later.plannedAfter, later.deleted) = (nil, .excluded)
    return try OwnedPosts(source: .planned(after: moment), predicate: later, grouping: grouping).count(
      limit: -1, in: db)
  }

  /// The number of deleted posts that totals omit, if the list shows them. Few posts are deleted, so the query starts with
  /// them.
  private func deleted(of predicate: PostPredicate, _ grouping: PostGrouping, in db: Database) throws -> Int {
    guard predicate.deleted == .included else { return 0 }
    let owned = OwnedPosts(source: .deleted, predicate: predicate, grouping: grouping)
    return try owned.count(limit: -1, in: db)
  }
}
