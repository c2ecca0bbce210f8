// Parts and concatenations of safe text are safe: nothing is checked again.

extension SafeText {
  /// Concatenates two texts.
  public static func + (one: SafeText, other: SafeText) -> SafeText { SafeText(unchecked: one.text + other.text) }

  /// Appends a text.
  public static func += (one: inout SafeText, other: SafeText) { one = one + other }

  /// Whether the text is empty.
  public var isEmpty: Bool { text.isEmpty }

  /// The first characters, at most `maxLength`.
  public func prefix(_ maxLength: Int) -> SafeText { SafeText(unchecked: String(text.prefix(maxLength))) }

  /// The pieces between occurrences of a character.
  public func split(separator: Character, omittingEmptySubsequences: Bool = true) -> [SafeText] {
    text.split(separator: separator, omittingEmptySubsequences: omittingEmptySubsequences)
      .map { SafeText(unchecked: String($0)) }
  }

  /// The words of the text, separated by one space each.
  public var onOneLine: SafeText { SafeText(unchecked: text.onOneLine) }

  /// The text in at most `columns` columns. A longer text is cut and ends with `…`.
  public func truncated(to columns: Int) -> SafeText { SafeText(unchecked: text.truncated(to: columns)) }

  /// The text padded with spaces to `columns` columns. A longer text is truncated.
  ///
  /// - Parameters:
  ///   - columns: The number of columns.
  ///   - trailing: Whether the text is aligned to the right.
  public func padded(to columns: Int, trailing: Bool = false) -> SafeText {
    SafeText(unchecked: text.padded(to: columns, trailing: trailing))
  }

  /// The text in lines of at most `columns` columns. Lines break between words, and inside words longer than a line.
  public func wrapped(to columns: Int) -> [SafeText] { text.wrapped(to: columns).map { SafeText(unchecked: $0) } }
}

extension Sequence<SafeText> {
  /// Concatenates the texts, with a separator between each two.
  public func joined(separator: SafeText = SafeText()) -> SafeText {
    SafeText(unchecked: map(\.text).joined(separator: separator.text))
  }
}

extension TextWidth {
  /// The width of one line of safe text, in columns.
  public static func of(_ inert: SafeText) -> Int { of(inert.text) }
}
