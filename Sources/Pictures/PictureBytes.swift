import Terminal

/// Verifies that the output of the drawing program is only a picture. A decoder that a hostile picture took over must not
/// send commands to the terminal.
struct PictureBytes {
  private var rest: ArraySlice<UInt8>

  private static let escape: UInt8 = 0x1B
  private static let end: [UInt8] = [0x1B, UInt8(ascii: "\\")]

  /// Whether bytes are only a picture in a format.
  static func isPicture(_ bytes: [UInt8], _ format: PictureFormat) -> Bool {
    var reader = PictureBytes(rest: bytes[...])
    switch format {
    case .kitty: return reader.isKitty()
    case .sixel: return reader.isSixel()
    case .iterm: return reader.isITerm()
    case .blocks: return reader.isBlocks()
    }
  }

  /// Accepts commands of kitty's graphics protocol that contain pixels and name no file.
  private mutating func isKitty() -> Bool {
    while !rest.isEmpty {
      guard skip("\u{1B}_G") else { return false }
      let keys = consume {
        $0 != UInt8(ascii: ";") && Self.isWord($0) || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "=")
      }
      // Other transmission media make the terminal open files.
      guard !String(decoding: keys, as: UTF8.self).split(separator: ",").contains(where: Self.isForeign) else {
        return false
      }
      if skip(";") { _ = consume(Self.isBase64) }
      guard skip(Self.end) else { return false }
    }
    return true
  }

  private static func isForeign(_ key: Substring) -> Bool {
    key.hasPrefix("t=") && key != "t=d" || key.hasPrefix("a=") && key != "a=T"
  }

  private mutating func isSixel() -> Bool {
    guard skip("\u{1B}P") else { return false }
    _ = consume { (0x30...0x3B).contains($0) }
    guard skip("q") else { return false }
    _ = consume { (0x21...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D }
    return skip(Self.end) && rest.isEmpty
  }

  private mutating func isITerm() -> Bool {
    guard skip("\u{1B}]1337;File=inline=1;") else { return false }
    _ = consume { Self.isWord($0) || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "=") }
    guard skip(":") else { return false }
    _ = consume(Self.isBase64)
    return skip([0x07]) && rest.isEmpty
  }

  /// Accepts text and colours.
  private mutating func isBlocks() -> Bool {
    while !rest.isEmpty {
      let text = consume { $0 != Self.escape }
      guard let string = String(validating: text, as: UTF8.self), SafeText(string, keepingLines: true).text == string
      else { return false }
      if rest.isEmpty { return true }
      guard skip("\u{1B}[") else { return false }
      _ = consume { (0x30...0x3B).contains($0) }
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

  private mutating func consume(_ isAccepted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let prefix = rest.prefix(while: isAccepted)
    rest = rest[prefix.endIndex...]
    return prefix
  }
}
