/// What a person typed, as a query FTS5 always understands.
///
/// All words must be there; "quoted words" stand together; the last word may go on.
enum SearchText {
  /// Each word becomes a quoted string, within which FTS5 has no syntax but the quote, written twice. nil where there
  /// is nothing to look for.
  static func query(_ text: String) -> String? {
    var phrases: [String] = []
    var isEnded = false
    for (index, part) in text.prefix(1000).storablePrefix.split(separator: "\"", omittingEmptySubsequences: false)
      .enumerated()
    {
      let isQuoted = index % 2 == 1
      let words = isQuoted ? [part] : part.split(whereSeparator: \.isWhitespace)
      for word in words where word.contains(where: isIndexed) { phrases.append("\"\(word)\"") }
      if !part.isEmpty { isEnded = isQuoted || part.last?.isWhitespace == true }
    }
    guard !phrases.isEmpty else { return nil }
    return phrases.prefix(64).joined(separator: " ") + (isEnded ? "" : "*")
  }

  /// Whether the tokenizer makes a word of the character; of punctuation alone it makes none, and nothing would match.
  private static func isIndexed(_ character: Character) -> Bool {
    character.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
        .letterNumber, .otherNumber, .privateUse:
        true
      default: false
      }
    }
  }
}

extension Substring {
  fileprivate var storablePrefix: String { String(self).storable }
}
