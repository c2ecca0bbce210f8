/// A start tag and its attributes.
public struct StartTag: Equatable, Sendable {
  /// The element's name, in lower case.
  public var name: String
  /// The attributes. Names are in lower case, references are decoded. Of several with one name, the first counts.
  public var attributes: [String: String]
  /// The names of attributes whose values are longer than any that is kept.
  public var leftOut: Set<String> = []

  /// Creates a start tag with its attributes.
  public init(name: String, attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  /// An attribute's value without surrounding white space; nil if it is missing or blank.
  public subscript(name: String) -> String? {
    guard let value = attributes[name] else { return nil }
    let trimmed = value.drop { $0.isWhitespace }
    let end = trimmed.lastIndex { !$0.isWhitespace }
    return end.map { String(trimmed[...$0]) }
  }
}

/// Finds start tags in untrusted HTML: pictures in a text, links in a page's head.
///
/// The work is linear in the length, whatever the HTML contains. Comments and the contents of scripts and styles are
/// skipped.
public enum StartTags {
  /// The maximum number of bytes of a page that are read.
  public static let longest = 4 << 20
  /// The maximum number of attributes kept per tag, and the maximum bytes of each value.
  static let bounds = (attributes: 32, value: 8 << 10)

  /// Returns the first `most` tags with these names, in order.
  ///
  /// - Parameter names: element names in lower case.
  public static func find(_ names: Set<String>, in html: [UInt8], most: Int) -> [StartTag] {
    html.prefix(longest).withUnsafeBufferPointer { bytes in
      var found: [StartTag] = []
      var finder = Finder(bytes: bytes, names: names)
      while found.count < most, let tag = finder.next() { found.append(tag) }
      return found
    }
  }

  /// Calls `body` with each start tag with one of these names, in order, however long the document is.
  ///
  /// - Parameter names: element names in lower case.
  public static func each(_ names: Set<String>, in document: [UInt8], _ body: (StartTag) -> Void) {
    document.withUnsafeBufferPointer { bytes in
      var finder = Finder(bytes: bytes, names: names)
      while let tag = finder.next() { body(tag) }
    }
  }
}

/// One pass over the bytes of a page.
private struct Finder {
  let bytes: UnsafeBufferPointer<UInt8>
  let names: Set<String>
  var index = 0

  /// Elements in which `<` begins no tag except their end tag.
  private static let opaque: Set<String> = ["script", "style", "textarea", "title", "noembed", "noframes", "xmp"]
  private static let longestName = 16

  mutating func next() -> StartTag? {
    while skip(to: UInt8(ascii: "<")) {
      index += 1
      if begins("!--") {
        comment()
      } else if peek?.isLetter == true, let tag = tag(), names.contains(tag.name) {
        return tag
      }
    }
    return nil
  }

  private mutating func tag() -> StartTag? {
    let raw = readBytes { !$0.isSpace && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
    let name = raw.count <= Self.longestName ? String(decoding: raw.map(\.lowercased), as: UTF8.self) : ""
    var tag = StartTag(name: name, attributes: [:])
    guard attributes(of: &tag) else { return nil }
    if Self.opaque.contains(name) { skipText(of: name) }
    return tag
  }

  /// Reads to the tag's `>`. Returns false if there is none.
  private mutating func attributes(of tag: inout StartTag) -> Bool {
    let isWanted = names.contains(tag.name)
    while let byte = peek {
      if byte == UInt8(ascii: ">") {
        index += 1
        return true
      }
      if byte.isSpace || byte == UInt8(ascii: "/") {
        index += 1
        continue
      }
      let start = index
      index += 1
      _ = readBytes { !$0.isSpace && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "=") }
      let name = bytes[start..<index]
      let value = value()
      guard isWanted, tag.attributes.count < StartTags.bounds.attributes, name.count <= 64 else { continue }
      let key = String(decoding: name.map(\.lowercased), as: UTF8.self)
      guard tag.attributes[key] == nil else { continue }
      if value.count <= StartTags.bounds.value {
        tag.attributes[key] = Self.text(value)
      } else if tag.leftOut.count < StartTags.bounds.attributes {
        tag.leftOut.insert(key)
      }
    }
    return false
  }

  private mutating func value() -> Slice<UnsafeBufferPointer<UInt8>> {
    _ = readBytes(\.isSpace)
    guard peek == UInt8(ascii: "=") else { return bytes[index..<index] }
    index += 1
    _ = readBytes(\.isSpace)
    guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return readBytes { !$0.isSpace && $0 != UInt8(ascii: ">") }
    }
    index += 1
    let value = readBytes { $0 != quote }
    index = min(index + 1, bytes.count)
    return value
  }

  private static func text(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    var out: [UInt8] = []
    var index = value.startIndex
    while index < value.endIndex {
      if value[index] == UInt8(ascii: "&"), let (scalar, length) = CharacterReference.read(value[index...]) {
        out += Array(String(scalar).utf8)
        index += length
      } else {
        out.append(value[index])
        index += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private mutating func comment() {
    index += 3
    while skip(to: UInt8(ascii: ">")) {
      index += 1
      if bytes[index - 2] == UInt8(ascii: "-"), bytes[index - 3] == UInt8(ascii: "-") { return }
    }
  }

  private mutating func skipText(of name: String) {
    while skip(to: UInt8(ascii: "<")) {
      index += 1
      if begins("/"), bytes[(index + 1)...].prefix(name.utf8.count).equals(Array(name.utf8)) { return }
    }
  }

  private func begins(_ text: StaticString) -> Bool { bytes[index...].prefix(text.utf8CodeUnitCount).equals(text) }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Skips to the next such byte. Returns whether there is one.
  private mutating func skip(to byte: UInt8) -> Bool {
    while let next = peek, next != byte { index += 1 }
    return peek != nil
  }

  private mutating func readBytes(_ matches: (UInt8) -> Bool) -> Slice<UnsafeBufferPointer<UInt8>> {
    let start = index
    while let byte = peek, matches(byte) { index += 1 }
    return bytes[start..<index]
  }
}
