extension StringProtocol {
  /// The text without white space and line breaks at its ends, nor the zero-width space that copying leaves there.
  ///
  /// Compares Unicode scalars: a space with a combining mark is trimmed, and the mark stays.
  package var trimmingWhiteSpace: String {
    let isDropped = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace || scalar == "\u{200B}" }
    var rest = unicodeScalars.drop(while: isDropped)
    while let last = rest.last, isDropped(last) { rest.removeLast() }
    return String(String.UnicodeScalarView(rest))
  }
}
