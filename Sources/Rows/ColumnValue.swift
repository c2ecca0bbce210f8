/// The content of a column.
package enum ColumnContent: Sendable, Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A type that can be read from a column.
package protocol ColumnValue {
  /// nil if the content has another type, or is too large for this one.
  init?(_ content: ColumnContent)
}

extension Int64: ColumnValue {
  package init?(_ content: ColumnContent) {
    guard case .integer(let number) = content else { return nil }
    self = number
  }
}

extension Int: ColumnValue {
  package init?(_ content: ColumnContent) {
    guard case .integer(let number) = content else { return nil }
    self.init(exactly: number)
  }
}

extension Int32: ColumnValue {
  package init?(_ content: ColumnContent) {
    guard case .integer(let number) = content else { return nil }
    self.init(exactly: number)
  }
}

extension Bool: ColumnValue {
  package init?(_ content: ColumnContent) {
    guard case .integer(let number) = content else { return nil }
    self = number != 0
  }
}

extension Double: ColumnValue {
  package init?(_ content: ColumnContent) {
    switch content {
    case .integer(let number): self.init(number)
    case .real(let number): self = number
    default: return nil
    }
  }
}

extension String: ColumnValue {
  package init?(_ content: ColumnContent) {
    guard case .text(let text) = content else { return nil }
    self = text
  }
}

extension [UInt8]: ColumnValue {
  package init?(_ content: ColumnContent) {
    guard case .blob(let bytes) = content else { return nil }
    self = bytes
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  package init?(_ content: ColumnContent) {
    if case .null = content {
      self = .none
    } else {
      guard let value = Wrapped(content) else { return nil }
      self = .some(value)
    }
  }
}
