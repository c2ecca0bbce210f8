// The search index in PostgreSQL finds what SQLite's FTS5 finds: its words are those of FTS5's own tokenizer.

/// A search as `media.found` and `media.is_found` take it.
struct PostgreSQLSearch {
  /// The argument of the functions.
  let text: String

  /// Of longer words the index has only the beginning, as many characters.
  private static let longest = 500

  /// - Parameters:
  ///   - search: The words.
  ///   - isOpen: Whether the last word may be a prefix.
  init(_ search: SearchText, isOpen: Bool, _ tokenizer: Tokenizer) throws {
    var (lexemes, parts, all): ([String], [String], [String]) = ([], [], [])
    for (index, phrase) in search.indexed.enumerated() {
      let words = try tokenizer.words(ofSearch: phrase).map(IndexedLine.word)
      guard !words.isEmpty else { continue }
      let isPrefix = isOpen && index == search.indexed.count - 1
      let part = IndexedLine.delimited(words, isOpen: isPrefix)
      all.append(part)
      if words.count > 1 || words[0].unicodeScalars.count >= Self.longest { parts.append(part) }
      for (place, word) in words.enumerated() {
        let lexeme = String(String.UnicodeScalarView(word.unicodeScalars.prefix(Self.longest)))
        lexemes.append("'\(lexeme)'\(isPrefix && place == words.count - 1 ? ":*" : "")")
      }
    }
    // Nothing is found without a word. No text has this one.
    if all.isEmpty { all = ["\u{2}"] }
    let query = [lexemes.joined(separator: " & ")].jsonList.dropFirst().dropLast()
    text = #"{"words":\#(query),"parts":\#(parts.jsonList),"all":\#(all.jsonList)}"#
  }
}

/// The words of a post's texts as `media.caption_words` stores them: between spaces, and one text a line.
enum IndexedLine {
  static func of(_ texts: [String], _ tokenizer: Tokenizer) throws -> String {
    try texts.map { delimited(try tokenizer.words(of: $0).map(word), isOpen: false) }.joined(separator: "\n")
  }

  static func delimited(_ words: [String], isOpen: Bool) -> String {
    " " + words.joined(separator: " ") + (isOpen ? "" : " ")
  }

  /// A word that nothing is left of without its accents still separates its neighbours.
  static func word(_ bytes: [UInt8]) -> String { bytes.isEmpty ? "\u{1}" : String(decoding: bytes, as: UTF8.self) }
}
