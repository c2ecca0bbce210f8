import FoundationEssentials
import Posts

// What is planned: posts made by hand that begin later, or go on. There are few of them, and indexes of their own.

extension Database {
  /// The number of posts made by hand that begin after a moment, counted up to a limit.
  func countOfPlanned(after moment: String, atMost limit: Int) throws -> Int {
    let sql = """
      SELECT count(*) FROM
        (SELECT 1 FROM post INDEXED BY post_manual WHERE source = 'manual' AND created_at > ? LIMIT ?)
      """
    return try value(sql, [moment, limit]) ?? 0
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func plannedPosts(
    of list: PostListQuery, at moment: Date, limit: Int?
  ) throws(StorageError) -> [StoredPost] {
    var list = list.withoutSections
    list.planned = .included
    let now = UTC.text(moment)
    return try read { db in
      guard let predicate = try PostPredicate(list, in: db) else { return [] }
      let keys = try [PostSource.underWay(at: now), .planned(after: now)].flatMap { source in
        try PostSelection(source: source, predicate: predicate).keys(limit: -1, in: db)
      }
      let sorted = keys.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
      return try PostReader(db: db).posts(sorted.prefix(limit ?? .max).map(\.id))
    }
  }

  public func begunPosts(after start: Date, upTo end: Date) throws(StorageError) -> [Int64] {
    try read { db in
      try db.values(
        """
        SELECT id FROM post INDEXED BY post_manual
        WHERE source = 'manual' AND created_at > ? AND created_at <= ? ORDER BY created_at, id
        """,
        [UTC.text(start), UTC.text(end)])
    }
  }
}
