// One line of config.toml.

/// The rest of the line.
struct SettingsLine {
  // By scalars: a combining character does not change a quotation mark.
  private var rest: Substring.UnicodeScalarView

  init(_ line: Substring) { rest = line.unicodeScalars }

  /// What a line says.
  enum Entry {
    /// The table of libraries begins.
    case libraries
    /// A name and its value as a user types it after a setting's name.
    case value(name: String, value: String)
  }

  /// What the line says; nil if it is empty or a comment.
  mutating func entry() throws(SettingError) -> Entry? {
    guard let name = try name() else { return nil }
    if name.hasPrefix("[") {
      guard Self.isLibraries(name.dropFirst().dropLast()), rest.popFirst() == "]" else { throw Self.table(name) }
      skipBlanks()
      guard isAtEnd else { throw Self.table(name) }
      return .libraries
    }
    if Self.namesLibraries(name) { throw Self.table(name) }
    skipBlanks()
    guard rest.popFirst() == "=" else {
      throw .malformed("\"\(Spelling.printable(name))\" has no value", cure: Self.example)
    }
    skipBlanks()
    let value = try value(of: Spelling.printable(name))
    skipBlanks()
    guard isAtEnd else {
      throw .malformed("\"\(Spelling.printable(String(rest)))\" stands behind the value", cure: Self.example)
    }
    return .value(name: name, value: value)
  }

  /// The name at the line's beginning, with the bracket if it is a table; nil if the line is empty or a comment.
  mutating func name() throws(SettingError) -> String? {
    skipBlanks()
    guard !isAtEnd else { return nil }
    if rest.first == "[" { return String(consume { $0 != "]" && $0 != "#" && $0 != "\r" }) + "]" }
    let isQuoted = rest.first.map(Self.quotes.contains) ?? false
    return isQuoted ? try quoted("name") : String(String.UnicodeScalarView(consume { !Self.endsName($0) }))
  }

  private static func table(_ name: String) -> SettingError {
    guard namesLibraries(name.drop { "[\"' \t".contains($0) }) else {
      return .malformed("a table begins", cure: "settings stand in no table, and libraries in [libraries]")
    }
    return .malformed("a library is not named in this way", cure: "write [libraries], and below it work = \"/FOLDER\"")
  }

  private static func isLibraries(_ name: Substring) -> Bool {
    let blanks = Set<Character>([" ", "\t"])
    let word = String(name.drop(while: blanks.contains).reversed().drop(while: blanks.contains).reversed())
    return ["libraries", "\"libraries\"", "'libraries'"].contains(word)
  }

  /// Whether a name is that of the table of libraries, or of something in it.
  private static func namesLibraries(_ name: some StringProtocol) -> Bool {
    guard name.hasPrefix("libraries") else { return false }
    let rest = name.dropFirst("libraries".count).drop { "\"' \t".contains($0) }
    return rest.isEmpty || rest.first == "." || rest.first == "]"
  }

  private mutating func value(of name: String) throws(SettingError) -> String {
    guard let first = rest.first, !isAtEnd else { throw .malformed("\"\(name)\" has no value", cure: Self.example) }
    guard first != "[", first != "{" else {
      throw .malformed("\"\(name)\" takes one value, no list of them", cure: Self.example)
    }
    if Self.quotes.contains(first) { return try quoted("value") }
    let word = String(consume { !Self.blanks.contains($0) && $0 != "#" })
    if word == "true" || word == "false" { return word }
    guard word.utf8.allSatisfy({ Self.digits.contains($0) }) else {
      let shown = Spelling.printable(word)
      throw .malformed("\"\(shown)\" stands without quotation marks", cure: "write \(name) = \"\(shown)\"")
    }
    return word.filter { $0 != "_" }
  }

  /// A string in quotation marks, one or three of a kind. A backslash escapes in double ones.
  private mutating func quoted(_ part: String) throws(SettingError) -> String {
    let mark = rest.removeFirst()
    let isTriple = rest.starts(with: [mark, mark])
    if isTriple { rest.removeFirst(2) }
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == mark, !isTriple { return String(text) }
      if scalar == mark, rest.starts(with: [mark, mark]) {
        rest.removeFirst(2)
        return String(text)
      }
      text.append(scalar == "\\" && mark == "\"" ? try escaped() : scalar)
    }
    throw .malformed("a \(part) does not end on its line", cure: Self.example)
  }

  private mutating func escaped() throws(SettingError) -> Unicode.Scalar {
    guard let letter = rest.popFirst() else {
      throw .malformed("a value does not end on its line", cure: Self.example)
    }
    if let scalar = Self.escapes[letter] { return scalar }
    let length = letter == "u" ? 4 : 8
    let digits = rest.prefix(length)
    guard letter == "u" || letter == "U", digits.count == length, digits.allSatisfy(\.properties.isASCIIHexDigit),
      let scalar = UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init)
    else {
      throw .malformed(
        "\"\\\(Spelling.printable(String(letter)))\" escapes nothing",
        cure: "write \\\\ for a backslash, or the whole in single quotation marks")
    }
    rest.removeFirst(length)
    return scalar
  }

  /// Checks that nothing but a comment follows.
  private var isAtEnd: Bool { rest.first.map { $0 == "#" } ?? true }

  private mutating func skipBlanks() { _ = consume(Self.blanks.contains) }

  private mutating func consume(_ belongs: (Unicode.Scalar) -> Bool) -> Substring.UnicodeScalarView {
    let taken = rest.prefix(while: belongs)
    rest = rest[taken.endIndex...]
    return taken
  }

  private static func endsName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "=" || scalar == "#" || blanks.contains(scalar)
  }

  // Files from other systems may end lines with a carriage return.
  private static let blanks: Set<Unicode.Scalar> = [" ", "\t", "\r"]
  private static let quotes: Set<Unicode.Scalar> = ["\"", "'"]
  private static let digits = Set("0123456789_.".utf8)
  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "b": "\u{8}", "t": "\t", "n": "\n", "f": "\u{C}", "r": "\r", "e": "\u{1B}", "\"": "\"", "\\": "\\",
  ]
  private static let example = "a setting is written as refresh = \"60s\""
}
