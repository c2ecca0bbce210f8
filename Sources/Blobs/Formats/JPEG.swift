/// The segments of a JPEG (ITU-T T.81, annex B), up to the first scan.
enum JPEG {
  /// Returns the size from the frame header, where the Exif data are, and the offset at which the first scan's header ends.
  ///
  /// Colour profiles and Exif can put megabytes before the frame. Each segment costs one small read.
  static func scan<Failure>(
    length: Int,
    read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> (size: MediaHeader.Size?, exif: Range<Int>?, end: Int?) {
    var offset = 2
    var size: MediaHeader.Size?
    var exif: Range<Int>?
    for _ in 0..<4096 where offset < length {
      let bytes = try read(offset, 16)
      guard bytes.first == 0xFF else { break }
      guard bytes.count > 1, bytes[1] != 0xFF else {
        offset += 1  // fill bytes may stand before any marker
        continue
      }
      let marker = bytes[1]
      if marker == 0x01 || (0xD0...0xD8).contains(marker) {
        offset += 2
        continue
      }
      guard let count = bytes.bigEndian(2, at: 2), count >= 2 else { break }
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker),
        let height = bytes.bigEndian(2, at: 5), let width = bytes.bigEndian(2, at: 7)
      {
        size = .init(width: width, height: height)
      }
      if marker == 0xE1, exif == nil, bytes.has("Exif\0\0", at: 4) { exif = offset + 4..<offset + 2 + max(count, 2) }
      offset += 2 + count
      if marker == 0xDA { return (size, exif, offset) }
    }
    return (size, exif, nil)
  }

  /// Whether the end marker follows the scan. Bytes after it are common (motion photos, padding) and harmless. An end
  /// marker before the scan belongs to a thumbnail.
  static func ends<Failure>(
    after scan: Int?,
    length: Int,
    read: (Int, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Bool {
    guard let scan, scan < length else { return false }
    if length - scan >= 2, try read(length - 2, 2) == [0xFF, 0xD9] { return true }
    var offset = scan
    while offset < length {
      let bytes = try read(offset, 64 << 10)
      let found = bytes.withUnsafeBufferPointer { bytes in
        zip(bytes, bytes.dropFirst()).contains { $0 == 0xFF && $1 == 0xD9 }
      }
      if found { return true }
      offset += max(bytes.count - 1, 1)
    }
    return false
  }
}
