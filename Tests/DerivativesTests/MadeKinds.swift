/// Pictures of kinds that no encoder here writes.
extension Made {
  /// A PNG with an orientation, in a chunk of Exif data.
  static func png(_ width: Int, _ height: Int, orientation: UInt8) throws -> [UInt8] {
    let plain = try png(width, height)
    return plain[..<33] + chunk("eXIf", exif(orientation, isLittle: false)) + plain[33...]
  }

  /// A WebP with an orientation, in its extended form.
  static func webp(_ width: Int, _ height: Int, orientation: UInt8) throws -> [UInt8] {
    let exif = Array("Exif\0\0".utf8) + exif(orientation, isLittle: true)
    let header = Array("VP8X".utf8) + little(10, 4) + little(8, 4) + little(width - 1, 3) + little(height - 1, 3)
    let chunks = try header + webp(width, height)[12...] + "EXIF".utf8 + little(exif.count, 4) + exif
    return Array("RIFF".utf8) + little(chunks.count + 4, 4) + "WEBP".utf8 + chunks
  }

  /// An animated WebP of two frames with an orientation.
  static func animatedWebP(_ width: Int, _ height: Int, orientation: UInt8) throws -> [UInt8] {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + little(content.count, 4) + content + [UInt8](repeating: 0, count: content.count % 2)
    }
    let size = little(width - 1, 3) + little(height - 1, 3)
    let frame = try chunk("ANMF", little(0, 6) + size + little(100, 3) + [0] + webp(width, height)[12...])
    let chunks =
      chunk("VP8X", little(2 | 8, 4) + size) + chunk("ANIM", little(0, 6)) + frame + frame
      + chunk("EXIF", exif(orientation, isLittle: true))
    return Array("RIFF".utf8) + little(chunks.count + 4, 4) + "WEBP".utf8 + chunks
  }

  /// An uncompressed TIFF.
  static func tiff(_ width: Int, _ height: Int, orientation: UInt8) -> [UInt8] {
    let pixels = quarters(width, height).flatMap { pixel in (0..<3).map { UInt8(truncatingIfNeeded: pixel >> ($0 * 8)) }
    }
    let bits = 8 + 2 + 10 * 12 + 4
    let fields = [
      (256, width), (257, height), (258, bits), (259, 1), (262, 2), (273, bits + 6), (274, Int(orientation)), (277, 3),
      (278, height), (279, pixels.count),
    ]
    let directory = fields.flatMap { tag, value in
      little(tag, 2) + little(tag == 279 || tag == 273 ? 4 : 3, 2) + little(tag == 258 ? 3 : 1, 4) + little(value, 4)
    }
    return Array("II*\0".utf8) + little(8, 4) + little(fields.count, 2) + directory + little(0, 4)
      + [8, 0, 8, 0, 8, 0] + pixels
  }

  static func bitmap(_ width: Int, _ height: Int) -> [UInt8] {
    let body = bitmapHeader(width, height) + bottomUp(width, height)
    return Array("BM".utf8) + little(body.count + 14, 4) + little(0, 4) + little(54, 4) + body
  }

  /// An icon of one picture: its rows, and a mask that hides none.
  static func icon(_ width: Int, _ height: Int) -> [UInt8] {
    let mask = [UInt8](repeating: 0, count: (width + 31) / 32 * 4 * height)
    let body = bitmapHeader(width, 2 * height) + bottomUp(width, height) + mask
    let entry =
      [UInt8(width), UInt8(height), 0, 0] + little(1, 2) + little(32, 2) + little(body.count, 4) + little(22, 4)
    return [0, 0, 1, 0, 1, 0] + entry + body
  }

  private static func bitmapHeader(_ width: Int, _ height: Int) -> [UInt8] {
    little(40, 4) + little(width, 4) + little(height, 4) + little(1, 2) + little(32, 2)
      + [UInt8](repeating: 0, count: 24)
  }

  private static func bottomUp(_ width: Int, _ height: Int) -> [UInt8] {
    let pixels = quarters(width, height)
    return (0..<height).reversed().flatMap { row in
      // Blue, green, red, alpha.
      pixels[row * width..<(row + 1) * width].flatMap { pixel in
        [16, 8, 0, 24].map { UInt8(truncatingIfNeeded: pixel >> UInt32($0)) }
      }
    }
  }

  /// A chunk of a PNG.
  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    let sum = body.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    func number(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) } }
    return number(UInt32(content.count)) + body + number(~sum)
  }

  /// Exif data with an orientation (tag 0x0112).
  private static func exif(_ orientation: UInt8, isLittle: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      isLittle ? little(value, count) : little(value, count).reversed()
    }
    let entry = number(0x0112, 2) + number(3, 2) + number(1, 4) + number(Int(orientation), 2) + number(0, 2)
    return Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(1, 2) + entry + number(0, 4)
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
