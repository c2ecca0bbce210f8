extension Filter: CustomStringConvertible {
  /// The filter in its one spelling. Read again, it is the same filter.
  public var description: String { FilterText.text(self, isLast: true) }
}

/// Writes filters.
enum FilterText {
  /// - Parameter isLast: Whether nothing stands behind it. A bare word there would be read as the beginning of one.
  static func text(_ filter: Filter, isLast: Bool) -> String {
    switch filter {
    case .all(let parts): joined(parts, by: " ", isLast) { if case .any = $0 { true } else { false } }
    case .any(let parts): joined(parts, by: " OR ", isLast) { _ in false }
    case .not(let inner): "-\(isComposite(inner) ? "(\(text(inner, isLast: false)))" : text(inner, isLast: isLast))"
    case .words(let words): text(words, isLast: isLast)
    case .term(let term): "\(term.key.rawValue):\(term.values.map(term.key.text).joined(separator: "|"))"
    }
  }

  private static func joined(
    _ parts: [Filter], by separator: String, _ isLast: Bool, _ isEnclosed: (Filter) -> Bool
  ) -> String {
    parts.enumerated().map { index, part in
      isEnclosed(part)
        ? "(\(text(part, isLast: false)))" : text(part, isLast: isLast && index == parts.count - 1)
    }.joined(separator: separator)
  }

  private static func isComposite(_ filter: Filter) -> Bool {
    switch filter {
    case .all, .any: true
    case .not, .words, .term: false
    }
  }

  private static func text(_ words: Filter.Words, isLast: Bool) -> String {
    let isBare =
      words.text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0.properties.numericType != nil }
      && !["OR", "AND"].contains(words.text) && !(isLast && !words.isPrefix)
    return (isBare ? words.text : quoted(words.text)) + (words.isPrefix ? "*" : "")
  }

  /// A name, quoted where it would end early, or where the key would be the beginning of an address.
  static func value(_ name: String) -> String {
    let isBare =
      name.unicodeScalars.first != "/"
      && name.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && !"|()\"".unicodeScalars.contains($0) }
    return isBare ? name : quoted(name)
  }

  private static func quoted(_ text: String) -> String {
    var quoted = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar)
    }
    return "\"\(String(quoted))\""
  }
}
