/// What a stranger wrote, made safe to print on a terminal.
public enum Harmless {
  /// The text without anything that steers a terminal or reorders what stands around it.
  ///
  /// Goes: control characters (ESC and the 8-bit ones included), the marks and overrides of bidirectional text, line
  /// and paragraph separators, tag characters. A tab becomes a space; a line break stays where `keepingLines`, else it
  /// becomes a space. Of characters without a shape of their own (marks, joiners) eight in a row stay, and a character of
  /// more than 32 parts becomes `�`: otherwise a few columns could hold megabytes.
  public static func text(_ text: String, keepingLines: Bool = false) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    var out = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    var shapeless = 0
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      switch scalar {
      case "\n", "\u{2028}", "\u{2029}", "\r":
        if scalar == "\n", previous == "\r" { continue }
        out.append(keepingLines ? "\n" : " ")
      case "\t": out.append(" ")
      default:
        if steers(scalar) { continue }
        shapeless = isShapeless(scalar) ? shapeless + 1 : 0
        if shapeless <= mostShapeless { out.append(scalar) }
      }
    }
    return bounded(String(out))
  }

  // Real letters have three or four marks.
  private static let mostShapeless = 8
  // The longest emoji have ten parts.
  private static let mostParts = 32

  private static func bounded(_ text: String) -> String {
    guard text.contains(where: { $0.unicodeScalars.count > mostParts }) else { return text }
    return String(text.map { $0.unicodeScalars.count > mostParts ? "\u{FFFD}" : $0 })
  }

  private static func isShapeless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .unassigned: true
    default: false
    }
  }

  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x20, 0x7F..<0xA0: true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x206A...0x206F: true
    case 0xFEFF, 0xFFF9...0xFFFB: true
    // The invisible letters in which text can be smuggled; three flags made of them lose their pattern.
    case 0xE0000...0xE007F: true
    default: false
    }
  }
}
