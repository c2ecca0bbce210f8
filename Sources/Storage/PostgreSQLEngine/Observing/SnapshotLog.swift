import PostgreSQL

/// A reader's position in the log of changes of a library in PostgreSQL, for as long as it watches.
struct SnapshotLog {
  private var seen: SeenChanges
  private var origin: String?

  /// The most changes that are listed.
  private static let limit = 5_000

  /// Starts with what the present transaction does not see.
  init(in connection: PostgreSQLConnection) throws {
    seen = try SeenChanges(in: connection)
    origin = try SeenChanges.origin(of: connection)
  }

  /// What changed since the last call: all that was committed between the two snapshots, and nothing else.
  ///
  /// - Parameter connection: Inside a transaction with one snapshot.
  /// - Returns: Nil if nothing changed.
  mutating func next(in connection: PostgreSQLConnection) throws -> LibraryChange? {
    let present = try SeenChanges(in: connection)
    guard present != seen else { return nil }
    let origin = try SeenChanges.origin(of: connection)
    defer { (seen, self.origin) = (present, origin) }
    guard origin == self.origin, seen.next <= present.next else { return .everything }
    return try seen.changes(limit: Self.limit, in: connection)
  }
}

/// Reads the log of changes from positions that were stored or sent.
struct SnapshotPositions {
  /// Inside a transaction with one snapshot.
  let connection: PostgreSQLConnection

  private static let limit = 5_000
  /// A position with more open transactions is one that saw none of the later ones: what these changed comes again.
  private static let mostOpen = 100

  /// The position of the last change. It stays the same while nothing changes.
  func current() throws -> ChangePosition {
    let snapshot = try SeenChanges(in: connection)
    let last: Int64 = try connection.value("SELECT xact FROM media.change ORDER BY xact DESC, id DESC LIMIT 1") ?? -1
    // On a standby the last change may lie beyond what is known to be over.
    var seen = SeenChanges(next: min(last + 1, snapshot.next), open: snapshot.open.filter { $0 <= last }.sorted())
    if seen.open.count > Self.mostOpen { seen = SeenChanges(next: seen.edge, open: []) }
    return ChangePosition(number: seen.next, mark: try seen.mark(in: connection), open: seen.open)
  }

  /// The changes after a position, together; nil if there are none.
  func changes(after position: ChangePosition?) throws -> PositionedChange? {
    let current = try current()
    if position == current { return nil }
    guard let position else { return PositionedChange(change: .everything, position: current) }
    let seen = SeenChanges(next: position.number, open: position.open)
    // Numbers of another log, or of a server that this one took over from.
    guard position.number <= current.number, try seen.mark(in: connection) == position.mark else {
      return PositionedChange(change: .everything, position: current)
    }
    return try seen.changes(limit: Self.limit, in: connection).map { PositionedChange(change: $0, position: current) }
  }
}
