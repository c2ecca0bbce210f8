/// A part of a statement.
enum SQLToken: Equatable {
  /// A keyword or a name, without quotation marks.
  case word(String)
  /// `?`, or `?3` with its number.
  case parameter(Int?)
  /// White space and comments.
  case space(String)
  /// Anything else as it stands: a text, a quoted name, a number, an operator, a parenthesis.
  case other(String)

  /// Splits a statement. Texts and quoted names are one token each, whatever they hold.
  static func tokens(of sql: String) -> [SQLToken] {
    var rest = Substring(sql)
    var tokens: [SQLToken] = []
    while let first = rest.first {
      let length = length(first, rest)
      let part = rest.prefix(length)
      rest = rest.dropFirst(length)
      switch first {
      case "?": tokens.append(.parameter(Int(part.dropFirst())))
      case _ where first.isWhitespace: tokens.append(.space(String(part)))
      case _ where isOfName(first) && !first.isNumber: tokens.append(.word(String(part)))
      default: tokens.append(.other(String(part)))
      }
    }
    return tokens
  }

  private static func length(_ first: Character, _ rest: Substring) -> Int {
    switch first {
    case "'", "\"":
      // A doubled mark within it ends one token and begins the next: together they are the same text.
      return
        (rest.dropFirst().firstIndex(of: first).map { rest.distance(from: rest.startIndex, to: $0) }
        ?? rest.count - 1) + 1
    case "?": return 1 + rest.dropFirst().prefix { $0.isNumber }.count
    case _ where first.isWhitespace: return rest.prefix { $0.isWhitespace }.count
    case _ where isOfName(first): return rest.prefix(while: isOfName).count
    default: return 1
    }
  }

  private static func isOfName(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber) || character == "_"
  }

  /// Whether it is a keyword, or a name, in these letters.
  func `is`(_ word: String) -> Bool { self == .word(word) }

  /// The token as it stands.
  var text: String {
    switch self {
    case .word(let text), .space(let text), .other(let text): text
    case .parameter(let number): "?\(number.map(String.init) ?? "")"
    }
  }
}
