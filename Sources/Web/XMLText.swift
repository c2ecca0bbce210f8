/// Text that XML can hold.
package enum XMLText {
  /// The text without the characters that XML 1.0 forbids (2.2), even as references.
  package static func legal(_ text: String) -> String {
    guard !text.unicodeScalars.allSatisfy(isLegal) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter(isLegal)))
  }

  private static func isLegal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
