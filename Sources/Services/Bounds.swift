import FoundationEssentials
import HTTP
import Posts

/// Limits on untrusted text: its length, its characters, or nil.
enum Bounds {
  /// The most bytes of a caption, as HTML or as text.
  static let caption = 1 << 20
  /// The most bytes of an alt text or a content warning.
  static let block = 64 << 10
  /// The most bytes of a name.
  static let line = 512
  /// The most bytes of a URL or an identity.
  static let address = 4096
  /// The most bytes of a server's own id.
  static let id = 256
  /// The most bytes of a page. Forty posts take a few hundred thousand.
  static let page = 8 << 20
  /// The most bytes of a feed's document. Podcasts list years of episodes in one.
  static let document = 64 << 20
  /// The most bytes of an item of a feed as it is kept. Some hold their pictures.
  static let item = 8 << 20
  /// The most items that are kept from a feed's document.
  static let entries = 20_000
  /// The most items of a feed's document that are read to find the newest among them.
  static let candidates = 50_000
  /// The most posts of a page. Servers may send more than requested, but not without limit.
  static let posts = 1000
  /// The most bytes of a post as the server writes it. Its caption may occur twice, escaped.
  static let post = 2 << 20
  /// The most attachments of a post, far above what any server lets people post, and above what a page of a blog shows.
  static let attachments = 1000
  /// The most answers that a poll offers.
  static let options = 100
  /// The most tags of a post.
  static let tags = 1000

