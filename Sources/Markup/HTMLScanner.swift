// Reads HTML as a run of texts and tags, after the rules of https://html.spec.whatwg.org/#tokenization, and builds no
// tree: a tree's cost depends on what strangers nest and repeat (one tag with a megabyte of attributes keeps a
// tree-building parser busy for a minute), a scan's on the length alone.

/// Is told what a scan meets, in order.
protocol HTMLReader {
  /// A character of text, its reference resolved.
  mutating func text(_ scalar: Unicode.Scalar)
  /// UTF-8 bytes of text that hold no reference.
  mutating func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>)
  /// A start tag, and its alternative text, references unresolved.
  mutating func open(_ tag: HTMLTag, alt: Slice<UnsafeBufferPointer<UInt8>>?)
  /// An end tag.
  mutating func close(_ tag: HTMLTag)
}

/// One pass over the bytes of an HTML fragment.
struct HTMLScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let isAttribute: Bool
  private var place = 0

  /// Reads all of `bytes`, which is UTF-8. In an attribute's value `<` begins no tag.
  static func scan(
    _ bytes: UnsafeBufferPointer<UInt8>,
    isAttribute: Bool = false,
    into reader: inout some HTMLReader
  ) {
    var scanner = HTMLScanner(bytes: bytes, isAttribute: isAttribute)
    while scanner.place < bytes.count { scanner.step(into: &reader) }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, isAttribute: Bool) {
    self.bytes = bytes
    self.isAttribute = isAttribute
  }

  private mutating func step(into reader: inout some HTMLReader) {
    let start = place
    while let byte = peek(), byte != UInt8(ascii: "&"), isAttribute || byte != UInt8(ascii: "<") { place += 1 }
    if place > start { reader.text(bytes[start..<place]) }
    switch peek() {
    case UInt8(ascii: "&"): reference(into: &reader)
    case UInt8(ascii: "<"): markup(into: &reader)
    default: break
    }
  }

  private mutating func reference(into reader: inout some HTMLReader) {
    if let (scalar, length) = CharacterReference.read(bytes[place...]) {
      place += length
      reader.text(scalar)
    } else {
      place += 1
      reader.text("&")
    }
  }

  private mutating func markup(into reader: inout some HTMLReader) {
    switch peek(1) {
    case let byte? where byte.isLetter:
      place += 1
      openTag(into: &reader)
    case UInt8(ascii: "/") where peek(2)?.isLetter == true:
      place += 2
      let tag = HTMLTag(name())
      if attributes().closed { reader.close(tag) }
    case UInt8(ascii: "!") where peek(2) == UInt8(ascii: "-") && peek(3) == UInt8(ascii: "-"):
      comment()
    case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "/"):
      skip(through: UInt8(ascii: ">"))
    default:
      place += 1
      reader.text("<")
    }
  }

  private mutating func openTag(into reader: inout some HTMLReader) {
    let name = name()
    let tag = HTMLTag(name)
    let (closed, alt) = attributes()
    // A tag that never ends is no tag.
    guard closed else { return }
    if tag == .hidden { skipHidden(name) } else { reader.open(tag, alt: alt) }
  }

  /// The bytes up to white space, `/` or `>`.
  private mutating func name() -> Slice<UnsafeBufferPointer<UInt8>> {
    let start = place
    while let byte = peek(), !byte.isSpace, byte != UInt8(ascii: "/"), byte != UInt8(ascii: ">") { place += 1 }
    return bytes[start..<place]
  }

  /// Goes past the tag's `>`, quoted ones left out; says whether there was one, and the value of `alt`.
  private mutating func attributes() -> (closed: Bool, alt: Slice<UnsafeBufferPointer<UInt8>>?) {
    var alt: Slice<UnsafeBufferPointer<UInt8>>?
    while let byte = peek() {
      place += 1
      if byte == UInt8(ascii: ">") { return (true, alt) }
      if byte.isSpace || byte == UInt8(ascii: "/") { continue }
      let start = place - 1
      while let next = peek(), !next.isSpace, next != UInt8(ascii: "/"), next != UInt8(ascii: ">"),
        next != UInt8(ascii: "=")
      { place += 1 }
      let name = bytes[start..<place]
      if let value = value(), alt == nil, name.equals("alt") { alt = value }
    }
    return (false, nil)
  }

  /// What follows an attribute's name, where `=` does.
  private mutating func value() -> Slice<UnsafeBufferPointer<UInt8>>? {
    while peek()?.isSpace == true { place += 1 }
    guard peek() == UInt8(ascii: "=") else { return nil }
    place += 1
    while peek()?.isSpace == true { place += 1 }
    if let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      place += 1
      let start = place
      skip(through: quote)
      return bytes[start..<max(start, place - 1)]
    }
    let start = place
    while let byte = peek(), !byte.isSpace, byte != UInt8(ascii: ">") { place += 1 }
    return bytes[start..<place]
  }

  private mutating func comment() {
    place += 2
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: ">"), bytes[place - 1] == UInt8(ascii: "-"),
        bytes[place - 2] == UInt8(ascii: "-")
      {
        place += 1
        return
      }
      place += 1
    }
  }

  /// Past the end tag of an element whose text nobody reads; to the very end where there is none.
  private mutating func skipHidden(_ name: Slice<UnsafeBufferPointer<UInt8>>) {
    while place < bytes.count {
      skip(through: UInt8(ascii: "<"))
      guard peek() == UInt8(ascii: "/") else { continue }
      place += 1
      if self.name().equals(name) { return skip(through: UInt8(ascii: ">")) }
    }
  }

  private mutating func skip(through byte: UInt8) {
    while let next = peek() {
      place += 1
      if next == byte { return }
    }
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    place + offset < bytes.count ? bytes[place + offset] : nil
  }
}
