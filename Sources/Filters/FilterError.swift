/// Why a text is no filter.
public enum FilterError: Error, Sendable, Hashable {
  /// No key has this name; the one that is most like it, if one is.
  case unknownKey(String, nearest: String?)
  /// The key knows no such value; the one that is most like it, if one is.
  case unknownValue(String, FilterKey, nearest: String?)
  /// The value is no number, has no unit of the key or is too large.
  case noNumber(String, FilterKey)
  /// The value is no year, month or day.
  case noDate(String, FilterKey)
  /// The value is no place with a distance.
  case noArea(String, FilterKey)
  /// No town or country is known by the value; the one that is most like it, if one is.
  case noTown(String, FilterKey, nearest: String?)
  /// Nothing stands behind the key.
  case noValue(FilterKey)
  /// A parenthesis that is not closed, or one that was not opened.
  case unbalanced
  /// Quotation marks with nothing between them.
  case emptyQuote
  /// A quotation mark that is not closed.
  case unclosedQuote
  /// An order that is not asked for once, beside all other terms.
  case nestedOrder
  /// Something is missing on a side of `OR`, behind `-` or between parentheses.
  case nothing(beside: String)
  /// It has more terms, values, levels or letters than are read.
  case tooLarge
  /// It holds a character that no text may hold.
  case holdsNUL
}

extension FilterError {
  /// What is wrong, in one sentence.
  public var message: String {
    switch self {
    case .unknownKey(let key, _): "\"\(Spelling.printable(key))\" is no key of a filter"
    case .unknownValue(let value, let key, _): "\(key.rawValue): knows no \"\(Spelling.printable(value))\""
    case .noNumber(let value, .rating): "rating:\(Spelling.printable(value)) is no rating that a post can have"
    case .noNumber(let value, let key): "\(key.rawValue):\(Spelling.printable(value)) is no number that it can compare"
    case .noDate(let value, let key): "\(key.rawValue):\(Spelling.printable(value)) is no date"
    case .noArea(let value, let key): "\(key.rawValue):\(Spelling.printable(value)) is no place"
    case .noTown(let value, .country, _): "no country is called \"\(Spelling.printable(value))\""
    case .noTown(let value, _, _): "no town is known as \"\(Spelling.printable(value))\""
    case .noValue(let key): "the key \(key.rawValue) has no value"
    case .unbalanced: "a parenthesis of the filter has no partner"
    case .emptyQuote: "nothing stands between quotation marks of the filter"
    case .unclosedQuote: "a quotation mark of the filter is not closed"
    case .nestedOrder: "only the whole filter has an order, and only one"
    case .nothing(let word): "something is missing beside \"\(word)\""
    case .tooLarge: "the filter is too large"
    case .holdsNUL: "the filter holds a character with the code 0"
    }
  }

  /// What is wrong and what to do about it, on one line.
  public var sentence: String { "\(message): \(cure)" }

  /// What to do about it.
  public var cure: String {
    switch self {
    case .unknownKey(_, let nearest):
      nearest.map { "did you mean \($0):?" } ?? "quote it to find it as a word"
    case .unknownValue(_, let key, let nearest):
      nearest.map { "did you mean \(key.rawValue):\($0)?" } ?? "it knows \(key.choices.joined(separator: ", "))"
    case .noNumber(_, .rating): "write one from 0 to 5, such as \(FilterKey.rating.example)"
    case .noNumber(_, let key): "write it as \(key.example)"
    case .noDate(_, let key): "write it as \(key.example), \(key.rawValue):2026-03 or \(key.rawValue):2026"
    case .noArea(_, let key): "write it as \(key.example): degrees north, degrees east and a distance"
    case .noTown(_, let key, let nearest?): "did you mean \(key.rawValue):\(FilterText.value(nearest))?"
    case .noTown(_, .country, nil): "write its code or its name, such as country:AT or country:Austria"
    case .noTown:
      "small ones are not known, near:48.1,11.5,20km finds what was taken around them"
    case .noValue(let key): "write it as \(key.example)"
    case .unbalanced: "close each \"(\" by \")\", or quote what is to be found"
    case .emptyQuote: "write words between them, or leave them out"
    case .unclosedQuote: "close it, or leave it out"
    case .nestedOrder: "write sort: once, outside of parentheses, without OR and \"-\""
    case .nothing: "write a term there, or quote it to find the word"
    case .tooLarge:
      """
      use at most \(FilterParser.mostTerms) terms in \(FilterParser.mostLevels) levels, \(FilterParser.mostValues) values, and \
      \(FilterParser.mostWords) words
      """
    case .holdsNUL: "leave it out"
    }
  }
}

extension FilterKey {
  /// The words that it knows; none if it takes others.
  public var choices: [String] { if case .choice(let words) = kind { words } else { [] } }

  /// A term with it, as people write it.
  public var example: String {
    switch kind {
    case .name: "\(rawValue):NAME"
    case .choice(let words): "\(rawValue):\(words[0])"
    case .number(let units) where units.contains { $0.name == "MB" }: "\(rawValue):>5MB"
    case .number(let units) where units.contains { $0.name == "d" }: "\(rawValue):>7d"
    case .number(let units) where units.count > 1: "\(rawValue):>30s"
    case .number where self == .rating: "rating:>=4"
    case .number: "\(rawValue):>2000"
    case .date: "\(rawValue):2026-03-14"
    case .post: "\(rawValue):123"
    case .area: "\(rawValue):48.1,11.5,20km"
    case .town: "\(rawValue):Vienna"
    case .country: "\(rawValue):AT"
    }
  }
}