  /// Text of several lines, trimmed, without control characters except line breaks and tabs. Returns nil if nothing is
  /// left.
  static func block(_ text: String?, bytes: Int = Bounds.block) -> String? {
    guard let text = text.map({ cut($0, bytes: bytes) }) else { return nil }
    let clean = isClean(text) ? text : String(text.unicodeScalars.filter { !isControl($0) || $0 == "\n" || $0 == "\t" })
    let scalars = clean.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return nil }
    let isTrimmed = first == scalars.startIndex && scalars.index(after: last) == scalars.endIndex
    return isTrimmed ? clean : String(scalars[first...last])
  }

  /// The text without zero bytes, at which databases and C end a text.
  static func verbatim(_ text: String, bytes: Int) -> String {
    let text = cut(text, bytes: bytes)
    return text.holdsNUL ? String(text.unicodeScalars.filter { $0 != "\0" }) : text
  }

  /// Text of one line, trimmed. Each run of white space and control characters becomes a space. Returns nil if nothing
  /// is left.
  static func line(_ text: String?, bytes: Int = Bounds.line) -> String? {
    guard let text = text.map({ cut($0, bytes: bytes) }) else { return nil }
    if word(text, bytes: bytes) != nil { return text }
    let words = text.unicodeScalars.split(whereSeparator: isBlank)
    return words.isEmpty ? nil : words.map { String($0) }.joined(separator: " ")
  }

  /// A server's reason, made fit for our sentences: a short line of visible characters, without the queries of addresses,
  /// which may hold keys.
  static func reason(_ text: String) -> String {
    let visible = String(text.unicodeScalars.filter { $0.properties.generalCategory != .format })
    return line(visible, bytes: 200)?.withoutQueries ?? "no reason given"
  }

  /// A word of visible characters without white space. Returns nil for anything else, because a word must not be
  /// altered.
  static func word(_ text: String?, bytes: Int) -> String? {
    guard let text, !text.isEmpty, text.utf8.count <= bytes else { return nil }
    if text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) { return text }
    let isWord = !text.unicodeScalars.contains(where: isBlank)
    return isWord ? text : nil
  }

  /// A licence: an address, or a line of words. What is too long is none: a part would name another one.
  static func license(_ text: String?) -> License? {
    guard let text, text.utf8.count <= 500 else { return nil }
    return line(text).map(License.init)
  }

  /// An identity: a URI with any scheme (RFC 3986, 3.1), unchanged.
  static func identity(_ text: String?) -> String? {
    guard let text = word(text, bytes: address), let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      return nil
    }
    let scheme = text.utf8[..<colon]
    let isScheme =
      scheme.first.map(isLetter) == true && scheme.allSatisfy { isLetter($0) || "0123456789+-.".utf8.contains($0) }
    return isScheme ? text : nil
  }

  /// An http or https URL with a host and without user or password, its unusual characters percent-encoded. Returns nil
  /// for anything else.
  static func webAddress(_ text: String?) -> String? {
    guard let text, text.utf8.count <= address else { return nil }
    if isWebAddress(text) { return text }
    let trimmed = text.trimmingWhiteSpace
    guard !trimmed.unicodeScalars.contains(where: isControl), var parts = URLComponents(webAddress: trimmed) else {
      return nil
    }
    parts.scheme = parts.scheme?.lowercased()
    return parts.string.flatMap { isWebAddress($0) ? $0 : nil }
  }

  /// The address that the parameter `url` of a proxy's address names, such as `/proxy/image.webp?url=…`. Returns nil if its path
  /// does not end with one of these endings.
  static func original(of address: String, behindAnyOf endings: [String]) -> String? {
    let path = path(of: address).prefix { $0 != UInt8(ascii: "?") }
    guard endings.contains(where: { path.suffix($0.utf8.count).elementsEqual($0.utf8) }),
      let original = webAddress(Request.parameter("url", of: address)), original != address
    else { return nil }
    return original
  }

  /// A width or height in pixels; nil if no picture has it.
  static func pixels(_ number: Double?) -> Int? {
    number.flatMap { (1...1_000_000).contains($0) ? Int($0) : nil }
  }

  /// A blurhash (https://blurha.sh): at least six characters of base 83, at most nine by nine components.
  static func blurhash(_ text: String?) -> String? {
    guard let text, (6...166).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
      return nil
    }
    return text
  }

  /// A post's text, and below it the options of its poll, in order. Votes are counters, and are left out.
  static func caption(_ text: String, options: [String]) -> String {
    guard !options.isEmpty else { return cut(text, bytes: caption) }
    let answers = options.compactMap { line($0) }.map { "○ \($0)" }.joined(separator: "\n")
    let parts = [text, answers].filter { !$0.isEmpty }
    return cut(parts.joined(separator: "\n\n"), bytes: caption)
  }

  /// The part after the host of a URL that `webAddress` accepted.
  static func path(of address: String) -> Substring.UTF8View {
    address.utf8.dropFirst("https://".utf8.count).drop { !isEndOfHost($0) }
  }

  /// The text cut to this number of bytes, never inside a character's code.
  static func cut(_ text: String, bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: bytes)
    while end > text.startIndex, text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
    return String(text[..<end])
  }

  /// Whether a text has no control characters except line breaks and tabs.
  private static func isClean(_ text: String) -> Bool {
    withBytes(of: text) { bytes in
      var isAfterC2 = false
      for byte in bytes {
        // Controls from U+0080 on take two bytes, the first of which is C2.
        if byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F || isAfterC2 && byte < 0xA0 { return false }
        isAfterC2 = byte == 0xC2
      }
      return true
    }
  }

  private static func withBytes<Value>(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    var text = text
    return text.withUTF8(body)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
  }

  /// A control character or white space.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    // All ASCII white space except the space is a control character.
    isControl(scalar) || (scalar.isASCII ? scalar == " " : scalar.properties.isWhitespace)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isWebAddress(_ text: String) -> Bool {
    withBytes(of: text) { bytes in
      guard let scheme = ["https://", "http://"].first(where: { bytes.starts(with: $0.utf8) }) else { return false }
      let rest = bytes.dropFirst(scheme.utf8.count)
      let end = rest.firstIndex { isEndOfHost($0) } ?? rest.endIndex
      return end > rest.startIndex && rest.first != UInt8(ascii: ":") && rest[..<end].allSatisfy(isInHost)
        && rest[end...].allSatisfy(isInPath)
    }
  }

  private static func isEndOfHost(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  /// Letters, digits and what stands in names, addresses and ports.
  private static func isInHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: isLetter(byte)
    }
  }

  /// Characters allowed unencoded in a URL, and a few that servers leave unencoded.
  private static func isInPath(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
      UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      false
    default: (0x21..<0x7F).contains(byte)
    }
  }
}

extension Post {
  /// Whether it has as many files or tags, or as long a text, as is kept of a post: in all likelihood a part is left out.
  package var isAtBounds: Bool {
    attachments.count >= Bounds.attachments || tags.count >= Bounds.tags
      || caption.utf8.count + 256 > Bounds.caption
  }
}
