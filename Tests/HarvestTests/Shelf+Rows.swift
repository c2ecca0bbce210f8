@testable import Storage

extension Shelf {
  /// What a statement finds in the library, a line a row.
  func rows(_ sql: String) throws -> [String] {
    try Connections("\(folder)/media.sqlite", .asItIs).read { try $0.rows(sql).map(\.description) }
  }
}
