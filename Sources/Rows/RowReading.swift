/// A row of a store's answer, whose values are read by the names of their columns.
///
/// Every store has such rows, whatever its engine. So a type that is read from a row is written once, as `RowDecodable`.
@usableFromInline
package protocol RowReading {
  /// The value of a column.
  ///
  /// - Parameter column: The column's name.
  /// - Returns: The value, of the type that the caller expects.
  /// - Throws: `ColumnError` if no column has this name, if its value has another type or is too large for the expected
  ///   one, or if it is NULL and the expected type is not optional.
  func value<Value: ColumnValue>(_ column: String) throws -> Value
}

extension RowReading {
  /// The value of a column: `try row["created_at"]`. See `value(_:)`.
  @inlinable
  package subscript<Value: ColumnValue>(column: String) -> Value {
    get throws { try value(column) }
  }
}

/// A type that is read from one row.
package protocol RowDecodable {
  /// Reads the columns that it needs.
  ///
  /// - Throws: `ColumnError` as `RowReading.value(_:)`.
  init(_ row: some RowReading) throws
}
