import Rows
import SQLite

/// A row with its values by position, for tests, whose statements are short. Sources read by name.
package struct Columns: CustomStringConvertible, CustomDebugStringConvertible {
  private let contents: [ColumnContent]

  init(_ row: Row) throws { contents = try row.contents }

  /// The value of a column. Ends the test run if it has another type.
  package subscript<Value: ColumnValue>(index: Int) -> Value {
    guard let value = Value(contents[index]) else { fatalError("column \(index) of \(self) is no \(Value.self)") }
    return value
  }

  package var description: String { contents.map(\.shown).joined(separator: "|") }
  /// A description that differs for any two different rows.
  package var debugDescription: String { "\(contents.map(\.literal))" }
}

extension ColumnContent {
  fileprivate var shown: String {
    switch self {
    case .null: "-"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }

  fileprivate var literal: String {
    switch self {
    case .null: "NULL"
    case .text(let text): text.debugDescription
    case .blob(let bytes): "\(bytes)"
    case .integer, .real: shown
    }
  }
}

extension Connection {
  /// The first row; nil if there is none.
  package func row(_ sql: String, _ arguments: Arguments = []) throws -> Columns? {
    try row(sql, arguments) { try Columns($0) }
  }

  /// All rows.
  package func rows(_ sql: String, _ arguments: Arguments = []) throws -> [Columns] {
    try rows(sql, arguments) { try Columns($0) }
  }
}
