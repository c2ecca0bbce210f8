/// The first chunk of a WebP (RFC 9649).
enum WebP {
  /// Whether Exif data may say that the picture is turned. An animation has them behind thousands of frames.
  static func mayBeTurned(_ head: [UInt8]) -> Bool {
    head.has("VP8X", at: 12) && head.count > 20 && head[20] & 2 == 0
  }

  /// The canvas size, of the lossy, the lossless or the extended format.
  static func size(_ head: [UInt8]) -> MediaHeader.Size? {
    if head.has("VP8X", at: 12), let width = head.littleEndian(3, at: 24), let height = head.littleEndian(3, at: 27) {
      return .init(width: width + 1, height: height + 1)
    }
    if head.has("VP8L", at: 12), head.count > 24, head[20] == 0x2F, let bits = head.littleEndian(4, at: 21) {
      return .init(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }
    guard head.has("VP8 ", at: 12), head.has("\u{9D}\u{01}\u{2A}", at: 23),
      let width = head.littleEndian(2, at: 26), let height = head.littleEndian(2, at: 28)
    else { return nil }
    return .init(width: width & 0x3FFF, height: height & 0x3FFF)
  }
}
