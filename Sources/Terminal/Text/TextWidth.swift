import CWidth
import Glibc

/// The width of text in columns of a terminal.
public enum TextWidth {
  /// The width of one line of text. Control characters count as 0, so make the text `SafeText` first.
  ///
  /// The unit is a character as a reader sees it: an emoji of many parts and a flag are two columns wide, CJK letters two,
  /// marks on a letter none.
  public static func of(_ text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.reduce(0) { $0 + (isPrintable($1) ? 1 : 0) } }
    return withUnicode { text.reduce(0) { $0 + width(of: $1) } }
  }

  /// The width of one character.
  public static func of(_ character: Character) -> Int { withUnicode { width(of: character) } }

  /// The width of a text on a terminal that draws each code point by itself, as many do with the parts of emoji.
  public static func inParts(_ text: String) -> Int {
    withUnicode { text.unicodeScalars.reduce(0) { $0 + (isFlagLetter($1) ? 2 : max(0, Int(media_wcwidth($1.value)))) } }
  }

  private static func isFlagLetter(_ scalar: Unicode.Scalar) -> Bool { (0x1F1E6...0x1F1FF).contains(scalar.value) }

  private static func isPrintable(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) }

  private static func width(of character: Character) -> Int {
    if let ascii = character.asciiValue { return isPrintable(ascii) ? 1 : 0 }
    let scalars = character.unicodeScalars
    if scalars.count > 1, scalars.contains(where: makesEmoji) { return 2 }
    return scalars.reduce(0) { $0 + max(0, Int(media_wcwidth($1.value))) }
  }

  /// Whether a scalar makes its character an emoji: variation selector 16, a letter of a flag, a skin tone, or an emoji by
  /// itself.
  private static func makesEmoji(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xFE0F, 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF: true
    case 0x200D: false
    default: scalar.properties.isEmojiPresentation
    }
  }

  // Created once and never changed or freed. The C library only reads it.
  nonisolated(unsafe) private static let unicode = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)

  /// Calls `body` with the thread's locale set to Unicode, whatever the program's locale is, and restores it.
  private static func withUnicode<Value>(_ body: () -> Value) -> Value {
    let before = uselocale(unicode)
    defer { uselocale(before) }
    return body()
  }
}
