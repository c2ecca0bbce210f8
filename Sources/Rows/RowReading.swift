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

/// Integers that are far from the limits of their types. The store calculates with them: a sum or a product of two must not
/// overflow and end the process. What the program stores is far smaller.
private let calculable = Int64(-1) << 48...1 << 48

extension RowReading {
  /// An integer to calculate with: a position, a version, a number of things or of bytes.
  ///
  /// - Parameter column: The column's name.
  /// - Returns: The number.
  /// - Throws: `ColumnError` as `value(_:)`, and if the number is so large that only damage can explain it.
  package func number<Number: ColumnValue & BinaryInteger>(_ column: String) throws -> Number {
    let content: Number? = try number(column)
    guard let content else { throw ColumnError(column: column, holds: .null) }
    return content
  }

  /// The same for a column that may be NULL.
  package func number<Number: ColumnValue & BinaryInteger>(_ column: String) throws -> Number? {
    let content: Number? = try value(column)
    guard let content else { return nil }
    guard calculable.contains(Int64(content)) else {
      throw ColumnError(column: column, holds: .integer(Int64(content)))
    }
    return content
  }
}

/// A type that is read from one row.
package protocol RowDecodable {
  /// Reads the columns that it needs.
  ///
  /// - Throws: `ColumnError` as `RowReading.value(_:)`.
  init(_ row: some RowReading) throws
}
