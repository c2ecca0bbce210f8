/// Markup of a page. Literals are the server's own and stay unchanged; all other text is escaped when added, so that
/// outside text never becomes markup by an oversight.
///
/// Escaped text is safe between tags and inside double quotes. This server makes all addresses in `href`.
package struct HTML: Sendable, Equatable {
  /// As it is sent.
  package private(set) var markup: String

  /// Text from outside.
  package init(_ outside: some StringProtocol) { markup = Self.escaped(outside) }

  private init(markup: String) { self.markup = markup }

  /// JSON as the content of a `script` element that holds data. Nothing in it can end the element or begin a comment.
  package init(json: some StringProtocol) { markup = String(json).replacing("<", with: "\\u003C") }

  package static func + (one: HTML, other: HTML) -> HTML { HTML(markup: one.markup + other.markup) }

  /// The same with markup in place of a word that needs no escaping.
  package func replacing(_ word: String, with other: HTML) -> HTML {
    HTML(markup: markup.replacing(word, with: other.markup))
  }

  /// The same with markup in place of the first of some words, which outside text cannot have: it has no `<`.
  package func replacingFirst(_ words: HTML, with other: HTML) -> HTML {
    guard let range = markup.utf8.firstRange(of: words.markup.utf8) else { return self }
    return HTML(markup: "\(markup[..<range.lowerBound])\(other.markup)\(markup[range.upperBound...])")
  }

  /// The pieces in order, with `separator` between them.
  package static func joined(_ pieces: some Sequence<HTML>, separator: HTML = "") -> HTML {
    HTML(markup: pieces.map(\.markup).joined(separator: separator.markup))
  }

  /// Escapes scalar by scalar: a mark that combines with a quote makes another character of it, and leaves its byte as it is.
  /// Control characters have no place in a page (https://html.spec.whatwg.org/#text-syntax).
  private static func escaped(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(where: mayNeedEscape) else { return String(text) }
    return text.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      case "\t", "\n", "\r": text.unicodeScalars.append(scalar)
      case _ where scalar.properties.generalCategory == .control || scalar.value & 0xFFFE == 0xFFFE: break
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// Whether a byte of UTF-8 is one to escape, or may begin a character that has no place.
  private static func mayNeedEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0x7F, 0xC2, 0xEF, 0xF0...: true
    default: byte < 0x40 && "&<>\"'".utf8.contains(byte)
    }
  }
}

extension HTML: ExpressibleByStringInterpolation {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    package mutating func appendLiteral(_ ownWords: StaticString) { markup += ownWords.description }
    package mutating func appendInterpolation(_ html: HTML) { markup += html.markup }
    package mutating func appendInterpolation(_ outside: some StringProtocol) { markup += HTML(outside).markup }
    package mutating func appendInterpolation(_ number: some BinaryInteger) { markup += String(number) }
  }

  package init(stringLiteral ownWords: StaticString) { markup = ownWords.description }
  package init(stringInterpolation pieces: StringInterpolation) { markup = pieces.markup }
}
