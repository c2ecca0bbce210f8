import FoundationEssentials

// Which posts are on a list, for readers that follow the whole list and store none of it.

extension Store {
  /// The numbers of all posts of a list. Takes time in proportion to the list's length.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func members(of list: PostListQuery) throws(StorageError) -> RangeSet<Int> {
    let numbers: [Int] = try read { db in
      guard let predicate = try PostPredicate(list, in: db) else { return [] }
      let found = predicate.search.map { PostSource.found($0.match, atMost: -1) }
      let source = try found ?? predicate.rareSource(in: db) ?? predicate.narrowestSource(in: db)
      let posts = PostSelection(source: source, predicate: predicate)
      return try db.rows(posts.statement(isOrdered: false, limit: -1, in: db)) { try $0.number("number") }
    }
    var members = RangeSet<Int>()
    var run: Range<Int>?
    for number in numbers.sorted() {
      if let open = run, open.upperBound == number {
        run = open.lowerBound..<number + 1
      } else {
        if let run { members.insert(contentsOf: run) }
        run = number..<number + 1
      }
    }
    if let run { members.insert(contentsOf: run) }
    return members
  }

  /// The numbers of all posts of a list: in the order that its filter asks for, else as they are numbered.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func orderedMembers(of list: PostListQuery) throws(StorageError) -> [Int64] {
    let ordered: [Int64]? = try read { db in
      guard try list.filter?.filter.order != nil || PostPredicate(list, in: db)?.sort != nil else { return nil }
      return try PostPlan(list, in: db).keys(PostSelection.ScanRange(start: nil), limit: .max, in: db).map(\.id)
    }
    if let ordered { return ordered }
    return try members(of: list).ranges.flatMap { $0.map(Int64.init) }
  }

  /// The numbers of the posts of a list in its order, of all or from one to another, whichever comes first. Takes time in proportion to
  /// `limit`, the maximum number of them.
  ///
  /// - Returns: The numbers; nil if one of the two is no post.
  /// - Throws: `StorageError` if the library cannot be read.
  public func members(
    of list: PostListQuery, from one: Int64?, to other: Int64?, atMost limit: Int
  ) throws(StorageError) -> [Int64]? {
    try read { db in
      let plan = try PostPlan(list, in: db)
      guard let one, let other else {
        return try plan.keys(PostSelection.ScanRange(start: nil), limit: limit, in: db).map(\.id)
      }
      guard let one = try plan.key(of: one, in: db), let other = try plan.key(of: other, in: db) else { return nil }
      let course = PostSelection.ScanRange(start: min(one, other), isInclusive: true)
      return try plan.keys(course, limit: limit, in: db).prefix { $0 <= max(one, other) }.map(\.id)
    }
  }

  /// Posts in the order of a list; those that are not on it stand last. Takes time in proportion to their number.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func inOrder(of list: PostListQuery, _ posts: [Int64]) throws(StorageError) -> [Int64] {
    let members: [Int64] = try read { db in
      let plan = try PostPlan(list, in: db)
      guard let predicate = plan.predicate, posts.count > 1 else { return [] }
      let listed = OwnedPosts(source: .numbered(Set(posts)), predicate: predicate, grouping: plan.grouping)
      return try listed.keys(limit: -1, in: db).sorted().map(\.id)
    }
    let known = Set(members)
    return members + posts.filter { !known.contains($0) }
  }

  /// How many posts a list has, as far as that is found out without reading all of them.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func total(of list: PostListQuery) throws(StorageError) -> ListTotal {
    try read { db in try PostPlan(list, in: db).order(in: db).total(in: db) }
  }

  /// The same; nil of a list whose filter names a saved search that cannot be used, because it names what is gone.
  public func totalIfUsable(of list: PostListQuery) throws(StorageError) -> ListTotal? {
    do { return try total(of: list) } catch {
      if case .unusableSearch = error { return nil }
      throw error
    }
  }

  /// The posts on a list among some posts and all posts of some authors. Takes time in proportion to their number.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - posts: The numbers of posts.
  ///   - authors: The numbers of authors.
  /// - Returns: The numbers of those on the list.
  /// - Throws: `StorageError` if the library cannot be read.
  public func members(
    of list: PostListQuery, among posts: Set<Int64>, byAuthors authors: Set<Int64>
  ) throws(StorageError) -> Set<Int64> {
    try read { db in
      guard let predicate = try PostPredicate(list, in: db) else { return [] }
      let shown = predicate.authors.map(authors.intersection) ?? authors
      let sources = [posts.isEmpty ? nil : PostSource.numbered(posts), shown.isEmpty ? nil : .authors(shown.sorted())]
      return try sources.compactMap(\.self).reduce(into: []) { members, source in
        members.formUnion(try PostSelection(source: source, predicate: predicate).keys(limit: -1, in: db).map(\.id))
      }
    }
  }

  /// Posts by their numbers.
  ///
  /// - Returns: The posts, oldest first. Numbers without a post are skipped.
  /// - Throws: `StorageError` if the library cannot be read.
  public func posts(numbered numbers: some Collection<Int64> & Sendable) throws(StorageError) -> [StoredPost] {
    try read { db in try PostReader(db: db).posts(Array(numbers)) }
      .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
  }
}
