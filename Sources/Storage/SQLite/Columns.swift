import CSQLite

/// The content of a column.
enum ColumnContent {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  init(_ statement: OpaquePointer, _ index: CInt) {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, index))
    case SQLITE_TEXT:
      // Get the bytes before their count, which then belongs to this encoding.
      let bytes = sqlite3_column_text(statement, index)
      let text = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index)))
      self = .text(String(decoding: text, as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(statement, index)
      self = .blob(Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index)))))
    default: self = .null
    }
  }
}

/// A type that can be read from a column.
protocol ColumnValue {
  /// nil if the column has another type.
  init?(_ content: ColumnContent)
  /// Replaces a value of another type until the error is thrown.
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

/// A row, with its values by index.
struct Columns: CustomStringConvertible, CustomDebugStringConvertible {
  private let contents: [ColumnContent]
  private let mismatch: ColumnMismatch

  init(_ statement: OpaquePointer, _ mismatch: ColumnMismatch) {
    contents = (0..<sqlite3_column_count(statement)).map { ColumnContent(statement, $0) }
    self.mismatch = mismatch
  }

  /// The value of a column, of the type that the caller expects.
  subscript<Value: ColumnValue>(index: Int) -> Value { mismatch.value(contents[index], "\(index)") }

  var description: String { contents.map(\.description).joined(separator: "|") }
  /// A description that differs for any two different rows.
  var debugDescription: String { "\(contents)" }
}

/// The current row of a statement, with its values by index. It is invalid after the next step.
struct PassingColumns {
  private let statement: OpaquePointer
  private let mismatch: ColumnMismatch

  init(_ statement: OpaquePointer, _ mismatch: ColumnMismatch) {
    (self.statement, self.mismatch) = (statement, mismatch)
  }

  subscript<Value: ColumnValue>(index: Int) -> Value {
    mismatch.value(ColumnContent(statement, CInt(index)), "\(index)")
  }
}

/// A row, with its values by column name: for wide rows, read a few times per command.
struct Row {
  private let contents: [String: ColumnContent]
  private let mismatch: ColumnMismatch

  init(_ statement: OpaquePointer, _ mismatch: ColumnMismatch) {
    contents = Dictionary(
      (0..<sqlite3_column_count(statement)).map { index in
        (String(cString: sqlite3_column_name(statement, index)), ColumnContent(statement, index))
      },
      uniquingKeysWith: { first, _ in first })
    self.mismatch = mismatch
  }

  subscript<Value: ColumnValue>(name: String) -> Value {
    // The names come from our own statements.
    guard let content = contents[name] else { fatalError("no column is called \(name)") }
    return mismatch.value(content, name)
  }
}
