extension Filter {
  /// Reads a filter as somebody typed it.
  ///
  /// - Parameters:
  ///   - text: The text: words, and terms such as `tag:cats`, `-by:spam@photos.example` or `(kind:video OR width:>2000)`.
  ///   - isUnfinished: Whether somebody still types it. Then what is not finished at its end is ignored.
  /// - Throws: `FilterError`.
  public init(parsing text: String, isUnfinished: Bool = false) throws(FilterError) {
    guard text.utf8.count <= FilterParser.mostBytes else { throw .tooLarge }
    guard !text.utf8.contains(0) else { throw .holdsNUL }
    var parser = FilterParser(text, isUnfinished: isUnfinished)
    self = try parser.filter()
  }
}

/// Reads a filter from left to right. It works on scalars: a quotation mark with a combining mark behind it is one character,
/// and still a quotation mark.
struct FilterParser {
  /// PostgreSQL took 2.5 s to plan 100 terms about files, 34 s for 200, and ran out of memory at 400.
  static let mostTerms = 100
  static let mostLevels = Filter.mostLevels
  /// The engines take no statement of any length, and no number of arguments.
  static let mostValues = 500
  /// A search reads no more.
  static let mostWords = 64
  static let mostLetters = 1000
  static let mostBytes = 64 << 10

  private let scalars: [Unicode.Scalar]
  private let isUnfinished: Bool
  private var position = 0
  private var (terms, valueCount, words, letters) = (0, 0, 0, 0)
  private var level = 0

  init(_ text: String, isUnfinished: Bool) { (scalars, self.isUnfinished) = (Array(text.unicodeScalars), isUnfinished) }

  mutating func filter() throws(FilterError) -> Filter {
    let filter = try alternatives()
    guard isAtEnd else { throw .unbalanced }
    let all = filter ?? .everything
    // An order of a part would be that of nothing.
    let orders = all.terms.filter { $0.key == .sort }
    guard orders.isEmpty || orders.count == 1 && orders[0].values.count == 1 && all.parts.contains(.term(orders[0]))
    else { throw .nestedOrder }
    return all
  }

  // MARK: Structure

  /// Terms with `OR` between them; nil if there is none.
  private mutating func alternatives() throws(FilterError) -> Filter? {
    var parts: [Filter] = []
    while true {
      let part = try conjunction()
      let goesOn = takeWord("OR")
      if let part {
        parts.append(part)
      } else if goesOn || !parts.isEmpty {
        guard isUnfinished && isAtEnd && !goesOn else { throw .nothing(beside: "OR") }
      }
      guard goesOn else { return parts.isEmpty ? nil : .alternative(parts) }
    }
  }

  /// Terms that must all match; nil if there is none.
  private mutating func conjunction() throws(FilterError) -> Filter? {
    var parts: [Filter] = []
    while true {
      skipSpaces()
      if isAtEnd || peek == ")" || isWord("OR") { break }
      if takeWord("AND") { continue }
      if let part = try unary() { parts.append(part) }
    }
    return parts.isEmpty ? nil : .conjunction(parts)
  }

  /// A term with what stands before it; nil for one that is not finished.
  private mutating func unary() throws(FilterError) -> Filter? {
    level += 1
    defer { level -= 1 }
    guard level <= Self.mostLevels else { throw .tooLarge }
    if peek == "-", let next = peek(1), !next.properties.isWhitespace, next != ")" {
      position += 1
      return try unary().map { .opposite(of: $0) }
    }
    if isKey("not") {
      position += 4
      guard !isAtEnd, peek?.properties.isWhitespace == false else {
        guard isUnfinished && isAtEnd else { throw .nothing(beside: "not:") }
        return nil
      }
      return try unary().map { .opposite(of: $0) }
    }
    guard peek == "(" else { return try term() }
    position += 1
    let inner = try alternatives()
    if peek == ")" { position += 1 } else if !isUnfinished { throw .unbalanced }
    guard inner != nil || isUnfinished else { throw .nothing(beside: "(") }
    return inner
  }

  // MARK: Terms

  private mutating func term() throws(FilterError) -> Filter? {
    terms += 1
    guard terms <= Self.mostTerms else { throw .tooLarge }
    if peek == "\"" { return try phrase() }
    guard let name = keyName() else { return try bareWord() }
    guard let key = FilterKey(rawValue: name.lowercased()) else {
      let keys = FilterKey.allCases.map(\.rawValue)
      throw .unknownKey(name, nearest: Spelling.nearest(to: name, among: keys))
    }
    position += name.unicodeScalars.count + 1
    return try term(of: key)
  }

