import FoundationEssentials
import Machine
import Rows

extension RowReading {
  /// The time in a column; nil if the column is NULL or holds another text.
  func date(_ column: String) throws -> Date? { try (value(column) as String?).flatMap(UTC.date) }
}
