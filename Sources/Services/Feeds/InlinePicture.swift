import FoundationEssentials
import HTTP

/// Pictures whose bytes stand in a text, as `data:` addresses (RFC 2397).
///
/// An address of a million letters is no address to store. In a post's text and as its attachment's address stands the
/// digest of the bytes (`data:image/png;sha256=…,`). The bytes themselves stay in the verbatim answer, where they are found
/// when the picture is stored.
public enum InlinePicture {
  /// The fewest bytes of a picture. Fewer are a placeholder, or a point that counts readers.
  static let fewest = 512

  /// Whether an address is that of a picture in its post's verbatim answer.
  public static func isAddress(_ address: String) -> Bool {
    address.hasPrefix(mark) && address.prefix { $0 != "=" }.hasSuffix(digest.dropLast())
  }

  /// The bytes of a picture.
  ///
  /// - Parameters:
  ///   - address: An address for which `isAddress` holds.
  ///   - raw: The post as its server sent it, in XML or JSON.
  /// - Returns: The bytes; nil if they are not there.
  public static func bytes(of address: String, in raw: [UInt8]) -> [UInt8]? {
    var position = 0
    while let found = next(in: raw, from: position) {
      if let bytes = decoded(found, in: raw), self.address(of: bytes, found.type) == address { return bytes }
      position = found.range.upperBound
    }
    return nil
  }

  /// The text with short addresses in place of its pictures, and without what is too small to be one.
  static func shortened(_ html: String) -> String {
    let text = Array(html.utf8)
    guard next(in: text, from: 0) != nil else { return html }
    var short: [UInt8] = []
    var position = 0
    while let found = next(in: text, from: position) {
      let bytes = decoded(found, in: text) ?? []
      short += text[position..<found.range.lowerBound]
      short += (bytes.count < fewest ? "data:," : address(of: bytes, found.type)).utf8
      position = found.range.upperBound
    }
    return String(decoding: short + text[position...], as: UTF8.self)
  }

  /// The bytes of an item without as many of its last pictures as are too much.
  static func cut(_ item: [UInt8], to most: Int) -> [UInt8] {
    var excess = item.count - most
    if excess <= 0 { return item }
    var found: [Found] = []
    var position = 0
    while let picture = next(in: item, from: position) {
      found.append(picture)
      position = picture.range.upperBound
    }
    var kept = item
    while excess > 0, let picture = found.popLast() {
      kept.replaceSubrange(picture.range, with: "data:,".utf8)
      excess -= picture.range.count
    }
    return kept
  }

  // MARK: Reading

  private static let mark = "data:image/"
  private static let digest = ";sha256="
  private static let types: Set<String> = ["png", "jpeg", "jpg", "gif", "webp", "avif"]
  /// How the bytes of each type begin, after so many others.
  private static let beginnings: [(type: String, offset: Int, bytes: [UInt8])] = [
    ("png", 0, [0x89] + "PNG".utf8), ("jpeg", 0, [0xFF, 0xD8, 0xFF]), ("gif", 0, Array("GIF8".utf8)),
    ("webp", 8, Array("WEBP".utf8)), ("avif", 4, Array("ftypavi".utf8)),
  ]

  /// An address in a text, and where its letters begin.
  private struct Found {
    var range: Range<Int>
    /// The type that it names, or else that of its bytes.
    var type: String
    let letters: Int
    let isBase64: Bool
    /// The quotation mark or parenthesis behind it. Within such marks, spaces do not end it: lines that were folded may have become them.
    let quote: String?
  }

  private static let quotes = ["\"", "'", "&quot;", "&#34;", "&#39;", "&apos;"]

  private static func next(in text: [UInt8], from start: Int) -> Found? {
    var position = start
    while position < text.count, let colon = text[position...].firstIndex(of: UInt8(ascii: ":")) {
      position = colon + 1
      if let found = address(around: colon, in: text), found.range.lowerBound >= start { return found }
    }
    return nil
  }

  /// The address `data:TYPE;base64,…` or `data:TYPE,…` around its colon. JSON may escape the slash. Bytes tell the type if the
  /// address does not.
  private static func address(around colon: Int, in text: [UInt8]) -> Found? {
    let start = colon - 4
    guard start >= 0, String(decoding: text[start..<colon], as: UTF8.self).lowercased() == "data" else {
      return nil
    }
    let head = text[(colon + 1)...].prefix(64).filter { $0 != UInt8(ascii: "\\") }
    let said = String(decoding: head, as: UTF8.self).prefix { $0 != "," }.lowercased()
    let type = said.hasPrefix("image/") ? said.dropFirst("image/".count).prefix { $0 != ";" } : ""
    let isPlain = said.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/;=+.-_*".contains($0)) }
    guard isPlain || types.contains(String(type)), !said.contains(digest),
      let comma = text[colon...].prefix(66).firstIndex(of: UInt8(ascii: ","))
    else { return nil }
    let mark = quotes.first { text[..<start].suffix($0.utf8.count).elementsEqual($0.utf8) }
    let quote = mark ?? (text[..<start].last == UInt8(ascii: "(") ? ")" : nil)
    var found = Found(
      range: start..<comma + 1, type: String(type), letters: comma + 1, isBase64: said.hasSuffix(";base64"),
      quote: quote)
    if !types.contains(found.type) {
      guard let known = self.type(of: decoded(found, in: text, most: 16)) else { return nil }
      found.type = known
    }
    var end = comma + 1
    while end < text.count, let length = letter(at: end, in: text, found)?.length { end += length }
    found.range = start..<end
    return found
  }

