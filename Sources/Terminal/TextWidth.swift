import CWidth
import Glibc

/// How many columns of a terminal a text takes.
public enum TextWidth {
  /// The columns of one line of text; control characters take none, so make the text `Inert` first.
  ///
  /// Counted by what a reader sees as one character: an emoji of many parts and a flag are two columns wide, marks
  /// that sit on a letter none, CJK letters two.
  public static func of(_ text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.reduce(0) { $0 + (isPrintable($1) ? 1 : 0) } }
    return withUnicode { text.reduce(0) { $0 + width(of: $1) } }
  }

  /// The columns of one character.
  public static func of(_ character: Character) -> Int { withUnicode { width(of: character) } }

  /// The columns that a text takes where a terminal draws each code point by itself, as many do with the parts of emoji.
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

  /// Whether the character it is part of is drawn as one emoji: variation selector 16, a flag's letter, a skin tone,
  /// or two pictures joined.
  private static func makesEmoji(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xFE0F, 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF: true
    case 0x200D: false
    default: scalar.properties.isEmojiPresentation
    }
  }

  // Made once and never changed or freed; the C library only reads it.
  nonisolated(unsafe) private static let unicode = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)

  /// Runs with a thread's character tables set to Unicode, whatever the program's locale, and sets them back.
  private static func withUnicode<Value>(_ body: () -> Value) -> Value {
    let before = uselocale(unicode)
    defer { uselocale(before) }
    return body()
  }
}
