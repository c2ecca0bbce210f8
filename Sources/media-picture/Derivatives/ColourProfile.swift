import FoundationEssentials

/// An ICC profile of a picture. Without it, the vivid colours of many cameras look dull.
struct ColourProfile {
  /// Larger profiles contain tables, and are larger than many derivatives.
  private static let mostBytes = 8 << 10

  private let bytes: [UInt8]

  /// Nil if the text is no profile of RGB pixels, or one that says nothing: pixels without a profile are sRGB.
  init?(base64 text: String) {
    guard text.utf8.count < 2 * Self.mostBytes, let data = Data(base64Encoded: text) else { return nil }
    let bytes = Array(data)
    // ICC.1:2022, 7.2: the header has 128 bytes, the colour space at 16 and the signature at 36.
    guard (129...Self.mostBytes).contains(bytes.count), bytes[16..<20].elementsEqual("RGB ".utf8),
      bytes[36..<40].elementsEqual("acsp".utf8)
    else { return nil }
    // Version 2 describes a profile in ASCII, version 4 in UTF-16.
    guard !bytes.contains(Array("sRGB".utf8)), !bytes.contains(Array("s\0R\0G\0B".utf8)) else { return nil }
    self.bytes = bytes
  }

  /// A WebP file with this profile (RFC 9649, 2.7); nil if the bytes are none.
  func embedded(in file: [UInt8], width: Int, height: Int) -> [UInt8]? {
    guard file.count > 30 else { return nil }
    let isExtended = file[12..<16].elementsEqual("VP8X".utf8)
    var header = isExtended ? Array(file[12..<30]) : Self.header(width: width, height: height)
    header[8] |= 0x20
    let padding = [UInt8](repeating: 0, count: bytes.count % 2)
    let chunks = header + "ICCP".utf8 + Self.number(bytes.count, 4) + bytes + padding + file[(isExtended ? 30 : 12)...]
    return Array("RIFF".utf8) + Self.number(chunks.count + 4, 4) + "WEBP".utf8 + chunks
  }

  private static func header(width: Int, height: Int) -> [UInt8] {
    Array("VP8X".utf8) + number(10, 4) + number(0, 4) + number(width - 1, 3) + number(height - 1, 3)
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
