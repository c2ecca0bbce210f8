// Reads HTML as a sequence of texts and tags by the rules of https://html.spec.whatwg.org/#tokenization. It builds no
// tree: the cost of a tree depends on nesting and repetition that strangers choose (one tag with a megabyte of
// attributes keeps a tree-building parser busy for a minute). A scan's cost depends only on the length.

/// Receives the parts of a scan, in order.
protocol HTMLReader {
  /// A character of text, from a decoded reference.
  mutating func text(_ scalar: Unicode.Scalar)
  /// UTF-8 bytes of text without references.
  mutating func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>)
  /// A start tag and its alternative text, with references not decoded.
  mutating func open(_ tag: HTMLTag, alt: Slice<UnsafeBufferPointer<UInt8>>?)
  /// An end tag.
  mutating func close(_ tag: HTMLTag)
}

/// One pass over the bytes of an HTML fragment.
struct HTMLScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let isAttribute: Bool
  private let options: Caption.Options
  private var index = 0
  /// Whether some fallback of a quotation has no end; looking for the end of each would take time without bounds.
  private var lacksEnd = false

  /// Reads all of `bytes`, which is UTF-8. In an attribute's value, `<` begins no tag.
  static func scan(
    _ bytes: UnsafeBufferPointer<UInt8>,
    isAttribute: Bool = false,
    _ options: Caption.Options = [],
    into reader: inout some HTMLReader
  ) {
    var scanner = HTMLScanner(bytes: bytes, isAttribute: isAttribute, options: options)
    while scanner.index < bytes.count { scanner.step(into: &reader) }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, isAttribute: Bool, options: Caption.Options) {
    self.bytes = bytes
    self.isAttribute = isAttribute
    self.options = options
  }

  private mutating func step(into reader: inout some HTMLReader) {
    let start = index
    while let byte = peek(), byte != UInt8(ascii: "&"), isAttribute || byte != UInt8(ascii: "<") { index += 1 }
    if index > start { reader.text(bytes[start..<index]) }
    switch peek() {
    case UInt8(ascii: "&"): reference(into: &reader)
    case UInt8(ascii: "<"): markup(into: &reader)
    default: break
    }
  }

  private mutating func reference(into reader: inout some HTMLReader) {
    if let (scalar, length) = CharacterReference.read(bytes[index...]) {
      index += length
      reader.text(scalar)
    } else {
      index += 1
      reader.text("&")
    }
  }

  private mutating func markup(into reader: inout some HTMLReader) {
    switch peek(1) {
    case let byte? where byte.isLetter:
      index += 1
      openTag(into: &reader)
    case UInt8(ascii: "/") where peek(2)?.isLetter == true:
      let start = index
      index += 2
      let tag = HTMLTag(name())
      guard attributes().closed else { return }
      if tag == .hidden, options.contains(.showsHidden) { reader.text(bytes[start..<index]) } else { reader.close(tag) }
    case UInt8(ascii: "!") where peek(2) == UInt8(ascii: "-") && peek(3) == UInt8(ascii: "-"):
      comment()
    case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "/"):
      skip(through: UInt8(ascii: ">"))
    default:
      index += 1
      reader.text("<")
    }
  }

  private mutating func openTag(into reader: inout some HTMLReader) {
    let start = index - 1
    let name = name()
    let tag = HTMLTag(name)
    let (closed, alt, isFallback) = attributes()
    // A tag that never ends is not a tag.
    guard closed else { return }
    if isFallback, options.contains(.leavesOutQuoteFallback), skipElement(name) { return }
    switch tag {
    case .hidden where options.contains(.showsHidden): reader.text(bytes[start..<index])
    case .hidden: skipHidden(name)
    default: reader.open(tag, alt: alt)
    }
  }

  /// The bytes up to white space, `/` or `>`.
  private mutating func name() -> Slice<UnsafeBufferPointer<UInt8>> {
    let start = index
    while let byte = peek(), !byte.isSpace, byte != UInt8(ascii: "/"), byte != UInt8(ascii: ">") { index += 1 }
    return bytes[start..<index]
  }

  /// Goes past the tag's `>`, quoted ones left out; says whether there was one, the value of `alt`, and whether the class
  /// is that of what stands in for a quotation.
  private mutating func attributes() -> (closed: Bool, alt: Slice<UnsafeBufferPointer<UInt8>>?, isFallback: Bool) {
    var alt: Slice<UnsafeBufferPointer<UInt8>>?
    var isFallback = false
    while let byte = peek() {
      index += 1
      if byte == UInt8(ascii: ">") { return (true, alt, isFallback) }
      if byte.isSpace || byte == UInt8(ascii: "/") { continue }
      let start = index - 1
      while let next = peek(), !next.isSpace, next != UInt8(ascii: "/"), next != UInt8(ascii: ">"),
        next != UInt8(ascii: "=")
      { index += 1 }
      let name = bytes[start..<index]
      guard let value = value() else { continue }
      if alt == nil, name.equals("alt") { alt = value }
      if name.equals("class"), value.equals("quote-inline") { isFallback = true }
    }
    return (false, nil, false)
  }

  /// The value of an attribute; nil if no `=` follows its name.
  private mutating func value() -> Slice<UnsafeBufferPointer<UInt8>>? {
    while peek()?.isSpace == true { index += 1 }
    guard peek() == UInt8(ascii: "=") else { return nil }
    index += 1
    while peek()?.isSpace == true { index += 1 }
    if let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      index += 1
      let start = index
      skip(through: quote)
      return bytes[start..<max(start, index - 1)]
    }
    let start = index
    while let byte = peek(), !byte.isSpace, byte != UInt8(ascii: ">") { index += 1 }
    return bytes[start..<index]
  }

  private mutating func comment() {
    index += 2
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: ">"), bytes[index - 1] == UInt8(ascii: "-"),
        bytes[index - 2] == UInt8(ascii: "-")
      {
        index += 1
        return
      }
      index += 1
    }
  }

  /// Skips to after the end tag of an element whose text is not shown, or to the end of the text if there is none.
  private mutating func skipHidden(_ name: Slice<UnsafeBufferPointer<UInt8>>) {
    while index < bytes.count {
      skip(through: UInt8(ascii: "<"))
      guard peek() == UInt8(ascii: "/") else { continue }
      index += 1
      if self.name().equals(name) { return skip(through: UInt8(ascii: ">")) }
    }
  }

  /// Past the end tag of an element, those of the same name in it left out; false where it has none.
  private mutating func skipElement(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    if lacksEnd { return false }
    let start = index
    var depth = 1
    while index < bytes.count {
      skip(through: UInt8(ascii: "<"))
      let isEnd = peek() == UInt8(ascii: "/")
      if isEnd { index += 1 }
      guard peek()?.isLetter == true, self.name().equals(name) else { continue }
      _ = attributes()
      depth += isEnd ? -1 : 1
      if depth == 0 { return true }
    }
    index = start
    lacksEnd = true
    return false
  }

  private mutating func skip(through byte: UInt8) {
    while let next = peek() {
      index += 1
      if next == byte { return }
    }
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    index + offset < bytes.count ? bytes[index + offset] : nil
  }
}
