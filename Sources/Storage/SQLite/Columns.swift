import CSQLite

/// What stands in a column.
enum ColumnContent {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  init(_ statement: OpaquePointer, _ place: CInt) {
    switch sqlite3_column_type(statement, place) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, place))
    case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, place))
    case SQLITE_TEXT:
      // The bytes before their count, which is that of this form then.
      let bytes = sqlite3_column_text(statement, place)
      let text = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, place)))
      self = .text(String(decoding: text, as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(statement, place)
      self = .blob(Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, place)))))
    default: self = .null
    }
  }
}

/// What can be had from a column.
protocol ColumnValue {
  /// nil where the column holds another kind.
  init?(_ content: ColumnContent)
  /// Stands for a value of another kind until that is thrown.
  static var substitute: Self { get }
}

extension Int64: ColumnValue {
  static var substitute: Int64 { 0 }

  init?(_ content: ColumnContent) {
    guard case .integer(let number) = content else { return nil }
    self = number
  }
}

extension Int: ColumnValue {
  static var substitute: Int { 0 }

  init?(_ content: ColumnContent) {
    guard case .integer(let number) = content else { return nil }
    self.init(exactly: number)
  }
}

extension Int32: ColumnValue {
  static var substitute: Int32 { 0 }

  init?(_ content: ColumnContent) {
    guard case .integer(let number) = content else { return nil }
    self.init(exactly: number)
  }
}

extension Bool: ColumnValue {
  static var substitute: Bool { false }

  init?(_ content: ColumnContent) {
    guard case .integer(let number) = content else { return nil }
    self = number != 0
  }
}

extension Double: ColumnValue {
  static var substitute: Double { 0 }

  init?(_ content: ColumnContent) {
    switch content {
    case .integer(let number): self.init(number)
    case .real(let number): self = number
    default: return nil
    }
  }
}

extension String: ColumnValue {
  static var substitute: String { "" }

  init?(_ content: ColumnContent) {
    guard case .text(let text) = content else { return nil }
    self = text
  }
}

extension [UInt8]: ColumnValue {
  static var substitute: [UInt8] { [] }

  init?(_ content: ColumnContent) {
    guard case .blob(let bytes) = content else { return nil }
    self = bytes
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  static var substitute: Wrapped? { nil }

  init?(_ content: ColumnContent) {
    if case .null = content {
      self = .none
    } else {
      guard let value = Wrapped(content) else { return nil }
      self = .some(value)
    }
  }
}

extension ColumnContent: CustomStringConvertible, CustomDebugStringConvertible {
  var description: String {
    switch self {
    case .null: "-"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }

  var debugDescription: String {
    switch self {
    case .null: "NULL"
    case .text(let text): text.debugDescription
    case .blob(let bytes): "\(bytes)"
    case .integer, .real: description
    }
  }
}

/// A row, its values by their places.
struct Columns: CustomStringConvertible, CustomDebugStringConvertible {
  private let contents: [ColumnContent]
  private let mismatch: ColumnMismatch

  init(_ statement: OpaquePointer, _ mismatch: ColumnMismatch) {
    contents = (0..<sqlite3_column_count(statement)).map { ColumnContent(statement, $0) }
    self.mismatch = mismatch
  }

  /// What stands in a column, of the kind that the statement gives.
  subscript<Value: ColumnValue>(place: Int) -> Value { mismatch.value(contents[place], "\(place)") }

  var description: String { contents.map(\.description).joined(separator: "|") }
  /// One by which any two rows that differ are told apart.
  var debugDescription: String { "\(contents)" }
}

/// The row at which a statement stands, its values by their places: gone with the next.
struct PassingColumns {
  private let statement: OpaquePointer
  private let mismatch: ColumnMismatch

  init(_ statement: OpaquePointer, _ mismatch: ColumnMismatch) {
    (self.statement, self.mismatch) = (statement, mismatch)
  }

  subscript<Value: ColumnValue>(place: Int) -> Value {
    mismatch.value(ColumnContent(statement, CInt(place)), "\(place)")
  }
}

/// A row, its values by the names of their columns: for wide ones, a few times a command.
struct Row {
  private let contents: [String: ColumnContent]
  private let mismatch: ColumnMismatch

  init(_ statement: OpaquePointer, _ mismatch: ColumnMismatch) {
    contents = Dictionary(
      (0..<sqlite3_column_count(statement)).map { place in
        (String(cString: sqlite3_column_name(statement, place)), ColumnContent(statement, place))
      },
      uniquingKeysWith: { first, _ in first })
    self.mismatch = mismatch
  }

  subscript<Value: ColumnValue>(name: String) -> Value {
    // The names stand in our own statements.
    guard let content = contents[name] else { fatalError("no column is called \(name)") }
    return mismatch.value(content, name)
  }
}
