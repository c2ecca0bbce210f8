import FoundationEssentials
import Machine

// What is planned: posts made by hand that begin later, or go on. There are few of them, and indexes of their own.

extension Database {
  /// The number of posts made by hand that begin after a moment, counted up to a limit.
  func countOfPlanned(after moment: String, atMost limit: Int) throws -> Int {
    let planned = "SELECT 1 FROM post \(index("post_manual")) WHERE source = 'manual' AND created_at > $1 LIMIT $2"
    return try value("SELECT count(*) FROM (\(planned)) AS planned", [moment, limit]) ?? 0
  }
}

extension Store {
  /// The posts made by hand that begin after a moment, or have begun and end after it, soonest first.
  ///
  /// - Parameters:
  ///   - list: The list that they are on. Its sections and its treatment of planned posts do not count.
  ///   - moment: The moment.
  ///   - limit: The maximum number; nil for no limit.
  /// - Throws: `StorageError` if the library cannot be read.
  public func plannedPosts(
    of list: PostListQuery, at moment: Date, limit: Int?
  ) throws(StorageError) -> [StoredPost] {
    var list = list
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

  /// The numbers of the posts made by hand that began in a time: a list that leaves out what is planned must be read anew
  /// for them.
  ///
  /// - Parameters:
  ///   - start: The time's start, which does not belong to it.
  ///   - end: The time's end, which does.
  /// - Throws: `StorageError` if the library cannot be read.
  public func begunPosts(after start: Date, upTo end: Date) throws(StorageError) -> [Int64] {
    try read { db in
      try db.values(
        """
        SELECT id FROM post \(db.index("post_manual"))
        WHERE source = 'manual' AND created_at > $1 AND created_at <= $2 ORDER BY created_at, id
        """,
        [UTC.text(start), UTC.text(end)])
    }
  }
}
