import Rows

/// One column of many rows as one argument: an array in PostgreSQL's binary format. `unnest` reads it.
/// https://www.postgresql.org/docs/15/arrays.html
package struct ColumnArray {
  /// The type of a column.
  package enum Element: String {
    case bigint
    case real = "double precision"
    case text
    case bytes = "bytea"

    /// The type's number, as in `pg_type.dat` of PostgreSQL's sources.
    fileprivate var number: Int32 {
      switch self {
      case .bigint: 20
      case .real: 701
      case .text: 25
      case .bytes: 17
      }
    }
  }

  /// The argument.
  package private(set) var bytes: [UInt8] = []

  /// - Parameters:
  ///   - values: The column's values, at least one.
  ///   - element: The column's type.
  /// - Throws: `PostgreSQLError.misuse` if a value has another type.
  package init(_ values: [ColumnContent], of element: Element) throws(PostgreSQLError) {
    append(1 as Int32)  // dimension
    append(values.contains(.null) ? 1 : 0 as Int32)
    append(element.number)
    append(Int32(values.count))
    append(1 as Int32)  // the first index
    for value in values {
      switch (value, element) {
      case (.null, _): append(-1 as Int32)
      case (.integer(let number), .bigint): append(fixed: number)
      case (.integer(let number), .real): append(fixed: Double(number).bitPattern)
      case (.real(let number), .real): append(fixed: number.bitPattern)
      case (.text(let text), .text): append(counted: Parameters.storable(text).utf8)
      case (.blob(let blob), .bytes): append(counted: blob)
      default: throw .misuse("a column of type \(element.rawValue) was given another one")
      }
    }
  }

  private mutating func append(fixed number: some FixedWidthInteger) {
    append(Int32(number.bitWidth / 8))
    append(number)
  }

  private mutating func append(counted content: some Collection<UInt8>) {
    append(Int32(content.count))
    bytes.append(contentsOf: content)
  }

  private mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
