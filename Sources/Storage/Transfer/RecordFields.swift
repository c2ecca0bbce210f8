import Rows

/// A column of a record. Its raw value is the name that it has in the store.
public protocol RecordColumn: RawRepresentable<String>, CaseIterable, Sendable, Equatable {}

/// The value of a column.
public typealias TransferValue = ColumnContent

/// A record's values, one for each of its columns.
public struct RecordFields<Column: RecordColumn>: Sendable, Equatable {
  /// The values in the order of the columns.
  public private(set) var values: [TransferValue]

  /// All columns, in their order.
  public static var columns: [Column] { Array(Column.allCases) }

  /// Values by column.
  public init(_ value: (Column) throws -> TransferValue) rethrows { values = try Self.columns.map(value) }

  /// Values in the order of the columns; a missing one is null.
  init(_ values: some Sequence<TransferValue>) {
    self.values = Array(values.prefix(Self.columns.count))
    while self.values.count < Self.columns.count { self.values.append(.null) }
  }

  /// The value of a column.
  public subscript(column: Column) -> TransferValue {
    get { values[Self.index(of: column)] }
    set { values[Self.index(of: column)] = newValue }
  }

  /// Whether no column has a value.
  var isEmpty: Bool { values.allSatisfy { $0 == .null } }

  /// A column and its value, for each but some columns.
  public func pairs(except left: [Column] = []) -> [(column: Column, value: TransferValue)] {
    zip(Self.columns, values).filter { !left.contains($0.0) }.map { (column: $0.0, value: $0.1) }
  }

  /// The values of all but some columns, as a statement takes them.
  func arguments(except left: [Column] = []) -> Arguments { pairs(except: left).map { $0.value.argument } }

  /// The names of all but some columns, as SQL lists them.
  static func list(of alias: String? = nil, except left: [Column] = []) -> String {
    columns.filter { !left.contains($0) }.map { column in alias.map { "\($0).\(column.rawValue)" } ?? column.rawValue }
      .joined(separator: ", ")
  }

  private static func index(of column: Column) -> Int {
    let all = Column.allCases
    return all.firstIndex(of: column).map { all.distance(from: all.startIndex, to: $0) } ?? 0
  }
}

extension [ColumnContent] {
  /// The values of the next columns, which are removed.
  mutating func take<Column>(_ type: RecordFields<Column>.Type) -> RecordFields<Column> {
    defer { removeFirst(Swift.min(count, type.columns.count)) }
    return RecordFields(self)
  }

  /// The same; nil if none has a value.
  mutating func take<Column>(unlessEmpty type: RecordFields<Column>.Type) -> RecordFields<Column>? {
    let fields = take(type)
    return fields.isEmpty ? nil : fields
  }
}
