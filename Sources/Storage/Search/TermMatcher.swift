import Glibc

/// Finds whether a text matches a search, with the same result as the search index but without using it.
///
/// Querying the index for single posts costs more than reading them, and for a prefix the index first gathers all
/// posts.
struct TermMatcher {
  private struct Term: Hashable {
    let token: [UInt8]
    let isOpen: Bool
  }

  /// The words of a text, as a bit set of the search words that each one matches.
  private struct Reading {
    let words: [Term]
    /// Whether the order of words matters.
    let isOrdered: Bool
    var marks: [UInt64] = []
    /// The union of all bit sets.
    var all: UInt64 = 0
  }

  private let tokenizer: Tokenizer
  private let words: [Term]
  /// The bits of each phrase's words.
  private let phrases: [[UInt64]]

  /// nil if the search has more than 64 words, or no word.
  init?(_ search: SearchText, in db: Database) throws {
    let tokenizer = try db.tokenizer
    var phrases = try search.indexed.map { phrase in
      try tokenizer.words(ofSearch: phrase).map { Term(token: $0, isOpen: false) }
    }
    if search.isOpen, let word = phrases.last?.last {
      phrases[phrases.count - 1][phrases[phrases.count - 1].count - 1] = Term(token: word.token, isOpen: true)
    }
    // The index ignores phrases without a word, too.
    phrases.removeAll(where: \.isEmpty)
    let words = Set(phrases.joined())
    guard (1...64).contains(words.count) else { return nil }
    self.tokenizer = tokenizer
    self.words = Array(words)
    let bits = Dictionary(uniqueKeysWithValues: self.words.enumerated().map { ($1, UInt64(1) << UInt64($0)) })
    self.phrases = phrases.map { $0.map { bits[$0, default: 0] } }
  }

  /// Whether one of the phrases is in a text.
  func isTouched(by text: String) throws -> Bool {
    let reading = try read(text)
    return phrases.contains { Self.stands($0, in: reading) }
  }

  /// Whether each phrase is in one of a post's texts.
  func isFound(in texts: [String]) throws -> Bool {
    var missing = phrases
    for text in texts {
      let reading = try read(text)
      missing.removeAll { Self.stands($0, in: reading) }
      if missing.isEmpty { return true }
    }
    return false
  }

  private static func stands(_ phrase: [UInt64], in reading: Reading) -> Bool {
    if phrase.count == 1 { return reading.all & phrase[0] != 0 }
    let marks = reading.marks
    guard phrase.count <= marks.count else { return false }
    return (0...(marks.count - phrase.count)).contains { start in
      phrase.indices.allSatisfy { marks[start + $0] & phrase[$0] != 0 }
    }
  }

  private func read(_ text: String) throws -> Reading {
    var reading = Reading(words: words, isOrdered: phrases.contains { $0.count > 1 })
    try withUnsafeMutablePointer(to: &reading) { reading in
      try tokenizer.tokenize(text, to: reading) { context, _, token, count, _, _ in
        guard let token, let reading = context?.assumingMemoryBound(to: Reading.self) else { return 0 }
        var mark: UInt64 = 0
        for (number, word) in reading.pointee.words.enumerated()
        where word.token.count == count || word.isOpen && word.token.count < count {
          if memcmp(word.token, token, word.token.count) == 0 { mark |= 1 << UInt64(number) }
        }
        reading.pointee.all |= mark
        if reading.pointee.isOrdered { reading.pointee.marks.append(mark) }
        return 0
      }
    }
    return reading
  }
}
