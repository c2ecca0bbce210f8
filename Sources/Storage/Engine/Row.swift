import PostgreSQL
import Rows
import SQLite

/// A row of either engine.
enum Row: RowReading {
  case sqlite(SQLite.Row)
  case postgresql(PostgreSQLRow)

  func value<Value: ColumnValue>(_ column: String) throws -> Value {
    switch self {
    case .sqlite(let row): try row.value(column)
    case .postgresql(let row): try row.value(column)
    }
  }

  /// What all its columns hold, in order.
  var contents: [ColumnContent] {
    get throws {
      switch self {
      case .sqlite(let row): try row.contents
      case .postgresql(let row): try row.contents
      }
    }
  }
}
