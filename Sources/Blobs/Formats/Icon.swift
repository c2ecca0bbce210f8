/// The directory of an icon or a cursor of Windows: a header of 6 bytes, then 16 for each picture.
enum Icon {
  static func isIcon(_ head: [UInt8]) -> Bool {
    guard head.has("\0\0\u{1}\0", at: 0) || head.has("\0\0\u{2}\0", at: 0), let first = picture(0, in: head) else {
      return false
    }
    let count = count(head)
    return (1...256).contains(count) && first.lowerBound >= 6 + 16 * count && !first.isEmpty
  }

  /// Whether a picture extends beyond the end of the file.
  static func isCutShort(_ head: [UInt8], length: Int) -> Bool {
    (0..<count(head)).contains { picture($0, in: head).map { $0.upperBound > length } ?? false }
  }

  private static func count(_ head: [UInt8]) -> Int { head.littleEndian(2, at: 4) ?? 0 }

  /// Where a picture's bytes are; nil beyond the end of the directory.
  private static func picture(_ number: Int, in head: [UInt8]) -> Range<Int>? {
    let entry = 6 + 16 * number
    guard let count = head.littleEndian(4, at: entry + 8), let start = head.littleEndian(4, at: entry + 12) else {
      return nil
    }
    return start..<start + count
  }
}
