import Rows

/// The text of a search.
///
/// All words must match. "Quoted words" are a phrase. The last word may be a prefix.
struct SearchText: Equatable, Sendable {
  /// What a post must contain, without quotation marks: usually one word each.
  private(set) var phrases: [String]
  /// Whether the last word is a prefix.
  let isOpen: Bool
  /// Whether each character of a script without spaces is a word of its own.
  private var isSeparated = true
  /// The posts that match only with the notes that the person wrote to them.
  var noted: [Int64] = []

  /// nil if none of the phrases has a word.
  init?(phrases: [String], isOpen: Bool) {
    let indexed = phrases.filter { $0.unicodeScalars.contains(where: Self.isIndexed) }
    guard !indexed.isEmpty else { return nil }
    (self.phrases, self.isOpen) = (indexed, isOpen)
  }

  /// nil if the text contains no word.
  init?(_ text: String) {
    var phrases: [String] = []
    var isEnded = false
    // Split by scalars: a quotation mark with a combining mark behind it is another character, but still a quotation
    // mark for FTS5.
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

  /// What a post must contain, as the index has it.
  var indexed: [String] { phrases.map(separated) }

  /// A text of a post as the index has it.
  func separated(_ text: String) -> String { isSeparated ? UnspacedScripts.separated(text) ?? text : text }

  /// The same search, which finds an author's whole handle only where it is the author's. Its parts are words of many posts.
  ///
  /// - Parameter isAuthor: Whether an author has a handle.
  func naming(_ isAuthor: (String) throws -> Bool) rethrows -> SearchText {
    var search = self
    search.phrases = try phrases.map { phrase in
      let handle = phrase.drop { $0 == "@" }
      let isWhole = handle.contains("@") && handle.contains(".")
      return try isWhole && isAuthor(String(handle)) ? SearchedTexts.word(ofHandle: handle) : phrase
    }
    return search
  }

  /// The same, with the authors of a library.
  func naming(in db: Database) throws -> SearchText {
    var search = try naming { handle in
      try db.hasRow("SELECT 1 FROM author WHERE \(db.folded("handle")) = \(db.folded("$1"))", [handle.storable])
    }
    // What is not indexed by the character yet is found by its beginning, as before.
    search.isSeparated = try Store.unreadWords(in: db) == nil
    return search
  }

  /// The search as an argument of a statement.
  var match: SearchMatch { SearchMatch(search: self, isOpen: isOpen) }

  /// The same query with a complete last word.
  var whole: SearchMatch { SearchMatch(search: self, isOpen: false) }

  /// Whether the tokenizer may make a word of it. Punctuation alone makes none, and would match nothing. Of symbols, it makes
  /// words of those that are younger than its tables, such as many emoji.
  private static func isIndexed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .privateUse, .otherSymbol:
      true
    default: false
    }
  }
}

/// A search as an argument of a statement.
struct SearchMatch: Argument, Equatable {
  let search: SearchText
  /// Whether the last word is a prefix.
  let isOpen: Bool

  /// The search as an FTS5 query that is always valid: inside a quoted string, FTS5 has no syntax but the quotation
  /// mark.
  var text: String { search.indexed.map { "\"\($0)\"" }.joined(separator: " ") + (isOpen ? "*" : "") }

  var content: ColumnContent { .text(text) }
}
