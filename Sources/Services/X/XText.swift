/// The text of a post of X as people read it. The API escapes `&`, `<` and `>` and shortens every link.
enum XText {
  private static let shortener = "://t.co/"

  /// The text with its links expanded. Those in `links` without a target, which lead to the post's own pictures, are
  /// removed. The result is bounded, whatever the targets are.
  static func plain(_ text: String, links: [String: String?]) -> String {
    var rest = unescaped(Bounds.cut(text, bytes: Bounds.block))[...]
    var out = ""
    while let range = rest.firstRange(of: shortener), out.utf8.count < Bounds.caption {
      let end = rest[range.upperBound...].firstIndex { !($0.isASCII && ($0.isLetter || $0.isNumber)) } ?? rest.endIndex
      let before = rest[..<range.lowerBound]
      let scheme = before.hasSuffix("https") ? "https" : before.hasSuffix("http") ? "http" : ""
      let start = rest.index(range.lowerBound, offsetBy: -scheme.count)
      out += rest[..<start]
      let link = String(rest[start..<end])
      if let known = links[link] { out += known ?? "" } else { out += link }
      rest = rest[end...]
    }
    return Bounds.block(out + rest, bytes: Bounds.caption) ?? ""
  }

  private static let escapes: [(escape: [UInt8], byte: UInt8)] = [
    (Array("&amp;".utf8), UInt8(ascii: "&")), (Array("&lt;".utf8), UInt8(ascii: "<")),
    (Array("&gt;".utf8), UInt8(ascii: ">")),
  ]

  /// Unescapes the three characters, each once: `&amp;lt;` is the text `&lt;`.
  private static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var (rest, plain) = (Array(text.utf8)[...], [UInt8]())
    plain.reserveCapacity(rest.count)
    while let index = rest.firstIndex(of: UInt8(ascii: "&")) {
      plain += rest[..<index]
      let found = escapes.first { rest[index...].starts(with: $0.escape) }
      plain.append(found?.byte ?? rest[index])
      rest = rest[(index + (found?.escape.count ?? 1))...]
    }
    return String(decoding: plain + rest, as: UTF8.self)
  }
}
