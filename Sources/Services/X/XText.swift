/// The text of a post of X as people read it. It comes with `&`, `<` and `>` escaped and with every link shortened.
enum XText {
  private static let shortener = "https://t.co/"

  /// The text with its links written out; those in `links` without a target, which lead to the post's own pictures, are
  /// left out. What the result may hold is bounded, whatever the links lead to.
  static func plain(_ text: String, links: [String: String?]) -> String {
    var rest = unescaped(Bounds.cut(text, bytes: Bounds.block))[...]
    var out = ""
    while let start = rest.range(of: shortener), out.utf8.count < Bounds.caption {
      let end = rest[start.upperBound...].firstIndex { !($0.isASCII && ($0.isLetter || $0.isNumber)) } ?? rest.endIndex
      out += rest[..<start.lowerBound]
      let link = String(rest[start.lowerBound..<end])
      if let known = links[link] { out += known ?? "" } else { out += link }
      rest = rest[end...]
    }
    return Bounds.block(out + rest, bytes: Bounds.caption) ?? ""
  }

  /// The three characters that are escaped. The ampersand comes last: `&amp;lt;` is the text `&lt;`.
  private static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
  }
}
