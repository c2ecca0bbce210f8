/// The arguments of a statement, in order.
package typealias Arguments = [(any Argument)?]

/// A value that can be handed to a statement, whatever the engine.
package protocol Argument: Sendable {
  /// What the statement gets. A truth value is 0 or 1, as columns hold it.
  var content: ColumnContent { get }
}

extension String: Argument {
  package var content: ColumnContent { .text(self) }
}

extension [UInt8]: Argument {
  package var content: ColumnContent { .blob(self) }
}

extension Int64: Argument {
  package var content: ColumnContent { .integer(self) }
}

extension Int: Argument {
  package var content: ColumnContent { .integer(Int64(self)) }
}

extension Int32: Argument {
  package var content: ColumnContent { .integer(Int64(self)) }
}

extension Double: Argument {
  package var content: ColumnContent { .real(self) }
}

extension Bool: Argument {
  package var content: ColumnContent { .integer(self ? 1 : 0) }
}
