import CSQLite
import Synchronization

/// Records that a column has a value of another type than its table declares, for its connection to throw.
///
/// Every table is STRICT, so such a file is damaged. The reader gets a substitute. The connection throws when the
/// statement or the transaction ends, and what was made of the substitute is discarded.
final class ColumnMismatch: Sendable {
  private let message = Mutex<String?>(nil)

  /// The value, or a substitute if it has another type.
  func value<Value: ColumnValue>(_ content: ColumnContent, _ column: @autoclosure () -> String) -> Value {
    if let value = Value(content) { return value }
    note("column \(column()) of a row holds \(content.kind) in place of \(Value.self)")
    return Value.substitute
  }

  /// Returns and clears the recorded error.
  func consume() -> DatabaseError? {
    let noted = message.withLock { message in
      defer { message = nil }
      return message
    }
    return noted.map { DatabaseError(SQLITE_CORRUPT, $0) }
  }

  /// Throws and clears the recorded error.
  func check() throws {
    if let error = consume() { throw error }
  }

  private func note(_ mismatch: String) {
    message.withLock { message in message = message ?? mismatch }
  }
}

extension ColumnContent {
  /// The type's name in SQLite.
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
