/// Finds the signs to drop, and the pictures.
struct MarkdownReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0
  /// The parts of the text that go.
  private var dropped: [Range<Int>] = []
  /// How many of the open brackets are those of pictures.
  private var openPictures = 0
  /// As many bytes of a picture's text as are read.
  private static let longestAlt = 16 << 10
  /// Where brackets opened.
  private var brackets: [Range<Int>] = []
  /// Where marks wait for their other half.
  private var open: [String: Range<Int>] = [:]
  /// Where code began; nil outside of code.
  private var code: Range<Int>?
  private(set) var pictures: [Markdown.Picture] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func read() {
    while offset < bytes.count {
      startLine()
      while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { readSign() }
      code = nil
      offset += 1
    }
  }

  /// The text without what was dropped. Where pictures stood, one blank line is enough.
  var plain: [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var start = 0
    let ranges = dropped.sorted { $0.lowerBound < $1.lowerBound } + [bytes.count..<bytes.count]
    for range in ranges where range.lowerBound >= start {
      for byte in bytes[start..<range.lowerBound] {
        if byte == UInt8(ascii: "\n"), plain.suffix(2).elementsEqual("\n\n".utf8) { continue }
        plain.append(byte)
      }
      start = range.upperBound
    }
    return plain
  }

  // MARK: Lines

  private mutating func startLine() {
    let start = offset
    while offset < bytes.count, bytes[offset] == UInt8(ascii: " ") { offset += 1 }
    if has("```") || has("~~~") {
      skipBlock(from: start)
    } else if has(":::") {
      let words = [":::", " ", "spoiler", " "]
      for word in words where has(word) { offset += word.utf8.count }
      dropped.append(start..<offset)
    } else if has("#") {
      let mark = offset
      while offset < bytes.count, offset - mark < 6, bytes[offset] == UInt8(ascii: "#") { offset += 1 }
      if has(" ") { dropped.append(start..<offset + 1) } else { offset = mark + 1 }
    } else if has("\n") {
      // A paragraph ends here, and with it what was never closed.
      open.removeAll()
      brackets.removeAll()
    }
  }

  /// Passes over a block of code. Its fences go.
  private mutating func skipBlock(from start: Int) {
    let fence = String(decoding: bytes[offset..<offset + 3], as: UTF8.self)
    offset = endOfLine(offset)
    dropped.append(start..<offset)
    while offset < bytes.count {
      let line = offset
      let end = endOfLine(offset)
      while offset < end, bytes[offset] == UInt8(ascii: " ") { offset += 1 }
      let isEnd = has(fence)
      offset = end
      if isEnd {
        dropped.append(line..<end)
        // The line break is left to whoever reads the line.
        if end > line, bytes[end - 1] == UInt8(ascii: "\n") { offset = end - 1 }
        return
      }
    }
  }

  /// The offset behind the line's break.
  private func endOfLine(_ start: Int) -> Int {
    bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
  }

  // MARK: Signs

  private mutating func readSign() {
    let byte = bytes[offset]
    if code != nil, byte != UInt8(ascii: "`") {
      offset += 1
      return
    }
    switch byte {
    case UInt8(ascii: "`"): markCode()
    case UInt8(ascii: "\\"): escape()
    case UInt8(ascii: "["):
      let isPicture = offset > 0 && bytes[offset - 1] == UInt8(ascii: "!") && !isEscaped(offset - 1)
      openPictures += isPicture ? 1 : 0
      brackets.append((isPicture ? offset - 1 : offset)..<offset + 1)
      offset += 1
    case UInt8(ascii: "]"): closeBracket()
    case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"): mark(byte)
    case UInt8(ascii: "<"): showAddress()
    case UInt8(ascii: "h") where has("http://") || has("https://"): skipAddress()
    default: offset += 1
    }
  }

  /// Whether a backslash before a sign was dropped, so that it is a sign of the text.
  private func isEscaped(_ sign: Int) -> Bool {
    sign > 0 && bytes[sign - 1] == UInt8(ascii: "\\") && dropped.last == sign - 1..<sign
  }

  private func has(_ text: String) -> Bool {
    offset + text.utf8.count <= bytes.count && bytes[offset..<offset + text.utf8.count].elementsEqual(text.utf8)
  }

  private mutating func markCode() {
    let start = offset
    while offset < bytes.count, bytes[offset] == UInt8(ascii: "`") { offset += 1 }
    if let begun = code {
      dropped += [begun, start..<offset]
      code = nil
    } else {
      code = start..<offset
    }
  }

  /// A backslash before a sign goes, and the sign stays.
  private mutating func escape() {
    let next = offset + 1 < bytes.count ? bytes[offset + 1] : 0
    let isSign = (0x21..<0x7F).contains(next) && !Self.isInWord(next)
    if isSign { dropped.append(offset..<offset + 1) }
    offset += isSign ? 2 : 1
  }

  /// Ends a picture, or the text of a link, behind which the address goes.
  private mutating func closeBracket() {
    let close = offset
    offset += 1
    guard let sign = brackets.popLast() else { return }
    let isPicture = sign.count == 2
    openPictures -= isPicture ? 1 : 0
    guard let (address, end) = target(from: offset) else { return }
    if isPicture {
      dropped.append(sign.lowerBound..<end)
      // What stands in the text of another picture is no picture: each would have the texts of all within.
      if openPictures == 0, pictures.count < Bounds.attachments {
        let alt = String(
          decoding: bytes[sign.upperBound..<min(close, sign.upperBound + Self.longestAlt)], as: UTF8.self)
        pictures.append(Markdown.Picture(address: address, alt: alt))
      }
    } else {
      dropped += [sign, close..<end]
    }
    offset = end
  }

  /// The address in `(https://… "title")`, and where that ends; nil if there is none. A bracket ends the search, so that no
  /// part is read twice.
  private func target(from start: Int) -> (address: String, end: Int)? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "(") else { return nil }
    var depth = 0
    var address = start + 1..<start + 1
    var isWhole = false
    for offset in start..<bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "\n"), UInt8(ascii: "["), UInt8(ascii: "]"): return nil
      case UInt8(ascii: " "), UInt8(ascii: "\t"): isWhole = isWhole || !address.isEmpty
      case UInt8(ascii: "(") where !isWhole: depth += 1
      case UInt8(ascii: ")") where !isWhole && depth > 1: depth -= 1
      case UInt8(ascii: ")"):
        return (String(decoding: bytes[address].filter { !Self.isAngle($0) }, as: UTF8.self), offset + 1)
      default: break
      }
      if !isWhole, offset > start { address = address.lowerBound..<offset + 1 }
    }
    return nil
  }

  /// A pair of marks goes. Those within a word stay, unless they are stars.
  private mutating func mark(_ byte: UInt8) {
    let start = offset
    while offset < bytes.count, bytes[offset] == byte { offset += 1 }
    let isStrike = byte == UInt8(ascii: "~")
    let count = offset - start
    guard isStrike ? count == 2 : count <= 3 else { return }
    let before = start > 0 ? bytes[start - 1] : 0x20
    let after = offset < bytes.count ? bytes[offset] : 0x20
    let isOfWords = byte == UInt8(ascii: "_")
    let key = String(decoding: bytes[start..<offset], as: UTF8.self)
    if before > 0x20, !(isOfWords && Self.isInWord(after)), let first = open.removeValue(forKey: key) {
      dropped += [first, start..<offset]
    } else if after > 0x20, !(isOfWords && Self.isInWord(before)) {
      open[key] = start..<offset
    }
  }

  /// `<https://…>`: the angles go.
  private mutating func showAddress() {
    let start = offset
    offset += 1
    guard has("http://") || has("https://") else { return }
    skipAddress()
    guard has(">") else { return }
    dropped += [start..<start + 1, offset..<offset + 1]
    offset += 1
  }

  /// Passes over an address, in which signs mean nothing.
  private mutating func skipAddress() {
    while offset < bytes.count, bytes[offset] > 0x20, !Self.isAngle(bytes[offset]),
      !")]*".utf8.contains(bytes[offset])
    {
      offset += 1
    }
  }

  private static func isAngle(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") }

  /// A letter or a digit, of any language.
  private static func isInWord(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte >= 0x80
  }
}
