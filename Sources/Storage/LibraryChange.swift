/// What of the shown changed.
public enum LibraryChange: Sendable, Hashable {
  /// These posts, and all posts of these authors.
  case posts(Set<Int64>, authors: Set<Int64>)
  /// So much that it is not told apart: everything has to be read again.
  case everything
}

/// How far somebody has read the log of changes.
struct ChangeLog {
  private var last: Int64

  /// More changes than this are not told apart.
  private static let limit = 5_000

  /// Begins with what comes after this moment.
  init(in db: Database) throws { last = try Self.newest(in: db) }

  /// What changed since the last reading; nil where nothing did.
  mutating func next(in db: Database) throws -> LibraryChange? {
    let newest = try Self.newest(in: db)
    guard newest != last else { return nil }
    let start = last
    last = newest
    // The log may have been trimmed meanwhile, or the library may be an older copy that was put in its place.
    guard newest > start, newest - start <= Self.limit else { return .everything }
    let rows = try db.rows("SELECT post, author FROM change WHERE id > ?", [start])
    guard rows.count == newest - start else { return .everything }
    let posts = Set(rows.compactMap { $0[0] as Int64? })
    return .posts(posts, authors: Set(rows.compactMap { $0[1] as Int64? }))
  }

  private static func newest(in db: Database) throws -> Int64 {
    try db.value("SELECT coalesce(max(id), 0) FROM change") ?? 0
  }
}
