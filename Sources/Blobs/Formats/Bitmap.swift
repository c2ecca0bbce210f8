/// The headers of a BMP: the file's (14 bytes), then the picture's, which begins with its own length.
enum Bitmap {
  /// The length of the first kind of header, which has sizes of 16 bits (OS/2 1.x).
  private static let oldHeader = 12

  /// Two letters begin many texts, too, so the length of the second header has to be one.
  static func isBitmap(_ head: [UInt8]) -> Bool {
    guard head.has("BM", at: 0), let header = head.littleEndian(4, at: 14) else { return false }
    return (oldHeader...1024).contains(header)
  }

  /// The size. The number of rows is negative if they are ordered from the top.
  static func size(_ head: [UInt8]) -> MediaHeader.Size? {
    let isOld = head.littleEndian(4, at: 14) == oldHeader
    return isOld
      ? head.size(2, 18, 20) { $0.littleEndian($1, at: $2) }
      : head.size(4, 18, 22) { bytes, width, offset in
        bytes.littleEndian(width, at: offset).map { abs(Int(Int32(truncatingIfNeeded: $0))) }
      }
  }
}
