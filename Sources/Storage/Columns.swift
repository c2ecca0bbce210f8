import CSQLite
import GRDB

/// A row, its values by their places. A row of GRDB's begins with a table of its columns' names, which takes longer than
/// most answers of one row.
struct Columns {
  private let values: [DatabaseValue]

  fileprivate init(_ statement: SQLiteStatement) {
    values = (0..<sqlite3_column_count(statement)).map { DatabaseValue(sqliteStatement: statement, index: $0) }
  }

  /// What stands in a column, of the kind that the statement gives.
  subscript<Value: DatabaseValueConvertible>(place: Int) -> Value {
    guard let value = Value.fromDatabaseValue(values[place]) else {
      // Every table is STRICT: another kind is a mistake in the statement, and GRDB's own rows end the program there, too.
      fatalError("column \(place) is no \(Value.self): \(values[place])")
    }
    return value
  }
}

/// The rows of a statement, one after another.
final class ColumnsCursor: DatabaseCursor {
  typealias Element = Columns

  let _statement: Statement
  var _isDone = false

  init(_ statement: Statement) { _statement = statement }

  deinit {
    // A statement that failed says so once more, and is as it was before.
    sqlite3_reset(_statement.sqliteStatement)
  }

  func _element(sqliteStatement: SQLiteStatement) -> Columns { Columns(sqliteStatement) }
}
