import Glibc

/// The segments of a JPEG (ITU-T T.81, annex B).
struct JPEGParts: PictureParts {
  private static let (exif, xmp) = (Array("Exif\0\0".utf8), Array("http://ns.adobe.com/xap/1.0/\0".utf8))

  private var stays: [Piece] = []
  private(set) var leavesOut = false
  private(set) var hasOnlyOwnMetadata = true

  init(_ bytes: UnsafeRawBufferPointer) throws(Refusal) {
    var offset = 2
    while let marker = Self.marker(bytes, at: &offset) {
      if marker == 0xD9 {
        stays.append(.new([0xFF, 0xD9]))
        if offset < bytes.count { (leavesOut, hasOnlyOwnMetadata) = (true, false) }
        return
      }
      guard offset + 2 <= bytes.count else { break }
      let length = Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
      guard length >= 2, offset + length <= bytes.count else { break }
      let content = offset + 2..<offset + length
      keep(marker, offset - 2..<content.upperBound, UnsafeRawBufferPointer(rebasing: bytes[content]))
      offset = content.upperBound
      guard marker == 0xDA else { continue }
      let start = offset
      Self.skipScan(bytes, &offset)
      stays.append(.source(start..<offset))
    }
    throw Refusal("the picture is damaged: its end is missing")
  }

  func pieces(with metadata: KeptMetadata) throws(Refusal) -> [Piece] {
    // JFIF wants its segment first, EXIF wants its own first: readers take both orders, and writers write this one.
    let head: [Piece] = [.new([0xFF, 0xD8])]
    let isFirst = if case .new(let first) = stays.first { first.starts(with: [0xFF, 0xE0]) } else { false }
    let (first, rest) = isFirst ? (stays.prefix(1), stays.dropFirst(1)) : ([], stays[...])
    let own = [Self.segment(Self.exif, metadata.exif), Self.segment(Self.xmp, metadata.xmp)]
    return head + first + own.filter { !$0.isEmpty }.map { .new($0) } + rest
  }

  /// Decides what becomes of a segment.
  private mutating func keep(_ marker: UInt8, _ segment: Range<Int>, _ content: UnsafeRawBufferPointer) {
    switch marker {
    case 0xC0...0xCF, 0xDA...0xDF: stays.append(.source(segment))
    // Without the thumbnail that may follow.
    case 0xE0 where content.starts(with: "JFIF\0".utf8) && content.count >= 14:
      stays.append(.new([0xFF, 0xE0, 0, 16] + content.prefix(12) + [0, 0]))
      if content.count > 14 || content[12] != 0 || content[13] != 0 { (leavesOut, hasOnlyOwnMetadata) = (true, false) }
    case 0xE2 where content.starts(with: "ICC_PROFILE\0".utf8): stays.append(.source(segment))
    // The transformation of colours.
    case 0xEE where content.starts(with: "Adobe".utf8) && content.count == 12: stays.append(.source(segment))
    case 0xEE where content.starts(with: "Adobe".utf8) && content.count > 12:
      stays.append(.new([0xFF, 0xEE, 0, 14] + content.prefix(12)))
      (leavesOut, hasOnlyOwnMetadata) = (true, false)
    default:
      leavesOut = true
      let isOwn = marker == 0xE1 && (content.starts(with: Self.exif) || content.starts(with: Self.xmp))
      if !isOwn { hasOnlyOwnMetadata = false }
    }
  }

  /// Reads a marker, and leaves the offset behind it.
  private static func marker(_ bytes: UnsafeRawBufferPointer, at offset: inout Int) -> UInt8? {
    guard offset < bytes.count, bytes[offset] == 0xFF else { return nil }
    // Fill bytes may stand before any marker.
    while offset < bytes.count, bytes[offset] == 0xFF { offset += 1 }
    guard offset < bytes.count else { return nil }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Leaves the offset at the marker that ends a scan.
  private static func skipScan(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) {
    guard let start = bytes.baseAddress else { return }
    while let found = memchr(start + offset, 0xFF, bytes.count - offset) {
      offset = start.distance(to: UnsafeRawPointer(found))
      guard offset + 1 < bytes.count else { break }
      // A zero follows a byte of data of this value; markers of restarts belong to the scan.
      let next = bytes[offset + 1]
      guard next == 0 || next == 0xFF || (0xD0...0xD7).contains(next) else { return }
      offset += 1
    }
    offset = bytes.count
  }

  private static func segment(_ name: [UInt8], _ content: [UInt8]) -> [UInt8] {
    guard !content.isEmpty else { return [] }
    let length = name.count + content.count + 2
    return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + name + content
  }
}
