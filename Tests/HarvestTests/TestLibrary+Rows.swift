import SQLRows
import SQLite

@testable import Storage

extension TestLibrary {
  /// The rows that a statement returns, one line each.
  func rows(_ sql: String) throws -> [String] {
    try Connections("\(folder)/media.sqlite", .asItIs).read { try $0.rows(sql).map(\.description) }
  }

  /// Leaves the last pull as a process that dies in it does.
  func leaveLastPullOpen() throws {
    try Connections("\(folder)/media.sqlite", .asItIs).write { db in
      try db.execute("UPDATE cursor SET state = 'open' WHERE id = (SELECT max(id) FROM cursor)")
    }
  }
}
