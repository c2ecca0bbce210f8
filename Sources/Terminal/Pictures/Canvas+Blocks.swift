extension Canvas {
  /// Reads a picture of coloured characters.
  ///
  /// Returns nil if the bytes are not just lines of narrow characters and colours, or do not fit into the cells.
  public init?(blocks bytes: [UInt8], columns: Int, rows: Int) {
    self.init(columns: columns, rows: rows)
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var (row, column, brush) = (0, 0, BlockBrush())
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\u{1B}":
        guard rest.popFirst() == "[", let end = rest.firstIndex(of: "m") else { return nil }
        guard brush.apply(rest[..<end]) else { return nil }
        rest = rest[rest.index(after: end)...]
      case "\n": (row, column) = (row + 1, 0)
      default:
        let character = Character(scalar)
        guard row < rows, column < columns, TextWidth.of(character) == 1 else { return nil }
        put(SafeText(unchecked: String(character)), row: row, column: column, style: brush.style)
        column += 1
      }
    }
  }
}

/// The current colours while a picture is read (SGR).
private struct BlockBrush {
  private var foreground = CellStyle.Paint.own
  private var background = CellStyle.Paint.own
  private var isReversed = false

  var style: CellStyle {
    let isPlain = foreground == .own && background == .own
    return CellStyle(isPlain ? .plain : .paint(foreground, on: background), isReversed: isReversed)
  }

  /// Applies the numbers of a sequence. Returns whether all of them are known.
  mutating func apply(_ body: Substring.UnicodeScalarView) -> Bool {
    let fields = body.split(separator: ";", omittingEmptySubsequences: false).map { field in
      field.isEmpty ? 0 : UInt8(Substring(field))
    }
    guard fields.count <= 32 else { return false }
    var numbers = fields.compactMap(\.self)[...]
    guard numbers.count == fields.count else { return false }
    while let number = numbers.popFirst() {
      guard apply(number, &numbers) else { return false }
    }
    return true
  }

  private mutating func apply(_ number: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
    switch number {
    case 0: self = BlockBrush()
    case 7: isReversed = true
    case 27: isReversed = false
    case 39: foreground = .own
    case 49: background = .own
    case 30...37: foreground = .few(number - 30)
    case 40...47: background = .few(number - 40)
    case 90...97: foreground = .few(number - 82)
    case 100...107: background = .few(number - 92)
    case 38, 48:
      guard let paint = Self.colour(&rest) else { return false }
      if number == 38 { foreground = paint } else { background = paint }
    default: return false
    }
    return true
  }

  private static func colour(_ rest: inout ArraySlice<UInt8>) -> CellStyle.Paint? {
    switch rest.popFirst() {
    case 5: return rest.popFirst().map { .many($0) }
    case 2:
      guard rest.count >= 3 else { return nil }
      defer { rest = rest.dropFirst(3) }
      return .rgb(rest[rest.startIndex], rest[rest.startIndex + 1], rest[rest.startIndex + 2])
    default: return nil
    }
  }
}
