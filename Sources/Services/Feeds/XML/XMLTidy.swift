/// Prepares untrusted XML for the parser, in one pass over its UTF-8.
///
/// It drops what no feed needs, so that the parser never sees it: the document type with all its entities, the
/// declaration, comments, processing instructions, control characters. It repairs what feeds often get wrong: an `&`
/// that begins no reference, and HTML's references, which XML does not know. It also locates the items, so that each
/// can be kept as received.
struct XMLTidy {
  /// The tidied document without its items. While an item is being read, its tidied part is at the end.
  var bytes: [UInt8] = []
  /// The byte ranges of the items (`item`, `entry`) in the document as received, in order.
  private(set) var items: [Range<Int>] = []
  /// The name of the first element, in lower case; empty if there is none.
  private(set) var root = ""
  /// Whether the end tag of the first element, or of RSS's channel, after which nothing follows, was found. A truncated
  /// document lacks them.
  private(set) var isWhole = false
  /// The tidied items, each by itself, so that those of a long document can be released one after another.
  private(set) var tidied: [[UInt8]] = []
  /// The start tags around the first item, and their end tags.
  private(set) var frame: (open: [UInt8], close: [UInt8]) = ([], [])
  /// Why the rest of the document was not read.
  private(set) var fault: String?

  /// Parsers take time quadratic in these.
  private static let mostAttributes = 200
  private static let deepest = XMLReading.deepest
  private static let mostFrames = 8
  private static let longestFrame = 64 << 10
  private static let longestValue = 64 << 10
  /// The longest document of which memory holds all tidied items.
  private static let longestKept = 16 << 20

  /// The document as received, while it is read.
  var source: UnsafeBufferPointer<UInt8>
  var position = 0
  /// The open item: its name as written, its start, the number of open elements with that name, and the number of
  /// elements around it.
  private var open: (name: [UInt8], start: Int, tidied: Int, depth: Int, around: Int)?
  /// The open frames: the name of each and its tidied start tag.
  private var frames: [(name: [UInt8], tag: Range<Int>)] = []
  private let keepsItems: Bool
  private var depth = 0
  private var rootDepth = 0
  private var rootName: [UInt8] = []

  /// Moves a tidied item out. It is empty from then on. The items of a very long document are tidied here, one by one.
  mutating func takeItem(at index: Int, of document: [UInt8]) -> [UInt8] {
    guard keepsItems else {
      var item = XMLTidy.read(Array(document[items[index]]), keepsItems: true)
      return item.tidied.isEmpty ? [] : item.takeItem(at: 0, of: [])
    }
    defer { tidied[index] = [] }
    return tidied[index]
  }

  /// Reads the whole document.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - keepsItems: Whether all tidied items are kept at once; by default, unless the document is very long.
  static func read(_ document: [UInt8], keepsItems: Bool? = nil) -> XMLTidy {
    document.withUnsafeBufferPointer { source in
      var tidy = XMLTidy(source, keepsItems: keepsItems ?? (source.count <= longestKept))
      while tidy.position < source.count, tidy.fault == nil { tidy.step() }
      tidy.source = UnsafeBufferPointer(start: nil, count: 0)
      return tidy
    }
  }

  private init(_ source: UnsafeBufferPointer<UInt8>, keepsItems: Bool) {
    (self.source, self.keepsItems) = (source, keepsItems)
  }

  private mutating func step() {
    switch source[position] {
    case UInt8(ascii: "<"): markup()
    case UInt8(ascii: "&"): reference()
    default: character()
    }
  }

  private mutating func markup() {
    if begins("<![CDATA[") { return verbatim() }
    if begins("<!--") { return skip(past: "-->", from: 4) }
    if begins("<?") { return skip(past: "?>", from: 2) }
    if begins("<!") { return documentType() }
    let next = position + 1 < source.count ? source[position + 1] : 0
    if next == UInt8(ascii: "/") { return endTag() }
    if next.isNameStart { return startTag() }
    bytes += Array("&lt;".utf8)
    position += 1
  }

  // MARK: Tags

  private mutating func startTag() {
    let (start, tidiedStart) = (position, bytes.count)
    let name = nameAhead(1)
    copy(1 + name.count)
    let isEmpty = attributes()
    if !isEmpty { depth += 1 }
    if depth > Self.deepest { fault = "it is nested too deep" }
    if open == nil, !isEmpty, frames.count < Self.mostFrames, Self.isFrame(name) {
      frames.append((Array(name), tidiedStart..<bytes.count))
    }
    if root.isEmpty {
      root = String(decoding: name, as: UTF8.self).lowercased()
      rootName = Array(name)
      isWhole = isEmpty
    }
    if !isEmpty, rootName.elementsEqual(name) { rootDepth += 1 }
    guard let current = open else {
      guard Self.isItem(name) else { return }
      if items.isEmpty { keepFrame() }
      if isEmpty { keep(start, tidiedStart) } else { open = (Array(name), start, tidiedStart, 1, depth - 1) }
      return
    }
    if !isEmpty, current.name.elementsEqual(name) { open?.depth += 1 }
  }

