@testable import Storage

extension Shelf {
  /// What a statement finds in the library, a line a row.
  func rows(_ sql: String) throws -> [String] {
    try Connections("\(folder)/media.sqlite", .asItIs).read { try $0.rows(sql).map(\.description) }
  }

  /// Leaves the last pull as a process does that dies in it.
  func leaveLastPullOpen() throws {
    try Connections("\(folder)/media.sqlite", .asItIs).write { db in
      try db.execute("UPDATE cursor SET state = 'open' WHERE id = (SELECT max(id) FROM cursor)")
    }
  }
}
