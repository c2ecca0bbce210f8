/// Tells SVG from the pages that servers and portals send in a picture's place.
enum MarkupHead {
  /// `.svg` where the first element is `<svg`, behind a byte order mark, declarations, comments and a document type
  /// that is not HTML's; `.html` for all other markup, also where its first element lies behind the head; nil for what
  /// is no markup.
  ///
  /// One `<svg` anywhere would not do: many a page has one, and would be kept as a picture.
  static func type(of head: [UInt8]) -> MediaType? {
    var rest = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    rest = rest.drop(while: isSpace)
    guard rest.first == UInt8(ascii: "<"), let second = rest.dropFirst().first,
      "!?/".utf8.contains(second) || isLetter(second)
    else { return nil }
    while let after = past(prologue: rest) { rest = after.drop(while: isSpace) }
    let name = rest.dropFirst().prefix { !isSpace($0) && !"/>".utf8.contains($0) }
    let isWhole = rest.count > name.count + 1
    return isWhole && rest.first == UInt8(ascii: "<") && name.elementsEqual("svg".utf8) ? .svg : .html
  }

  /// What follows a comment, a declaration or a document type; nil where none stands there whole.
  private static func past(prologue text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    if text.starts(with: "<!--".utf8) { return past("-->", in: text.dropFirst(4)) }
    if text.starts(with: "<?".utf8) { return past("?>", in: text.dropFirst(2)) }
    let start = "<!doctype".utf8
    guard text.prefix(start.count).map(lowered).elementsEqual(start) else { return nil }
    let name = text.dropFirst(start.count).drop(while: isSpace).prefix(4)
    return name.map(lowered).elementsEqual("html".utf8) ? nil : past(documentType: text)
  }

  private static func past(_ end: String, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let end = Array(end.utf8)
    let place = text.indices.first { text[$0...].starts(with: end) }
    return place.map { text[($0 + end.count)...] }
  }

  /// Past the `>` that stands neither in quotes nor among a document type's own declarations.
  private static func past(documentType text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var quote: UInt8?
    var depth = 0
    for (place, byte) in zip(text.indices, text) {
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">") where depth <= 0: return text[(place + 1)...]
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
