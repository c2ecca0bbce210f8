import Machine
import Rows

// Lists in another order than newest first. What they are sorted by stands in the keys as a section: a text that sorts as the
// posts do.

extension PostSort {
  /// What the post of a row with the columns `moment` and `number` is sorted by, a text of one length.
  var name: Clause {
    switch self {
    case .oldest: "moment"
    case .rating:
      "CAST(5 - coalesce((SELECT s.rating FROM post_state s WHERE s.post = number), 0) AS text)"
    case .size:
      """
      CAST(\(Self.most) - coalesce((SELECT max(b.bytes) FROM attachment a JOIN blob b ON b.id = a.blob
        WHERE a.post = number AND a.state = 'stored'), 0) AS text)
      """
    case .random(let seed): "CAST(\(Self.least) + \(Self.mixed(by: seed)) AS text)"
    }
  }

  /// The number that orders posts of one name. Of one moment, the post that came first is first where the oldest is.
  var owner: Clause { self == .oldest ? "number" : "CAST(0 AS bigint)" }

  /// More bytes than any file has, and a number with as many digits as all that it is lessened to.
  private static let most: Clause = "9000000000000000000"
  /// A number with as many digits as all that are mixed and added to it.
  private static let least: Clause = "1000000000"

  /// A number below 2^31 - 1, which is prime, of a post's number and a seed: a square, so that neighbours are not neighbours
  /// in each order. Both engines compute it in 64 bits.
  private static func mixed(by seed: Int64) -> Clause {
    let prime: Int64 = 2_147_483_647
    let mixed = seed.multipliedReportingOverflow(by: 48_271).partialValue.addingReportingOverflow(1_103_515_245)
      .partialValue
    let factor = mixed.magnitude % UInt64(prime - 1) + 1
    let line: Clause = "((number % \(bind: prime)) * \(bind: Int64(factor)) + 1) % \(bind: prime)"
    return "((\(line)) * (\(line)) % \(bind: prime))"
  }
}

extension IndexedPosts {
  /// The keys of a sorted list. The oldest are read from the other end of an index; otherwise all posts are sorted.
  func keys(
    of posts: PostSelection, sortedBy sort: PostSort, _ course: PostSelection.ScanRange, limit: Int, in db: Database
  ) throws -> [PostKey] {
    guard sort == .oldest else {
      return try OwnedPosts(source: posts.source, predicate: posts.predicate, grouping: .sorted(sort)).sorted(
        course, limit: limit, in: db)
    }
    var back = course
    back.continues.toggle()
    return try posts.keys(back, limit: limit, in: db).map(PostKey.init(oldestFirst:))
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
