/// A number of texts by which a byte that changed is found: FNV-1a, where no single byte can change and leave it the same.
/// It guards against disks, not against people.
struct TextDigest {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The digest of texts in their order; one that is missing is another than an empty one.
  static func of(_ texts: [String?]) -> Int64 {
    var digest = TextDigest()
    for text in texts { digest.add(text) }
    return Int64(bitPattern: digest.state)
  }

  private mutating func add(_ text: String?) {
    if var text {
      text.withUTF8 { for byte in $0 { add(byte) } }
    } else {
      add(0xFE)
    }
    // Neither stands in a text.
    add(0xFF)
  }

  private mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
