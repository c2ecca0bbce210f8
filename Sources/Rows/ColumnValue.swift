/// The content of a column.
public enum ColumnContent: Sendable, Equatable {
  /// No value.
  case null
  /// A whole number.
  case integer(Int64)
  /// A number.
  case real(Double)
  /// A text.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}

// Reading is inlined: without that each value goes through the metadata of a generic type, and a list takes a tenth longer.

/// A type that can be read from a column.
@usableFromInline
package protocol ColumnValue {
  /// nil if the content has another type, or is too large for this one.
  init?(_ content: ColumnContent)
}

extension Int64: ColumnValue {
  @inlinable
  package init?(_ content: ColumnContent) {
    guard case .integer(let number) = content else { return nil }
    self = number
  }
}

extension Int: ColumnValue {
  @inlinable
  package init?(_ content: ColumnContent) {
    guard case .integer(let number) = content else { return nil }
    self.init(exactly: number)
  }
}

extension Int32: ColumnValue {
  @inlinable
  package init?(_ content: ColumnContent) {
    guard case .integer(let number) = content else { return nil }
    self.init(exactly: number)
  }
}

extension Bool: ColumnValue {
  @inlinable
  package init?(_ content: ColumnContent) {
    guard case .integer(let number) = content else { return nil }
    self = number != 0
  }
}

extension Double: ColumnValue {
  @inlinable
  package init?(_ content: ColumnContent) {
    switch content {
    case .integer(let number): self.init(number)
    case .real(let number): self = number
    default: return nil
    }
  }
}

extension String: ColumnValue {
  @inlinable
  package init?(_ content: ColumnContent) {
    guard case .text(let text) = content else { return nil }
    self = text
  }
}

extension [UInt8]: ColumnValue {
  @inlinable
  package init?(_ content: ColumnContent) {
    guard case .blob(let bytes) = content else { return nil }
    self = bytes
  }
}

extension ColumnContent: ColumnValue {
  @inlinable
  package init?(_ content: ColumnContent) { self = content }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  @inlinable
  package init?(_ content: ColumnContent) {
    if case .null = content {
      self = .none
    } else {
      guard let value = Wrapped(content) else { return nil }
      self = .some(value)
    }
  }
}
