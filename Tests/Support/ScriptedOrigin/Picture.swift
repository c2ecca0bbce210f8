import CCrypto

/// A small picture that decodes, the same bytes for the same number on every run, other bytes for another number.
public struct Picture: Sendable, Equatable {
  /// The file.
  public let bytes: [UInt8]
  /// `image/png` or `image/jpeg`.
  public let mediaType: String
  /// Pixels.
  public let width: Int
  /// Pixels.
  public let height: Int

  /// The picture of a number: mostly PNG, every fifth a JPEG, with `padding` extra bytes.
  public init(_ number: Int, padding: Int = 0) {
    if number % 5 == 4 {
      (width, height, mediaType) = (8, 8, "image/jpeg")
      bytes = Picture.jpeg(number, padding: padding)
    } else {
      (width, height, mediaType) = (4 + number % 7, 3 + number % 4, "image/png")
      bytes = Picture.png(number, width: width, height: height, padding: padding)
    }
  }

  /// `png` or `jpg`.
  public var fileExtension: String { mediaType == "image/png" ? "png" : "jpg" }

  /// The name a blob of these bytes has: lower-case hexadecimal digits.
  public var sha256: String { Picture.sha256(bytes) }

  /// SHA-256 as 64 lower-case hexadecimal digits.
  public static func sha256(_ bytes: [UInt8]) -> String {
    digest(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    crypto_shim_sha256(bytes, bytes.count, &digest)
    return digest
  }
}

extension Picture {
  private static func png(_ number: Int, width: Int, height: Int, padding: Int) -> [UInt8] {
    var chance = Chance(seed: UInt64(truncatingIfNeeded: number))
    var rows: [UInt8] = []
    for _ in 0..<height { rows += [0] + (0..<width * 3).map { _ in UInt8.random(in: 0...255, using: &chance) } }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", big(width) + big(height) + [8, 2, 0, 0, 0])
      + (padding > 0 ? chunk("tEXt", Array("Comment".utf8) + [0] + filler(padding)) : [])
      + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return big(data.count) + body + big(Int(crc(of: body)))
  }

  /// zlib around one stored block: valid without a compressor.
  private static func stored(_ data: [UInt8]) -> [UInt8] {
    let size = UInt16(data.count)
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in data {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    let little = { (value: UInt16) in [UInt8(value & 255), UInt8(value >> 8)] }
    return [0x78, 0x01, 0x01] + little(size) + little(~size) + data + big(Int(b << 16 | a))
  }

  private static func big(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func filler(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "."), count: count) }

  /// One grey square with a comment that makes its bytes unique.
  private static func jpeg(_ number: Int, padding: Int) -> [UInt8] {
    let comment = Array("picture \(number)".utf8) + filler(min(padding, 60_000))
    let length = comment.count + 2
    return Array(greySquare.prefix(2)) + [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 255)] + comment
      + greySquare.dropFirst(2)
  }

  /// 8 by 8 pixels of one grey, coarsest quantisation: the 159 bytes of a baseline JPEG.
  private static let greySquare: [UInt8] =
    [
      0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10, 0x4A, 0x46, 0x49, 0x46, 0x00, 0x01, 0x01, 0x00, 0x00, 0x01, 0x00, 0x01, 0x00,
      0x00, 0xFF, 0xDB, 0x00, 0x43, 0x00,
    ] + [UInt8](repeating: 0xFF, count: 65) + [
      0xC0, 0x00, 0x0B, 0x08, 0x00, 0x08, 0x00, 0x08, 0x01, 0x01, 0x11, 0x00, 0xFF, 0xC4, 0x00, 0x14, 0x00, 0x01,
    ] + [UInt8](repeating: 0, count: 14) + [0x00, 0x01, 0xFF, 0xC4, 0x00, 0x14, 0x10, 0x01]
    + [UInt8](repeating: 0, count: 16) + [0xFF, 0xDA, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3F, 0x00, 0x5F, 0xFF, 0xD9]
}
