import Glibc

/// Reads the log of changes of a library in SQLite from positions.
struct NumberPositions {
  let db: Database
  /// Identifies the store's file, which a copy does not share.
  let file: UInt64

  init(_ db: Database, path: String?) {
    self.db = db
    var status = stat()
    file = path.map { stat($0, &status) == 0 ? UInt64(status.st_ino) : 0 } ?? 0
  }

  /// The position of the last change.
  func current() throws -> ChangePosition {
    let number = try NumberLog.newest(in: db)
    return ChangePosition(number: number, mark: try mark(at: number))
  }

  /// The changes after a position, together; nil if there are none.
  func changes(after position: ChangePosition?) throws -> PositionedChange? {
    let current = try current()
    if position == current { return nil }
    guard let position, try position.mark == mark(at: position.number) else {
      return PositionedChange(change: .everything, position: current)
    }
    var log = NumberLog(after: position.number)
    return try log.next(in: db).map { PositionedChange(change: $0, position: current) }
  }

  /// How many changes a mark is made of: of two logs that parted, the last ones differ.
  private static let depth = 16

  /// Made of what later changes of the library leave as it is.
  private func mark(at number: Int64) throws -> UInt64 {
    let rows = try db.rows(
      """
      SELECT c.id, c.post, c.author, p.stored_at FROM change c LEFT JOIN post p ON p.id = c.post
      WHERE c.id <= $1 ORDER BY c.id DESC LIMIT $2
      """, [number, Self.depth]
    ) { row -> [String?] in
      let numbers: [Int64?] = try [row["id"], row["post"], row["author"]]
      return try numbers.map { $0.map(String.init) } + [row["stored_at"]]
    }
    return UInt64(bitPattern: TextDigest.of([String(file)] + rows.flatMap(\.self)))
  }
}
