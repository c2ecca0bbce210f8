import Posts

#if canImport(Glibc)
  import Glibc
#endif

/// A position in the changes of a library. It is opaque; its text can be stored and sent.
///
/// It belongs to one library: a position of another one, or of a copy that replaced it, is recognized.
public struct ChangePosition: Sendable, Hashable, LosslessStringConvertible {
  let number: Int64
  /// Tells apart logs that have the same number.
  let mark: UInt64
  /// Numbers below whose changes came later; empty in a library whose changes come in order.
  let open: [Int64]

  /// A position from its parts.
  package init(number: Int64, mark: UInt64, open: [Int64] = []) {
    (self.number, self.mark, self.open) = (number, mark, open)
  }

  /// Parses a position; nil if the text is not one.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let number = Int64(parts[0]), number >= 0,
      let mark = UInt64(parts[1], radix: 36)
    else { return nil }
    let open = parts.count == 3 ? parts[2].split(separator: ".").compactMap { Int64($0) } : []
    self.init(number: number, mark: mark, open: open)
    guard self.description == description else { return nil }
  }

  /// The position as text.
  public var description: String {
    let rest = open.isEmpty ? "" : "-\(open.map(String.init).joined(separator: "."))"
    return "\(number)-\(String(mark, radix: 36))\(rest)"
  }
}

/// A change, and the position after it.
public struct PositionedChange: Sendable, Hashable {
  /// What changed.
  public let change: LibraryChange
  /// The position from which a later reader continues.
  public let position: ChangePosition

  /// The value from its parts.
  package init(change: LibraryChange, position: ChangePosition) {
    self.change = change
    self.position = position
  }
}

/// Reads the log of changes from positions.
struct PositionReader {
  let db: Database
  /// Identifies the store's file, which a copy does not share.
  let file: UInt64

  init(_ db: Database, of writer: any StoreConnections) {
    self.db = db
    var status = stat()
    file = writer.currentPath.map { stat($0, &status) == 0 ? UInt64(status.st_ino) : 0 } ?? 0
  }

  /// The position of the last change.
  func current() throws -> ChangePosition {
    let number = try ChangeLog.newest(in: db)
    return ChangePosition(number: number, mark: try mark(at: number))
  }

  /// The changes after a position, together; nil if there are none.
  func changes(after position: ChangePosition?) throws -> PositionedChange? {
    let current = try current()
    if position == current { return nil }
    guard let position, try position.mark == mark(at: position.number) else {
      return PositionedChange(change: .everything, position: current)
    }
    var log = ChangeLog(after: position.number)
    return try log.next(in: db).map { PositionedChange(change: $0, position: current) }
  }

  /// How many changes a mark is made of: of two logs that parted, the last ones differ.
  private static let depth = 16

  /// Made of what later changes of the library leave as it is.
  private func mark(at number: Int64) throws -> UInt64 {
    let rows = try db.rows(
      """
      SELECT c.id, c.post, c.author, p.stored_at FROM change c LEFT JOIN post p ON p.id = c.post
      WHERE c.id <= ? ORDER BY c.id DESC LIMIT ?
      """, [number, Self.depth]
    ) { row -> [String?] in
      let numbers: [Int64?] = try [row["id"], row["post"], row["author"]]
      return try numbers.map { $0.map(String.init) } + [row["stored_at"]]
    }
    return UInt64(bitPattern: TextDigest.of([String(file)] + rows.flatMap(\.self)))
  }
}
