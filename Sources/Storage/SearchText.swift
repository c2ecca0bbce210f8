/// What a person typed to search for.
///
/// All words must be there; "quoted words" stand together; the last word may go on.
struct SearchText: Equatable {
  /// What must stand in a post, without quotation marks: mostly a word each.
  let phrases: [String]
  /// Whether the last word may go on.
  let isOpen: Bool

  /// nil where there is nothing to look for.
  init?(_ text: String) {
    var phrases: [String] = []
    var isEnded = false
    // By scalars: with a combining mark behind it, a quotation mark is another character, and yet one for FTS5.
    let scalars = String(text.prefix(1000)).storable.unicodeScalars
    for (index, part) in scalars.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
      let isQuoted = index % 2 == 1
      let words = isQuoted ? [part] : part.split(whereSeparator: \.properties.isWhitespace)
      for word in words where word.contains(where: Self.isIndexed) { phrases.append(String(word)) }
      if let last = part.last { isEnded = isQuoted || last.properties.isWhitespace }
    }
    guard !phrases.isEmpty else { return nil }
    (self.phrases, isOpen) = (Array(phrases.prefix(64)), !isEnded)
  }

  /// It as a query FTS5 always understands: in a quoted string FTS5 has no syntax but the quotation mark.
  var match: String { whole + (isOpen ? "*" : "") }

  /// The same with the last word ended.
  var whole: String { phrases.map { "\"\($0)\"" }.joined(separator: " ") }

  /// Whether the tokenizer makes a word of it; of punctuation alone it makes none, and nothing would match.
  private static func isIndexed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}
