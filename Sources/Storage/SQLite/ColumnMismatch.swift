import CSQLite
import Synchronization

/// Notes that a column held another kind of value than its table has, for its connection to throw.
///
/// Every table is STRICT, so that the file is damaged then. Who reads the value is given a substitute: what was made of it
/// goes when the statement or the transaction ends, for that is where the connection throws.
final class ColumnMismatch: Sendable {
  private let words = Mutex<String?>(nil)

  /// The value, or a substitute where it is of another kind.
  func value<Value: ColumnValue>(_ content: ColumnContent, _ column: @autoclosure () -> String) -> Value {
    if let value = Value(content) { return value }
    note("column \(column()) of a row holds \(content.kind) in place of \(Value.self)")
    return Value.substitute
  }

  /// What was noted, once.
  func take() -> DatabaseError? {
    let noted = words.withLock { words in
      defer { words = nil }
      return words
    }
    return noted.map { DatabaseError(SQLITE_CORRUPT, $0) }
  }

  /// Throws what was noted, once.
  func check() throws {
    if let error = take() { throw error }
  }

  private func note(_ mismatch: String) {
    words.withLock { words in words = words ?? mismatch }
  }
}

extension ColumnContent {
  /// The kind in SQLite's words.
  fileprivate var kind: String {
    switch self {
    case .null: "NULL"
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob: "BLOB"
    }
  }
}
