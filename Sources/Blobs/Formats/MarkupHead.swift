/// Tells SVG from the HTML pages that servers and captive portals send instead of a picture.
enum MarkupHead {
  /// Returns `.svg` if the first element is `<svg`, after a byte order mark, declarations, comments and a document type
  /// other than HTML's. Returns `.html` for all other markup, also if its first element lies beyond the head. Returns
  /// nil if the bytes are not markup.
  ///
  /// Finding `<svg` anywhere would not do: many web pages contain one and would be stored as pictures.
  static func type(of head: [UInt8]) -> MediaType? {
    var rest = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    rest = rest.drop(while: isSpace)
    guard rest.first == UInt8(ascii: "<"), let second = rest.dropFirst().first,
      "!?/".utf8.contains(second) || isLetter(second)
    else { return nil }
    while let after = skip(prologue: rest) { rest = after.drop(while: isSpace) }
    let name = rest.dropFirst().prefix { !isSpace($0) && !"/>".utf8.contains($0) }
    let isWhole = rest.count > name.count + 1
    return isWhole && rest.first == UInt8(ascii: "<") && name.elementsEqual("svg".utf8) ? .svg : .html
  }

  /// Returns what follows a comment, a declaration or a document type; nil if there is no complete one.
  private static func skip(prologue text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    if text.starts(with: "<!--".utf8) { return skip(past: "-->", in: text.dropFirst(4)) }
    if text.starts(with: "<?".utf8) { return skip(past: "?>", in: text.dropFirst(2)) }
    let start = "<!doctype".utf8
    guard text.prefix(start.count).map(lowered).elementsEqual(start) else { return nil }
    let name = text.dropFirst(start.count).drop(while: isSpace).prefix(4)
    return name.map(lowered).elementsEqual("html".utf8) ? nil : skip(documentType: text)
  }

  private static func skip(past end: String, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let end = Array(end.utf8)
    let index = text.indices.first { text[$0...].starts(with: end) }
    return index.map { text[($0 + end.count)...] }
  }

  /// Skips to after the `>` that is neither in quotes nor among the document type's own declarations.
  private static func skip(documentType text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var quote: UInt8?
    var depth = 0
    for (index, byte) in zip(text.indices, text) {
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">") where depth <= 0: return text[(index + 1)...]
      default: break
      }
    }
    return nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte) }

  private static func lowered(_ byte: UInt8) -> UInt8 { isLetter(byte) ? byte | 0x20 : byte }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
