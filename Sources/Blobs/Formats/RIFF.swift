/// The container of WebP and WAV (RFC 9649, 2.3): an identifier, a length, a form type.
enum RIFF {
  /// Whether the length extends beyond the end of the file. Recorders that cannot go back to write the length leave it
  /// at its maximum.
  static func isCutShort(_ head: [UInt8], length: Int) -> Bool {
    guard let count = head.littleEndian(4, at: 4) else { return true }
    return count != 0xFFFF_FFFF && length < count + 8
  }

  /// Where the data of the first chunk of a kind is. It may extend beyond the end of the file.
  static func chunk<Failure>(
    _ kind: String, length: Int, read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Range<Int>? {
    try chunks(kind, most: 1, length: length, read: read).first
  }

  /// Where the data of the chunks of a kind are, the first `most` of them. The last may extend beyond the end of the file.
  static func chunks<Failure>(
    _ kind: String, most: Int, length: Int, read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var offset = 12
    for _ in 0..<10_000 where offset < length {
      let head = try read(offset, 8)
      guard let count = head.littleEndian(4, at: 4) else { break }
      if head.has(kind, at: 0) { found.append(offset + 8..<offset + 8 + count) }
      if found.count == most { break }
      offset += 8 + count + count % 2
    }
    return found
  }
}
