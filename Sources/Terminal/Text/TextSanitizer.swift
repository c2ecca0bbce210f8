/// Sanitizes untrusted text for `SafeText`. The functions are idempotent.
enum TextSanitizer {
  /// Removes everything that steers a terminal or reorders the text around it.
  static func text(_ text: String, keepingLines: Bool = false) -> String {
    if isPlain(text) { return text }
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    var shapeless = 0
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      switch scalar {
      case "\n", "\u{2028}", "\u{2029}", "\r":
        if scalar == "\n", previous == "\r" { continue }
        result.append(keepingLines ? "\n" : " ")
      case "\t": result.append(" ")
      default:
        if steers(scalar) { continue }
        shapeless = isShapeless(scalar) ? shapeless + 1 : 0
        if shapeless <= mostShapeless { result.append(scalar) }
      }
    }
    return bounded(String(result))
  }

  /// Escapes everything in JSON that steers a terminal as `\uXXXX` (RFC 8259, 7), which keeps the values unchanged.
  static func json(_ text: String) -> String {
    guard !isPlain(text), text.unicodeScalars.contains(where: steersInJSON) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if steersInJSON(scalar) {
        for unit in UTF16.encode(scalar) ?? .init() { result += escape(unit) }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
  }

  private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

  private static func steersInJSON(_ scalar: Unicode.Scalar) -> Bool {
    steers(scalar) || scalar == "\u{2028}" || scalar == "\u{2029}"
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
    // Invisible letters, which can hide text. Three flags consist of them, and lose their pattern.
    case 0xE0000...0xE007F: true
    default: false
    }
  }
}
