// Parts and sums of inert text are inert: nothing is looked at again.

extension Inert {
  /// One after the other.
  public static func + (one: Inert, other: Inert) -> Inert { Inert(asIs: one.text + other.text) }

  /// Adds more at the end.
  public static func += (one: inout Inert, other: Inert) { one = one + other }

  /// Whether there is nothing to read.
  public var isEmpty: Bool { text.isEmpty }

  /// At most so many characters of its beginning.
  public func prefix(_ most: Int) -> Inert { Inert(asIs: String(text.prefix(most))) }

  /// The pieces between the places of a character.
  public func split(separator: Character, omittingEmptySubsequences: Bool = true) -> [Inert] {
    text.split(separator: separator, omittingEmptySubsequences: omittingEmptySubsequences)
      .map { Inert(asIs: String($0)) }
  }

  /// The words alone, a space between each two.
  public var onOneLine: Inert { Inert(asIs: text.onOneLine) }

  /// In at most that many columns, the end replaced by `…` where it is longer.
  public func truncated(to columns: Int) -> Inert { Inert(asIs: text.truncated(to: columns)) }

  /// Filled with spaces to that many columns; what is longer is truncated.
  public func padded(to columns: Int, trailing: Bool = false) -> Inert {
    Inert(asIs: text.padded(to: columns, trailing: trailing))
  }

  /// In lines of at most that many columns, broken between words, and inside those that are longer than a line.
  public func wrapped(to columns: Int) -> [Inert] { text.wrapped(to: columns).map { Inert(asIs: $0) } }
}

extension Sequence<Inert> {
  /// All of them in a row, with something between each two.
  public func joined(separator: Inert = Inert()) -> Inert {
    Inert(asIs: map(\.text).joined(separator: separator.text))
  }
}

extension TextWidth {
  /// The columns of one line of inert text.
  public static func of(_ inert: Inert) -> Int { of(inert.text) }
}
