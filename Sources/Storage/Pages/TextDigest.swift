import Rows

/// Detects a changed byte in texts by FNV-1a: no single byte can change and leave the digest the same. It protects
/// against disk errors, not against people.
struct TextDigest {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The digest of texts in their order. A missing text differs from an empty one.
  static func of(_ texts: [String?]) -> Int64 {
    var digest = TextDigest()
    for text in texts { digest.add(text) }
    return Int64(bitPattern: digest.state)
  }

  /// The digest of a row with a post's texts.
  static func of(_ row: some RowReading) throws -> Int64 {
    try of([row["title"], row["caption"], row["caption_html"], row["warning"]])
  }

  private mutating func add(_ text: String?) {
    if var text {
      text.withUTF8 { for byte in $0 { add(byte) } }
    } else {
      add(0xFE)
    }
    // UTF-8 contains neither byte.
    add(0xFF)
  }

  private mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
