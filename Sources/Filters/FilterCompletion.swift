/// What can complete the end of a filter that somebody types: a key, or the value of one.
///
/// It knows no library: names come from who asks. Shells, the list and the gallery complete alike by it.
public struct FilterCompletion: Sendable, Hashable {
  /// One way to go on.
  public struct Offer: Sendable, Hashable, Encodable {
    /// The whole text with it.
    public let text: String
    /// The key or the term alone.
    public let term: String
    /// What the key asks; empty for a value.
    public let help: String
  }

  /// The key whose value is typed; nil while a key or a word is.
  public let key: FilterKey?
  /// What is typed of the key or the value, without quotation marks.
  public let beginning: String
  /// What stands before it.
  private let head: String
  /// Whether it is in quotation marks, as no key is.
  private let isQuoted: Bool

  /// How many ways to go on are offered at most.
  public static let mostOffers = 100

  /// What can complete a text at its end.
  public init(of text: String) {
    let scalars = Array(text.unicodeScalars)
    let (start, key) = Self.last(of: scalars)
    let typed = scalars[start...]
    self.key = key
    isQuoted = typed.first == "\""
    beginning = isQuoted ? Self.unquoted(typed.dropFirst()) : Self.text(typed)
    head = Self.text(scalars[..<start])
  }

  /// The ways to go on, of which there are at most `mostOffers`.
  ///
  /// - Parameter names: The names that a library has for a key, given how they begin.
  /// - Throws: What `names` throws.
  public func offers(_ names: (FilterKey, String) throws -> [String]) rethrows -> [Offer] {
    guard let key else {
      return keys.map { Offer(text: "\(head)\($0.rawValue):", term: "\($0.rawValue):", help: $0.help) }
    }
    let values = key.choices.isEmpty ? try names(key, beginning) : key.choices
    return values.lazy.filter(isBeginning).prefix(Self.mostOffers).map { value in
      let written = FilterText.value(value)
      return Offer(text: head + written, term: "\(key.rawValue):\(written)", help: "")
    }
  }

  /// The keys that begin as typed.
  public var keys: [FilterKey] {
    guard key == nil, !isQuoted else { return [] }
    let found = FilterKey.allCases.filter { isBeginning(of: $0.rawValue) }
    let usual = found.filter { !$0.isRare }
    return beginning.isEmpty || usual.isEmpty ? found : usual
  }

  private func isBeginning(of name: String) -> Bool { name.lowercased().hasPrefix(beginning.lowercased()) }

  /// Where the last key or value begins, and the key of the value.
  private static func last(of scalars: [Unicode.Scalar]) -> (start: Int, key: FilterKey?) {
    var (start, key) = (0, nil as FilterKey?)
    var (isQuoted, isTaken) = (false, false)
    for (index, scalar) in scalars.enumerated() {
      if isTaken {
        isTaken = false
      } else if isQuoted {
        (isTaken, isQuoted) = (scalar == "\\", scalar != "\"")
      } else if scalar == "\"" {
        isQuoted = true
      } else if scalar.properties.isWhitespace || scalar == "(" || scalar == ")" {
        (start, key) = (index + 1, nil)
      } else if key == nil ? scalar == "-" && index == start : scalar == "|" {
        start = index + 1
      } else if key == nil, scalar == ":" {
        let name = text(scalars[start..<index]).lowercased()
        key = FilterKey(rawValue: name)
        if key != nil || name == "not" { start = index + 1 }
      }
    }
    return (start, key)
  }

  private static func unquoted(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    var isTaken = false
    for scalar in scalars {
      if !isTaken, scalar == "\"" { break }
      isTaken = !isTaken && scalar == "\\"
      if !isTaken { text.append(scalar) }
    }
    return String(text)
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}
