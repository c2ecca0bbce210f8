/// A column that does not hold what its reader expects. The store is damaged, or its schema is not the expected one.
package struct ColumnError: Error, Equatable, CustomStringConvertible {
  /// One sentence without its full stop.
  package let description: String

  /// A value of another type than expected, or one that is too large for it.
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - table: The column's table; nil if the column is the result of an expression.
  ///   - content: The value.
  ///   - type: The expected type.
  package init(column: String, of table: String?, holds content: ColumnContent, inPlaceOf type: Any.Type) {
    description = "column \(column) of \(table ?? "a row") holds \(content.kind) in place of \(type)"
  }

  /// A number that nothing can be calculated with.
  init(column: String, holds content: ColumnContent) {
    if case .integer(let number) = content {
      description = "column \(column) holds \(number), which is out of range"
    } else {
      description = "column \(column) holds \(content.kind) in place of a number"
    }
  }

  /// A column that the row does not have.
  package init(missing column: String) { description = "a row has no column \(column)" }
}

extension ColumnContent {
  /// The type's name in SQL.
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
