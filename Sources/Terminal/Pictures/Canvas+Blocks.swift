extension Canvas {
  /// A picture of coloured characters as a canvas; nil where the bytes are anything else than lines of narrow characters
  /// and colours, or more of them than there are cells.
  public init?(blocks bytes: [UInt8], columns: Int, rows: Int) {
    self.init(columns: columns, rows: rows)
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var (row, column, brush) = (0, 0, BlockBrush())
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\u{1B}":
        guard rest.popFirst() == "[", let end = rest.firstIndex(of: "m") else { return nil }
        guard brush.take(rest[..<end]) else { return nil }
        rest = rest[rest.index(after: end)...]
      case "\n": (row, column) = (row + 1, 0)
      default:
        let character = Character(scalar)
        guard row < rows, column < columns, TextWidth.of(character) == 1 else { return nil }
        put(Inert(asIs: String(character)), row: row, column: column, ink: brush.ink)
        column += 1
      }
    }
  }
}

/// The colours that are set while a picture is read (SGR).
private struct BlockBrush {
  private var shape = Ink.Paint.own
  private var ground = Ink.Paint.own
  private var isReversed = false

  var ink: Ink {
    let isPlain = shape == .own && ground == .own
    return Ink(isPlain ? .plain : .paint(shape, on: ground), isReversed: isReversed)
  }

  /// Takes the numbers of a sequence; whether all of them are known.
  mutating func take(_ body: Substring.UnicodeScalarView) -> Bool {
    let words = body.split(separator: ";", omittingEmptySubsequences: false).map { word in
      word.isEmpty ? 0 : UInt8(Substring(word))
    }
    guard words.count <= 32 else { return false }
    var numbers = words.compactMap(\.self)[...]
    guard numbers.count == words.count else { return false }
    while let number = numbers.popFirst() {
      guard take(number, &numbers) else { return false }
    }
    return true
  }

  private mutating func take(_ number: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
    switch number {
    case 0: self = BlockBrush()
    case 7: isReversed = true
    case 27: isReversed = false
    case 39: shape = .own
    case 49: ground = .own
    case 30...37: shape = .few(number - 30)
    case 40...47: ground = .few(number - 40)
    case 90...97: shape = .few(number - 82)
    case 100...107: ground = .few(number - 92)
    case 38, 48:
      guard let paint = Self.colour(&rest) else { return false }
      if number == 38 { shape = paint } else { ground = paint }
    default: return false
    }
    return true
  }

  private static func colour(_ rest: inout ArraySlice<UInt8>) -> Ink.Paint? {
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
