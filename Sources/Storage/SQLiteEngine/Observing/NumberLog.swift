/// A reader's position in the log of changes of a library in SQLite. One transaction writes at a time, so the changes are
/// numbered in the order in which they can be read.
struct NumberLog {
  private var last: Int64

  /// Maximum number of changes that are listed.
  private static let limit = 5_000

  /// Starts with the changes after this moment.
  init(in db: Database) throws { last = try Self.newest(in: db) }

  /// Starts with the changes after the one with a number.
  init(after number: Int64) { last = number }

  /// The changes since the last call. Nil if there are none.
  mutating func next(in db: Database) throws -> LibraryChange? {
    let newest = try Self.newest(in: db)
    guard newest != last else { return nil }
    let start = last
    last = newest
    // The log may have been trimmed meanwhile, or an older copy may have replaced the library.
    guard newest > start, newest - start <= Self.limit else { return .everything }
    let rows = try db.rows("SELECT post, author FROM change WHERE id > $1", [start]) {
      (post: try $0["post"] as Int64?, author: try $0["author"] as Int64?)
    }
    guard rows.count == newest - start else { return .everything }
    return .posts(Set(rows.compactMap(\.post)), authors: Set(rows.compactMap(\.author)))
  }

  static func newest(in db: Database) throws -> Int64 {
    try db.value("SELECT coalesce(max(id), 0) FROM change") ?? 0
  }
}
