// Parts and concatenations of safe text are safe: nothing is checked again.

extension Inert {
  /// Concatenates two texts.
  public static func + (one: Inert, other: Inert) -> Inert { Inert(asIs: one.text + other.text) }

  /// Appends a text.
  public static func += (one: inout Inert, other: Inert) { one = one + other }

  /// Whether the text is empty.
  public var isEmpty: Bool { text.isEmpty }

  /// The first characters, at most `maxLength`.
  public func prefix(_ maxLength: Int) -> Inert { Inert(asIs: String(text.prefix(maxLength))) }

  /// The pieces between occurrences of a character.
  public func split(separator: Character, omittingEmptySubsequences: Bool = true) -> [Inert] {
    text.split(separator: separator, omittingEmptySubsequences: omittingEmptySubsequences)
      .map { Inert(asIs: String($0)) }
  }

  /// The words of the text, separated by one space each.
  public var onOneLine: Inert { Inert(asIs: text.onOneLine) }

  /// The text in at most `columns` columns. A longer text is cut and ends with `…`.
  public func truncated(to columns: Int) -> Inert { Inert(asIs: text.truncated(to: columns)) }

  /// The text padded with spaces to `columns` columns. A longer text is truncated.
  ///
  /// - Parameters:
  ///   - columns: The number of columns.
  ///   - trailing: Whether the text is aligned to the right.
  public func padded(to columns: Int, trailing: Bool = false) -> Inert {
    Inert(asIs: text.padded(to: columns, trailing: trailing))
  }

  /// The text in lines of at most `columns` columns. Lines break between words, and inside words longer than a line.
  public func wrapped(to columns: Int) -> [Inert] { text.wrapped(to: columns).map { Inert(asIs: $0) } }
}

extension Sequence<Inert> {
  /// Concatenates the texts, with a separator between each two.
  public func joined(separator: Inert = Inert()) -> Inert {
    Inert(asIs: map(\.text).joined(separator: separator.text))
  }
}

extension TextWidth {
  /// The width of one line of safe text, in columns.
  public static func of(_ inert: Inert) -> Int { of(inert.text) }
}
