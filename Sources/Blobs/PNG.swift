/// The chunks of a PNG (W3C PNG, 5.3).
enum PNG {
  /// Whether the end chunk is there. Bytes after it are harmless.
  static func ends<Failure>(length: Int, read: (Int, Int) throws(Failure) -> [UInt8]) throws(Failure) -> Bool {
    if length >= 20, try read(length - 8, 4).has("IEND", at: 0) { return true }
    var offset = 8
    for _ in 0..<100_000 where offset < length {
      let chunk = try read(offset, 8)
      guard let count = chunk.bigEndian(4, at: 0) else { return false }
      offset += 12 + count
      if chunk.has("IEND", at: 4) { return offset <= length }
    }
    return false
  }
}