  /// The letters before a colon with something behind it. An address is none, nor is a time.
  private func keyName() -> String? {
    var end = position
    while end < scalars.count, scalars[end].properties.isAlphabetic, scalars[end].isASCII { end += 1 }
    guard end > position, end < scalars.count, scalars[end] == ":" else { return nil }
    guard end + 1 >= scalars.count || scalars[end + 1] != "/" else { return nil }
    return text(position..<end)
  }

  private func isKey(_ name: String) -> Bool { keyName()?.lowercased() == name }

  private mutating func term(of key: FilterKey) throws(FilterError) -> Filter? {
    var values: [FilterValue] = []
    repeat {
      guard let text = try atom(), !text.isEmpty else {
        guard isUnfinished && isAtEnd else { throw .noValue(key) }
        return values.isEmpty ? nil : .term(Filter.Term(key, values))
      }
      valueCount += 1
      guard valueCount <= Self.mostValues else { throw .tooLarge }
      do throws(FilterError) {
        let value = try key.value(text)
        if !values.contains(value) { values.append(value) }
      } catch {
        // What is typed becomes a value letter by letter.
        guard isUnfinished && isAtEnd else { throw error }
        return values.isEmpty ? nil : .term(Filter.Term(key, values))
      }
    } while take("|")
    return .term(Filter.Term(key, values))
  }

  /// A value, quoted or up to the next space; nil if none stands here.
  private mutating func atom() throws(FilterError) -> String? {
    if peek == "\"" { return try quoted() }
    return bare { $0.properties.isWhitespace || "|()\"".unicodeScalars.contains($0) }
  }

  private mutating func bareWord() throws(FilterError) -> Filter {
    let text = bare { $0.properties.isWhitespace || "()\"".unicodeScalars.contains($0) } ?? ""
    let isOpen = text.hasSuffix("*")
    // Somebody who types a word sees what begins like it.
    return try found(isOpen ? String(text.dropLast()) : text, isPrefix: isOpen || isAtEnd)
  }

  private mutating func phrase() throws(FilterError) -> Filter? {
    guard let text = try quoted(), text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      guard isUnfinished && isAtEnd else { throw .emptyQuote }
      return nil
    }
    return try found(text, isPrefix: take("*"))
  }

  private mutating func found(_ text: String, isPrefix: Bool) throws(FilterError) -> Filter {
    (words, letters) = (words + 1, letters + text.unicodeScalars.count)
    guard words <= Self.mostWords, letters <= Self.mostLetters else { throw .tooLarge }
    return .words(Filter.Words(text, isPrefix: isPrefix))
  }

  /// What stands between quotation marks, in which a backslash takes the next character as it is.
  private mutating func quoted() throws(FilterError) -> String? {
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = peek {
      position += 1
      if scalar == "\"" { return String(text) }
      if scalar == "\\", let next = peek {
        position += 1
        text.append(next)
      } else {
        text.append(scalar)
      }
    }
    guard isUnfinished else { throw .unclosedQuote }
    return String(text)
  }

  // MARK: Scalars

  private var isAtEnd: Bool { position >= scalars.count }
  private var peek: Unicode.Scalar? { isAtEnd ? nil : scalars[position] }
  private func peek(_ distance: Int) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  private func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }

  private mutating func skipSpaces() { while peek?.properties.isWhitespace == true { position += 1 } }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  private mutating func bare(upTo isEnd: (Unicode.Scalar) -> Bool) -> String? {
    let start = position
    while let scalar = peek, !isEnd(scalar) { position += 1 }
    return position > start ? text(start..<position) : nil
  }

  /// Whether this word stands here by itself.
  private func isWord(_ word: String) -> Bool {
    let end = position + word.unicodeScalars.count
    guard end <= scalars.count, text(position..<end) == word else { return false }
    return end == scalars.count || scalars[end].properties.isWhitespace || "()".unicodeScalars.contains(scalars[end])
  }

  private mutating func takeWord(_ word: String) -> Bool {
    guard isWord(word) else { return false }
    position += word.unicodeScalars.count
    return true
  }
}
