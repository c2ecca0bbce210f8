import Terminal

/// Holds what comes from the drawing program to what a picture is made of: a decoder that a picture took over must not
/// reach the terminal, where bytes are commands.
struct PictureBytes {
  private var rest: ArraySlice<UInt8>

  private static let escape: UInt8 = 0x1B
  private static let end: [UInt8] = [0x1B, UInt8(ascii: "\\")]

  /// Whether bytes are nothing but a picture in that format.
  static func isPicture(_ bytes: [UInt8], _ format: PictureFormat) -> Bool {
    var reading = PictureBytes(rest: bytes[...])
    switch format {
    case .kitty: return reading.isKitty()
    case .sixel: return reading.isSixel()
    case .iterm: return reading.isITerm()
    case .blocks: return reading.isBlocks()
    }
  }

  /// Commands of kitty's graphics protocol that carry pixels and name no file.
  private mutating func isKitty() -> Bool {
    while !rest.isEmpty {
      guard skip("\u{1B}_G") else { return false }
      let keys = take {
        $0 != UInt8(ascii: ";") && Self.isWord($0) || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "=")
      }
      // Another medium than the bytes themselves makes the terminal open files.
      guard !String(decoding: keys, as: UTF8.self).split(separator: ",").contains(where: Self.isForeign) else {
        return false
      }
      if skip(";") { _ = take(Self.isBase64) }
      guard skip(Self.end) else { return false }
    }
    return true
  }

  private static func isForeign(_ key: Substring) -> Bool {
    key.hasPrefix("t=") && key != "t=d" || key.hasPrefix("a=") && key != "a=T"
  }

  private mutating func isSixel() -> Bool {
    guard skip("\u{1B}P") else { return false }
    _ = take { (0x30...0x3B).contains($0) }
    guard skip("q") else { return false }
    _ = take { (0x21...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D }
    return skip(Self.end) && rest.isEmpty
  }

  private mutating func isITerm() -> Bool {
    guard skip("\u{1B}]1337;File=inline=1;") else { return false }
    _ = take { Self.isWord($0) || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "=") }
    guard skip(":") else { return false }
    _ = take(Self.isBase64)
    return skip([0x07]) && rest.isEmpty
  }

  /// Text and colours.
  private mutating func isBlocks() -> Bool {
    while !rest.isEmpty {
      let text = take { $0 != Self.escape }
      guard let words = String(validating: text, as: UTF8.self), Inert(words, keepingLines: true).text == words
      else { return false }
      if rest.isEmpty { return true }
      guard skip("\u{1B}[") else { return false }
      _ = take { (0x30...0x3B).contains($0) }
      guard skip("m") else { return false }
    }
    return true
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39: true
    default: false
    }
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    isWord(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
  }

  private mutating func skip(_ text: String) -> Bool { skip(Array(text.utf8)) }

  private mutating func skip(_ bytes: [UInt8]) -> Bool {
    guard rest.starts(with: bytes) else { return false }
    rest = rest.dropFirst(bytes.count)
    return true
  }

  private mutating func take(_ isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let taken = rest.prefix(while: isWanted)
    rest = rest[taken.endIndex...]
    return taken
  }
}
