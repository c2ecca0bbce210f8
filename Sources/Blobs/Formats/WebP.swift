/// The first chunk of a WebP (RFC 9649).
enum WebP {
  /// Where Exif data are that may say that the picture is turned. An animation has them behind thousands of frames: there they
  /// are looked for from the end, because of a file at a service each chunk costs a request.
  static func exif<Failure>(
    _ head: [UInt8], length: Int, read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Range<Int>? {
    guard head.has("VP8X", at: 12), head.count > 20 else { return nil }
    if head[20] & 2 == 0 { return try RIFF.chunk("EXIF", length: length, read: read) }
    let start = max(12, length - (64 << 10))
    guard start < length else { return nil }
    let tail = try read(start, length - start)
    for name in tail.indices.reversed() where tail[name] == UInt8(ascii: "E") && tail.has("EXIF", at: name) {
      guard let count = tail.littleEndian(4, at: name + 4) else { continue }
      let end = name + 8 + count + count % 2
      // A frame's pixels may look like a name, but do not end where the file does.
      if end >= tail.count ? end - tail.count <= 1 : tail.has("XMP ", at: end) {
        return start + name + 8..<start + name + 8 + count
      }
    }
    return nil
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
