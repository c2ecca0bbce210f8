/// Writes the texts and tags of a scan as plain text.
struct CaptionWriter {
  private var out: [UInt8] = []
  /// Whether to keep line breaks in the text, as in text without HTML.
  private let keepsLines: Bool
  /// Whether to keep runs of spaces and tabs.
  private let keepsSpaces: Bool
  /// Line breaks to write before the next character. They are never written at the start or the end of the text.
  private var breaks = 0
  private var hasPendingSpace = false
  /// Spaces and tabs to write before the next character, if runs are kept.
  private var run: [UInt8] = []
  /// Whether a line break began the next line. If a block did, white space around it is ignored.
  private var isAfterBreak = false
  /// The next line's prefix: `- `, or a list item's number.
  private var marker: String?
  /// The open lists: nil for bullets, or else the number of the last item.
  private var lists: [Int?] = []
  private var quotes = 0
  private var preformatted = 0
  /// The quote depth of the line before the pending breaks.
  private var quotesOfLine = 0

  // Deeper nesting looks the same, and the output must not outgrow the input.
  private static let deepest = 8

  /// A writer of a text of about `capacity` bytes.
  init(keepsLines: Bool, keepsSpaces: Bool, capacity: Int) {
    self.keepsLines = keepsLines
    self.keepsSpaces = keepsSpaces
    out.reserveCapacity(capacity)
  }

  /// The text written so far.
  var text: String {
    let end = out.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? 0
    return String(decoding: out[..<end], as: UTF8.self)
  }
}

extension CaptionWriter: HTMLReader {
  mutating func text(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0xA0: printSpace()
    case 0x09, 0x0A, 0x0C, 0x0D, 0x20: space(UInt8(scalar.value))
    case ..<0x20, 0x7F..<0xA0: break
    default: write(UTF8.encode(scalar)!)
    }
  }

  mutating func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    var start = bytes.startIndex
    var index = start
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte > 0x20, byte != 0x7F, byte != 0xC2 {
        index += 1
        continue
      }
      write(bytes[start..<index])
      index += handleOther(bytes[index...])
      start = index
    }
    write(bytes[start..<index])
  }

  mutating func open(_ tag: HTMLTag, alt: Slice<UnsafeBufferPointer<UInt8>>?) {
    switch tag {
    case .lineBreak: breakLine()
    case .quote:
      end(lines: 2)
      quotes += 1
    case .bulletList, .numberedList:
      end(lines: lists.isEmpty ? 2 : 1)
      if lists.count < CaptionWriter.deepest { lists.append(tag == .numberedList ? 0 : nil) }
    case .item: beginItem()
    case .preformatted:
      end(lines: 2)
      preformatted += 1
    case .image:
      if let alt { HTMLScanner.scan(UnsafeBufferPointer(rebasing: alt), isAttribute: true, into: &self) }
    default: boundary(tag)
    }
  }

  mutating func close(_ tag: HTMLTag) {
    switch tag {
    case .quote:
      end(lines: 2)
      quotes = max(0, quotes - 1)
    case .bulletList, .numberedList:
      _ = lists.popLast()
      end(lines: lists.isEmpty ? 2 : 1)
    case .item:
      marker = nil
      end(lines: 1)
    case .preformatted:
      end(lines: 2)
      preformatted = max(0, preformatted - 1)
    default: boundary(tag)
    }
  }
}

extension CaptionWriter {
  /// Handles the start or the end of a paragraph, block or cell.
  private mutating func boundary(_ tag: HTMLTag) {
    switch tag {
    case .paragraph: end(lines: lists.isEmpty ? 2 : 1)
    case .block: end(lines: 1)
    case .cell: hasPendingSpace = true
    default: break
    }
  }

  /// Ends the line. The next text begins a new one, after `lines - 1` blank lines.
  private mutating func end(lines: Int) {
    // There is no line to end between an item's marker and its text.
    if marker == nil { breaks = max(breaks, lines) }
    forgetSpaces()
    isAfterBreak = false
  }

  private mutating func breakLine() {
    breaks += 1
    forgetSpaces()
    isAfterBreak = true
  }

  private mutating func forgetSpaces() {
    hasPendingSpace = false
    run.removeAll(keepingCapacity: true)
  }

  private mutating func beginItem() {
    marker = nil
    end(lines: 1)
    guard let last = lists.indices.last else { return marker = "- " }
    lists[last] = lists[last].map { $0 + 1 }
    marker = String(repeating: "  ", count: last) + (lists[last].map { "\($0). " } ?? "- ")
  }

  /// Handles one white space, control or no-break character at the front. Returns its length.
  private mutating func handleOther(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    guard let byte = bytes.first, byte == 0xC2 else {
      if let byte = bytes.first, byte.isSpace { space(byte) }
      return 1
    }
    guard let second = bytes.dropFirst().first else { return 1 }
    if second == 0xA0 { printSpace() } else if second > 0xA0 { write(bytes.prefix(2)) }
    return 2
  }

  private mutating func space(_ byte: UInt8) {
    if byte == 0x0A, keepsLines || preformatted > 0 {
      breakLine()
    } else if preformatted > 0 {
      printSpace()
    } else if keepsSpaces, byte == 0x20 || byte == 0x09 {
      if !hasPendingSpace { run.append(byte) }
    } else {
      forgetSpaces()
      hasPendingSpace = true
    }
  }

  /// Writes a space that does not collapse, unless it would begin the text or a line.
  private mutating func printSpace() {
    if keepsSpaces, preformatted == 0 {
      run.append(0x20)
    } else if out.isEmpty || (breaks > 0 && preformatted == 0) {
      hasPendingSpace = false
    } else {
      write(CollectionOfOne(0x20))
    }
  }

  private mutating func write(_ bytes: some Collection<UInt8>) {
    guard !bytes.isEmpty else { return }
    if breaks > 0 || out.isEmpty {
      let isIndented = isAfterBreak && !out.isEmpty
      beginLine()
      if isIndented { out.append(contentsOf: run) }
    } else if hasPendingSpace {
      out.append(0x20)
    } else {
      out.append(contentsOf: run)
    }
    forgetSpaces()
    isAfterBreak = false
    out.append(contentsOf: bytes)
  }

  private mutating func beginLine() {
    let isFirst = out.isEmpty
    let depth = min(quotes, CaptionWriter.deepest)
    for index in 0..<breaks where !out.isEmpty {
      if index > 0 { out.append(contentsOf: repeatElement(UInt8(ascii: ">"), count: min(depth, quotesOfLine))) }
      out.append(0x0A)
    }
    breaks = 0
    quotesOfLine = depth
    out.append(contentsOf: repeatElement(UInt8(ascii: ">"), count: depth))
    if depth > 0 { out.append(0x20) }
    // A nested list at the start of the text is not indented.
    if let marker { out.append(contentsOf: marker.utf8.drop { isFirst && $0 == 0x20 }) }
    marker = nil
  }
}
