/// The chunks of a PNG (W3C PNG, 5.3).
enum PNG {
  /// Whether the end chunk is there. Bytes after it are harmless.
  static func ends<Failure>(length: Int, read: (Int, Int) throws(Failure) -> [UInt8]) throws(Failure) -> Bool {
    if length >= 20, try read(length - 8, 4).has("IEND", at: 0) { return true }
    guard let end = try chunk("IEND", length: length, read: read) else { return false }
    return end.upperBound + 4 <= length
  }

  /// Where the data of the first chunk of a kind is. It may extend beyond the end of the file.
  static func chunk<Failure>(
    _ kind: String, length: Int, read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Range<Int>? {
    try chunks(kind, most: 1, length: length, read: read).first
  }

  /// Where the Exif data are: before the pixels, or at the very end. Of a file at a service, each chunk costs a request.
  static func exif<Failure>(length: Int, read: (Int, Int) throws(Failure) -> [UInt8]) throws(Failure) -> Range<Int>? {
    var offset = 8
    for _ in 0..<1000 where offset < length {
      let head = try read(offset, 8)
      guard let count = head.bigEndian(4, at: 0) else { return nil }
      if head.has("eXIf", at: 4) { return offset + 8..<offset + 8 + count }
      if head.has("IDAT", at: 4) { break }
      offset += 12 + count
    }
    let start = max(offset, length - 4096)
    guard start < length else { return nil }
    let tail = try read(start, length - start)
    guard
      let name = tail.indices.dropFirst(4).first(where: { tail[$0] == UInt8(ascii: "e") && tail.has("eXIf", at: $0) }),
      let count = tail.bigEndian(4, at: name - 4)
    else { return nil }
    return start + name + 4..<start + name + 4 + count
  }

  /// Where the data of the chunks of a kind are, the first `most` of them. The last may extend beyond the end of the file.
  static func chunks<Failure>(
    _ kind: String, most: Int, length: Int, read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var offset = 8
    for _ in 0..<100_000 where offset < length {
      let head = try read(offset, 8)
      guard let count = head.bigEndian(4, at: 0) else { break }
      if head.has(kind, at: 4) { found.append(offset + 8..<offset + 8 + count) }
      if found.count == most { break }
      offset += 12 + count
    }
    return found
  }
}