  private static func type(of bytes: [UInt8]?) -> String? {
    beginnings.first { bytes?.dropFirst($0.offset).starts(with: $0.bytes) ?? false }?.type
  }

  private static func letter(at index: Int, in text: [UInt8], _ found: Found) -> (letter: UInt8?, length: Int)? {
    found.isBase64
      ? letter(at: index, in: text, isQuoted: found.quote != nil) : byte(at: index, in: text, quote: found.quote)
  }

  /// A byte of an address without base64 (RFC 3986, 2), as XML and JSON escape it.
  private static func byte(at index: Int, in text: [UInt8], quote: String?) -> (letter: UInt8?, length: Int)? {
    let rest = text[index...].prefix(6)
    if let quote, rest.starts(with: quote.utf8) { return nil }
    switch text[index] {
    case UInt8(ascii: "%"):
      let code = rest.dropFirst().prefix(2)
      guard code.count == 2, code.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
      return UInt8(String(decoding: code, as: UTF8.self), radix: 16).map { ($0, 3) }
    case UInt8(ascii: "\\"): return rest.starts(with: "\\/".utf8) ? (UInt8(ascii: "/"), 2) : nil
    case UInt8(ascii: "&"):
      var end = index + 1
      while text[end...].starts(with: "amp;".utf8) { end += 4 }
      let isEnd = ["quot;", "apos;", "lt;", "gt;", "#"].contains { text[end...].starts(with: $0.utf8) }
      return isEnd ? nil : (UInt8(ascii: "&"), end - index)
    // After one of several in a `srcset`.
    case UInt8(ascii: ","): return rest.dropFirst().first.map { $0 > 0x20 } ?? false ? (text[index], 1) : nil
    case 0x09, 0x0A, 0x0D: return (nil, 1)
    case UInt8(ascii: "'"): return quote == nil ? nil : (text[index], 1)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      return (text[index], 1)
    case let byte: return "-._~!*():@$/?+=;".utf8.contains(byte) ? (byte, 1) : nil
    }
  }

  /// A letter of base64 or space within it, as XML, JSON and addresses escape it.
  private static func letter(at index: Int, in text: [UInt8], isQuoted: Bool) -> (letter: UInt8?, length: Int)? {
    switch text[index] {
    case 0x20, 0x09: return isQuoted && !isDescriptor(text[index...]) ? (nil, 1) : nil
    // The letters of addresses (RFC 4648, 5).
    case UInt8(ascii: "-"): return isQuoted ? (UInt8(ascii: "+"), 1) : nil
    case UInt8(ascii: "_"): return isQuoted ? (UInt8(ascii: "/"), 1) : nil
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      return (text[index], 1)
    case UInt8(ascii: "="), 0x0A, 0x0D: return (nil, 1)
    case UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "%"):
      let rest = text[index...].prefix(6)
      return escapes.first { rest.starts(with: $0.written.utf8) }.map { ($0.letter, $0.written.utf8.count) }
    default: return nil
    }
  }

  /// Whether what follows is the width or density of a picture in a `srcset` (HTML, 4.8.4.2).
  private static func isDescriptor(_ text: ArraySlice<UInt8>) -> Bool {
    let word = text.drop { $0 == 0x20 || $0 == 0x09 }.prefix(8)
    let unit = word.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") }
    guard unit.count < word.count, let first = unit.first, "xw".utf8.contains(first) else { return false }
    return unit.dropFirst().first.map { ", \"'&\\".utf8.contains($0) } ?? true
  }

  private static let escapes: [(written: String, letter: UInt8?)] = [
    ("\\/", UInt8(ascii: "/")), ("\\n", nil), ("\\r", nil), ("\\t", nil), ("&#43;", UInt8(ascii: "+")),
    ("&#x2B;", UInt8(ascii: "+")),
    ("&#47;", UInt8(ascii: "/")), ("&#x2F;", UInt8(ascii: "/")), ("&#61;", nil), ("&#x3D;", nil), ("&#9;", nil),
    ("&#10;", nil),
    ("&#13;", nil), ("%2B", UInt8(ascii: "+")), ("%2F", UInt8(ascii: "/")), ("%3D", nil), ("%0A", nil), ("%0D", nil),
  ]

  /// The bytes of an address, or the first of them.
  private static func decoded(_ found: Found, in text: [UInt8], most: Int = .max) -> [UInt8]? {
    var letters: [UInt8] = []
    letters.reserveCapacity(found.range.count + 3)
    var index = found.letters
    while index < text.count, letters.count < most, let (code, length) = letter(at: index, in: text, found) {
      if let code { letters.append(code) }
      index += length
    }
    guard found.isBase64 else { return letters }
    letters += Array(repeating: UInt8(ascii: "="), count: (4 - letters.count % 4) % 4)
    return Data(base64Encoded: Data(letters)).map { Array($0) }
  }

  private static func address(of bytes: [UInt8], _ type: String) -> String {
    "\(mark)\(type)\(digest)\(base64URL(Digest.sha256(bytes))),"
  }
}
