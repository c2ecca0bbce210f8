import GRDB
import Synchronization

@testable import Storage

extension Shelf {
  /// The statements that the library's writing connection runs meanwhile.
  func statements(of work: () throws -> Void) throws -> [String] {
    let noted = Noted()
    try database.write { $0.trace { noted.note($0.expandedDescription) } }
    try work()
    try database.write { $0.trace() }
    return noted.all
  }
}

private final class Noted: Sendable {
  private let statements = Mutex<[String]>([])

  var all: [String] { statements.withLock { $0 } }

  func note(_ sql: String) { statements.withLock { $0.append(sql) } }
}
