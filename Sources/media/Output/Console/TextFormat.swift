import FoundationEssentials

/// Formats numbers and lists.
enum TextFormat {
  /// `1 post`, `2 posts`.
  static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? one + "s")"
  }

  /// `a`, `a and b`, `a, b and c`; with another conjunction in place of `and`.
  static func list(_ words: [String], by word: String = "and") -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " \(word) " + last
  }

  /// A duration in its two largest units: `3 d 2 h`, `3 h 12 m`, `12 m`, `40 s`.
  static func span(_ seconds: TimeInterval) -> String {
    let whole = Int(min(max(seconds, 0), 1e12))
    if whole < 60 { return "\(whole) s" }
    let parts = [(whole / 86_400, "d"), (whole / 3600 % 24, "h"), (whole / 60 % 60, "m")].drop { $0.0 == 0 }.prefix(2)
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }
}
