/// The chunks of a PNG (W3C PNG, 5.3).
enum PNG {
  /// Whether the end chunk is there; bytes after it are harmless.
  static func ends<Failure>(length: Int, read: (Int, Int) throws(Failure) -> [UInt8]) throws(Failure) -> Bool {
    if length >= 20, try read(length - 8, 4).has("IEND", at: 0) { return true }
    var place = 8
    for _ in 0..<100_000 where place < length {
      let chunk = try read(place, 8)
      guard let count = chunk.bigEndian(4, at: 0) else { return false }
      place += 12 + count
      if chunk.has("IEND", at: 4) { return place <= length }
    }
    return false
  }
}
