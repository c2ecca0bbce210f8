// One line of config.toml.

import Filters

/// The rest of the line.
struct SettingsLine {
  // By scalars: a combining character does not change a quotation mark.
  private var rest: Substring.UnicodeScalarView

  init(_ line: Substring) { rest = line.unicodeScalars }

  /// What a line says.
  enum Entry {
    /// The table of libraries begins.
    case libraries
    /// The table of a host begins.
    case host(String)
    /// A name and its value as a user types it after a setting's name.
    case value(name: String, value: String)
  }

  /// What the line says; nil if it is empty or a comment.
  mutating func entry() throws(SettingError) -> Entry? {
    guard let name = try name() else { return nil }
    if name.hasPrefix("[") {
      guard let table = Self.table(in: name.dropFirst().dropLast()), rest.popFirst() == "]" else {
        throw Self.fault(of: name)
      }
      skipBlanks()
      guard isAtEnd else { throw Self.fault(of: name) }
      return table
    }
    if Self.names(name, "libraries") || Self.names(name, "hosts") { throw Self.fault(of: name) }
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

  private static func fault(of name: String) -> SettingError {
    let bare = name.drop { "[\"' \t".contains($0) }
    if names(bare, "libraries") {
      return .malformed(
        "a library is not named in this way", cure: "write [libraries], and below it work = \"/FOLDER\"")
    }
    if names(bare, "hosts") {
      return .malformed(
        "a host is not named in this way", cure: "write [hosts.\"example.org\"], and below it delay = \"2s\"")
    }
    return .malformed("a table begins", cure: "settings stand in no table, and libraries in [libraries]")
  }

  /// The table between two brackets; nil if there is no such table.
  private static func table(in name: Substring) -> Entry? {
    let name = trimmed(name)
    if ["libraries", "\"libraries\"", "'libraries'"].contains(name) { return .libraries }
    guard name.hasPrefix("hosts") else { return nil }
    let rest = trimmed(name.dropFirst("hosts".count))
    guard rest.hasPrefix(".") else { return nil }
    let host = trimmed(rest.dropFirst())
    if let mark = host.first, "\"'".contains(mark), host.count > 2, host.last == mark {
      return .host(String(host.dropFirst().dropLast()))
    }
    return host.contains { "\"'.".contains($0) } || host.isEmpty ? nil : .host(host)
  }

  private static func trimmed(_ name: some StringProtocol) -> String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    return String(name.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }

  /// Whether a name is that of a table, or of something in it.
  private static func names(_ name: some StringProtocol, _ table: String) -> Bool {
    guard name.hasPrefix(table) else { return false }
    let rest = name.dropFirst(table.count).drop { "\"' \t".contains($0) }
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
