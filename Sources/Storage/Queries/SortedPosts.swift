import Rows

// Lists in another order than newest first. What they are sorted by stands in the keys as a section: a text that sorts as the
// posts do.

extension PostSort {
  /// What the post of a row with the columns `moment` and `number` is sorted by, a text of one length.
  var name: Clause {
    switch self {
    case .oldest: "moment"
    case .rating:
      "CAST(\(bind: RankedPosts.bestRating) - coalesce((SELECT s.rating FROM post_state s WHERE s.post = number), 0) AS text)"
    case .size:
      """
      CAST(\(bind: RankedPosts.mostBytes) - coalesce((SELECT max(b.bytes) FROM attachment a JOIN blob b ON b.id = a.blob
        WHERE a.post = number AND a.state = 'stored'), 0) AS text)
      """
    case .random(let seed): "CAST(\(bind: RandomOrder.least) + \(RandomOrder(seed).mixed) AS text)"
    }
  }

  /// The number that orders posts of one name. Of one moment, the post that came first is first where the oldest is.
  var owner: Clause { self == .oldest ? "number" : "CAST(0 AS bigint)" }
}

extension IndexedPosts {
  /// The keys of a sorted list. Without an index for the order, all posts are sorted.
  func keys(
    of posts: PostSelection, sortedBy sort: PostSort, _ course: PostSelection.ScanRange, limit: Int, in db: Database
  ) throws -> [PostKey] {
    let owned = OwnedPosts(source: posts.source, predicate: posts.predicate, grouping: .sorted(sort))
    if posts.source == .library, let keys = try indexed(owned, by: sort, course, limit: limit, in: db) { return keys }
    guard sort == .oldest else { return try owned.sorted(course, limit: limit, in: db) }
    var back = course
    back.continues.toggle()
    return try posts.keys(back, limit: limit, in: db).map(PostKey.init(oldestFirst:))
  }

  /// Nil if no index helps, and for a position in a list of another order.
  private func indexed(
    _ posts: OwnedPosts, by sort: PostSort, _ course: PostSelection.ScanRange, limit: Int, in db: Database
  ) throws -> [PostKey]? {
    if case .random(let seed) = sort {
      return try RandomOrder(seed).keys(of: posts, course, limit: limit, in: db)
    }
    return try RankedPosts(posts.predicate, by: sort, in: db)?.keys(course, limit: limit, in: db)
  }
}

extension PostKey {
  /// The key where the oldest post is first.
  fileprivate init(oldestFirst key: PostKey) {
    self.init(section: Section(name: key.createdAt, id: key.id), createdAt: key.createdAt, id: key.id)
  }
}

extension PostPlan {
  /// The position of a post in its list, whether or not the list has it; nil if no post has the number, or where the list has
  /// sections.
  func key(of id: Int64, in db: Database) throws -> PostKey? {
    let moment: String? = try db.value("SELECT created_at FROM post WHERE id = $1", [id])
    guard let moment else { return nil }
    guard let sort = grouping.sort else { return PostKey(createdAt: moment, id: id) }
    let post: Clause = "SELECT created_at AS moment, id AS number FROM post WHERE id = \(bind: id)"
    return try db.rows(
      "SELECT moment, number, \(sort.name) AS name, \(sort.owner) AS owner FROM (\(post)) AS one" as Clause,
      PostKey.init(owned:)
    ).first
  }
}
