import CPostgreSQL
import Rows

/// The server's answer to a statement. It does not depend on its connection, which may end.
final class Answer {
  private let handle: OpaquePointer
  private let driver: Driver
  /// The names of its columns.
  let names: [String]
  private let types: [Oid]
  let rowCount: Int

  init(_ handle: OpaquePointer, _ driver: Driver) {
    (self.handle, self.driver) = (handle, driver)
    let call = driver.call
    rowCount = Int(call.ntuples(handle))
    let columns = 0..<call.nfields(handle)
    var names: [String] = []
    for column in columns {
      let name = call.fname(handle, column).map { String(cString: $0) } ?? ""
      // Of two columns with one name, the first is read.
      names.append(names.contains(name) ? "" : name)
    }
    self.names = names
    types = columns.map { call.ftype(handle, $0) }
  }

  deinit { driver.call.clear(handle) }

  /// What the statement did: `COMMIT`, `INSERT 0 3`.
  var command: String { driver.call.cmdStatus(handle).map { String(cString: $0) } ?? "" }

  /// How many rows it inserted, changed, deleted or returned.
  var affected: Int { driver.call.cmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

  /// The first value of an answer that was asked for as text.
  var firstText: String? { rowCount > 0 ? driver.call.getvalue(handle, 0, 0).map { String(cString: $0) } : nil }

  /// - Throws: `ColumnError` if the column has a type that no value is read from. A query casts such a column.
  func content(row: Int, column: Int) throws -> ColumnContent {
    let call = driver.call
    let (row, index) = (Int32(row), Int32(column))
    guard call.getisnull(handle, row, index) == 0 else { return .null }
    let bytes = UnsafeRawBufferPointer(
      start: call.getvalue(handle, row, index), count: Int(call.getlength(handle, row, index)))
    guard let content = ColumnContent(bytes, type: types[column]) else {
      throw PostgreSQLError.misuse("column \(names[column]) has the type \(types[column]), which is not read: cast it")
    }
    return content
  }
}

extension ColumnContent {
  /// A value in PostgreSQL's binary format.
  ///
  /// - Parameter type: The type's number, as in `pg_type.dat` of PostgreSQL's sources. They are the same on all servers.
  init?(_ bytes: UnsafeRawBufferPointer, type: Oid) {
    switch type {
    case 16 where bytes.count == 1: self = .integer(bytes[0] == 0 ? 0 : 1)  // bool
    case 17: self = .blob(Array(bytes))  // bytea
    case 20, 5069: self = .integer(Self.number(bytes, as: Int64.self))  // int8, xid8
    case 21: self = .integer(Int64(Self.number(bytes, as: Int16.self)))  // int2
    case 23: self = .integer(Int64(Self.number(bytes, as: Int32.self)))  // int4
    case 26: self = .integer(Int64(Self.number(bytes, as: UInt32.self)))  // oid
    case 700: self = .real(Double(Float(bitPattern: Self.number(bytes, as: UInt32.self))))  // float4
    case 701: self = .real(Double(bitPattern: Self.number(bytes, as: UInt64.self)))  // float8
    case 18, 19, 25, 114, 705, 1042, 1043: self = .text(String(decoding: bytes, as: UTF8.self))  // texts, json
    case 2278: self = .null  // void
    default: return nil
    }
  }

  /// A number in network byte order.
  private static func number<Number: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, as: Number.Type) -> Number {
    bytes.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }
}

/// A row of an answer. Unlike a row of SQLite, it may be read at any time.
@usableFromInline
package struct PostgreSQLRow: RowReading {
  private let answer: Answer
  private let index: Int

  init(_ answer: Answer, _ index: Int) { (self.answer, self.index) = (answer, index) }

  @usableFromInline
  package func value<Value: ColumnValue>(_ column: String) throws -> Value {
    guard let position = answer.names.firstIndex(of: column) else { throw ColumnError(missing: column) }
    return try value(at: position)
  }

  /// What all its columns hold, in order.
  package var contents: [ColumnContent] {
    get throws { try answer.names.indices.map { try answer.content(row: index, column: $0) } }
  }

  /// The value of its only column.
  package func onlyValue<Value: ColumnValue>() throws -> Value {
    guard answer.names.count == 1 else {
      throw PostgreSQLError.misuse("\(answer.names.count) columns in place of one")
    }
    return try value(at: 0)
  }

  private func value<Value: ColumnValue>(at position: Int) throws -> Value {
    let content = try answer.content(row: index, column: position)
    guard let value = Value(content) else {
      throw ColumnError(column: answer.names[position], of: nil, holds: content, inPlaceOf: Value.self)
    }
    return value
  }
}