  private mutating func endTag() {
    let name = nameAhead(2)
    while position < source.count, source[position] != UInt8(ascii: ">") { character() }
    if position < source.count { copy(1) }
    depth -= 1
    if open == nil, let last = frames.last, last.name.elementsEqual(name) {
      frames.removeLast()
      if root == "rss", frames.count == 1 { isWhole = true }
    }
    if rootName.elementsEqual(name) {
      rootDepth -= 1
      if rootDepth == 0 { isWhole = true }
    }
    guard let current = open, current.name.elementsEqual(name) else { return }
    open?.depth -= 1
    if current.depth == 1 {
      keep(current.start, current.tidied)
      depth = current.around
      open = nil
    }
  }

  private mutating func keep(_ start: Int, _ tidiedStart: Int) {
    items.append(start..<position)
    tidied.append(keepsItems ? Array(bytes[tidiedStart...]) : [])
    bytes.removeSubrange(tidiedStart...)
  }

  private mutating func keepFrame() {
    frame.open = frames.flatMap { Array(bytes[$0.tag]) }
    if frame.open.count > Self.longestFrame { fault = "its tags are longer than is read" }
    frame.close = frames.reversed().flatMap { Array("</".utf8) + $0.name + Array(">".utf8) }
  }

  /// Copies to the tag's `>`, or to the next tag if that is missing. Returns whether the element is empty.
  private mutating func attributes() -> Bool {
    var count = 0
    var isEmpty = false
    while position < source.count {
      let byte = source[position]
      switch byte {
      case UInt8(ascii: ">"):
        copy(1)
        return isEmpty
      case UInt8(ascii: "<"): return bytes.reversed().drop { $0 <= 0x20 }.starts(with: ">/".utf8)
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        count += 1
        if count > Self.mostAttributes {
          fault = "a tag has more attributes than are read"
          return isEmpty
        }
        quoted(byte)
      default: character()
      }
      isEmpty = byte == UInt8(ascii: "/")
    }
    return isEmpty
  }

  /// Copies a value up to its end, or to where it must have ended: a missing quote must not swallow the items that
  /// follow.
  private mutating func quoted(_ quote: UInt8) {
    copy(1)
    let end = min(source.count, position + (begins("data:") ? Bounds.item : Self.longestValue))
    while position < end, source[position] != quote {
      switch source[position] {
      case UInt8(ascii: "&"): reference()
      case UInt8(ascii: "<") where isTagAhead: return
      case UInt8(ascii: "<"):
        bytes += Array("&lt;".utf8)
        position += 1
      default: character()
      }
    }
    if position < source.count, source[position] == quote { copy(1) }
  }

  private var isTagAhead: Bool {
    let next = position + 1 < source.count ? source[position + 1] : 0
    return next.isNameStart || next == UInt8(ascii: "/") || next == UInt8(ascii: "!")
  }

  private typealias Name = Slice<UnsafeBufferPointer<UInt8>>

  private static func isItem(_ name: Name) -> Bool { isLocal(name, "item") || isLocal(name, "entry") }

  /// The same frames as `XMLReading.frames`.
  private static func isFrame(_ name: Name) -> Bool {
    isLocal(name, "rss") || isLocal(name, "channel") || isLocal(name, "feed") || isLocal(name, "RDF")
  }

  /// Whether this is the name without its prefix.
  private static func isLocal(_ name: Name, _ local: StaticString) -> Bool {
    local.withUTF8Buffer { local in
      guard name.count >= local.count, name.suffix(local.count).elementsEqual(local) else { return false }
      return name.count == local.count || name[name.endIndex - local.count - 1] == UInt8(ascii: ":")
    }
  }

  private func nameAhead(_ offset: Int) -> Name {
    let start = min(position + offset, source.count)
    var end = start
    while end < source.count, end - start < 256, !source[end].endsName { end += 1 }
    return source[start..<end]
  }
}

extension UInt8 {
  fileprivate var isNameStart: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || self == UInt8(ascii: "_") || self >= 0x80
      || self == UInt8(ascii: ":")
  }

  fileprivate var endsName: Bool {
    self <= 0x20 || self == UInt8(ascii: "/") || self == UInt8(ascii: ">") || self == UInt8(ascii: "<")
  }
}
