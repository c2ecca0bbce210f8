import PostgreSQL

/// Which transactions a snapshot saw. Its changes are all that such a reader knows.
///
/// The server gives out numbers of changes and transactions before it commits, so a lower one may become readable
/// later. A reader that went by the highest number would miss it.
/// https://www.postgresql.org/docs/15/functions-info.html#FUNCTIONS-INFO-SNAPSHOT
struct SeenChanges: Hashable {
  /// The lowest number that was not given out yet: what has it or a higher one was not seen.
  var next: Int64
  /// The lower ones of transactions that were not over.
  var open: [Int64]

  /// - Parameter snapshot: A `pg_snapshot` as text, `xmin:xmax:xip,xip`.
  init?(snapshot: String) {
    let parts = snapshot.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let first = Int64(parts[0]), let next = Int64(parts[1]) else { return nil }
    let open = parts[2].split(separator: ",").compactMap { Int64($0) }
    // A standby lists no open transactions: all that is known is where they begin. What ended beyond comes again.
    self.init(next: open.isEmpty ? min(first, next) : next, open: open)
  }

  init(next: Int64, open: [Int64]) { (self.next, self.open) = (next, open) }

  /// All transactions before this one were seen.
  var edge: Int64 { open.min() ?? next }

  /// `open` as PostgreSQL reads an array.
  private var openList: String { "{\(open.map(String.init).joined(separator: ","))}" }

  /// What changed in the eyes of the present snapshot.
  ///
  /// - Parameter limit: The most changes that are listed.
  /// - Returns: Nil if nothing changed.
  func changes(limit: Int, in connection: PostgreSQLConnection) throws -> LibraryChange? {
    let pruned: Int64 = try connection.value("SELECT pruned FROM media.upkeep") ?? 0
    guard pruned <= edge else { return .everything }
    let rows = try connection.rows(
      """
      SELECT post, author FROM media.change WHERE xact >= $1::xid8
      UNION ALL SELECT post, author FROM media.change WHERE xact = ANY ($2::xid8[]) AND xact < $1::xid8
      LIMIT $3
      """, [next, openList, limit + 1])
    guard !rows.isEmpty else { return nil }
    guard rows.count <= limit else { return .everything }
    let posts: [Int64?] = try rows.map { try $0["post"] }
    let authors: [Int64?] = try rows.map { try $0["author"] }
    return .posts(Set(posts.compactMap(\.self)), authors: Set(authors.compactMap(\.self)))
  }

  /// Made of what later changes of the library leave as it is: of two logs that parted, the last changes differ. A server
  /// that took over from another one gives out numbers again, and has another timeline.
  func mark(in connection: PostgreSQLConnection) throws -> UInt64 {
    let rows = try connection.rows(
      """
      SELECT c.id::text AS id, c.post::text AS post, c.author::text AS author, p.stored_at
      FROM media.change c LEFT JOIN media.post p ON p.id = c.post
      WHERE c.xact < $1::xid8 AND NOT c.xact = ANY ($2::xid8[]) ORDER BY c.xact DESC, c.id DESC LIMIT \(Self.depth)
      """, [next, openList])
    let changes = try rows.flatMap { row -> [String?] in
      try [row["id"], row["post"], row["author"], row["stored_at"]]
    }
    return UInt64(bitPattern: TextDigest.of([try Self.origin(of: connection)] + changes))
  }

  /// Which library on which server gave out the numbers.
  static func origin(of connection: PostgreSQLConnection) throws -> String? {
    try connection.value("SELECT media.timeline() || ' ' || identity FROM media.library")
  }

  /// How many changes a mark is made of.
  private static let depth = 16
}

extension SeenChanges {
  /// What the present transaction sees. The transaction must have one snapshot, and read only.
  init(in connection: PostgreSQLConnection) throws {
    let text: String = try connection.value("SELECT pg_current_snapshot()::text") ?? ""
    guard let seen = SeenChanges(snapshot: text) else { throw PostgreSQLError.misuse("a snapshot reads \(text)") }
    self = seen
  }
}
