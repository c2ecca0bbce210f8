import CPicture
import Foundation
import Testing

/// Pictures from encoders.
enum Made {
  /// A picture whose quarters have four colours: red, green; blue, white.
  static func quarters(_ width: Int, _ height: Int) -> [UInt32] {
    (0..<height).flatMap { y in
      (0..<width).map { x in Colour.quarters[(2 * y / height) * 2 + 2 * x / width].pixel }
    }
  }

  static func jpeg(_ width: Int, _ height: Int) throws -> [UInt8] {
    var shim = picture_jpeg()
    try #require(picture_open_jpeg(&shim) != 0)
    return try encoded(quarters(width, height), width, height) { picture_encode_jpeg(&shim, $0, $1, $2, 90, $3) }
  }

  static func png(_ width: Int, _ height: Int, _ pixels: [UInt32]? = nil) throws -> [UInt8] {
    var shim = picture_png()
    try #require(picture_open_png(&shim) != 0)
    return try encoded(pixels ?? quarters(width, height), width, height) { picture_encode_png(&shim, $0, $1, $2, $3) }
  }

  static func webp(_ width: Int, _ height: Int) throws -> [UInt8] {
    var shim = picture_webp()
    try #require(picture_open_webp(&shim) != 0)
    return try encoded(quarters(width, height), width, height) { picture_encode_webp(&shim, $0, $1, $2, 80, $3) }
  }

  /// A JPEG with an orientation (EXIF, tag 0x0112).
  static func jpeg(_ width: Int, _ height: Int, orientation: UInt8) throws -> [UInt8] {
    let tiff: [UInt8] =
      Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
    return inserting(Array("Exif\0\0".utf8) + tiff, marker: 0xE1, into: try jpeg(width, height))
  }

  /// A JPEG with a colour profile.
  static func jpeg(_ width: Int, _ height: Int, profile: [UInt8]) throws -> [UInt8] {
    inserting(Array("ICC_PROFILE\0".utf8) + [1, 1] + profile, marker: 0xE2, into: try jpeg(width, height))
  }

  /// The header of a colour profile (ICC.1:2022, 7.2) and an empty table.
  static func profile(space: String, text: String) -> [UInt8] {
    let text = text.utf8 + Array(repeating: UInt8(ascii: "."), count: 3 - (text.utf8.count + 3) % 4)
    var bytes = [UInt8](repeating: 0, count: 132) + text
    bytes[3] = UInt8(bytes.count)
    for (offset, field) in [(12, "mntr"), (16, space), (20, "XYZ "), (36, "acsp")] {
      bytes.replaceSubrange(offset..<offset + 4, with: field.utf8)
    }
    return bytes
  }

  /// A PNG whose header announces a size, and which contains four rows.
  static func png(announcing width: UInt32, _ height: UInt32) throws -> [UInt8] {
    var bytes = try Made.png(4, 4)
    for (offset, value) in [(16, width), (20, height)] {
      for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32(byte))) }
    }
    let sum = bytes[12..<29].reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    for byte in 0..<4 { bytes[29 + byte] = UInt8(truncatingIfNeeded: ~sum >> (24 - 8 * UInt32(byte))) }
    return bytes
  }

  static func inserting(_ segment: [UInt8], marker: UInt8, into plain: [UInt8]) -> [UInt8] {
    let length = segment.count + 2
    return plain[..<2] + [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + segment + plain[2...]
  }

  private static func encoded(
    _ pixels: [UInt32], _ width: Int, _ height: Int,
    _ encode: (UnsafePointer<UInt32>, Int32, Int32, UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<UInt8>?
  ) throws -> [UInt8] {
    var length = 0
    let bytes = try #require(encode(pixels, Int32(width), Int32(height), &length))
    defer { free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: length))
  }
}

/// A colour that survives encoding: compared to the nearest of a few.
enum Colour: CaseIterable {
  case red, green, blue, white, black, grey, clear

  static let quarters: [Colour] = [.red, .green, .blue, .white]

  /// Red, green, blue and alpha in memory order.
  var channels: [Int] {
    switch self {
    case .red: [255, 0, 0, 255]
    case .green: [0, 255, 0, 255]
    case .blue: [0, 0, 255, 255]
    case .white: [255, 255, 255, 255]
    case .black: [0, 0, 0, 255]
    case .grey: [128, 128, 128, 255]
    case .clear: [0, 0, 0, 0]
    }
  }

  var pixel: UInt32 { channels.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

  /// The colour that is nearest. The colour of transparent pixels does not matter.
  init(nearest channels: [Int]) {
    let isClear = channels[3] < 64
    self = Colour.allCases.min { Self.distance($0.channels, channels) < Self.distance($1.channels, channels) } ?? .clear
    if isClear { self = .clear }
  }

  init(letter: Character) {
    self =
      switch letter {
      case "R": .red
      case "G": .green
      case "B": .blue
      default: .white
      }
  }

  private static func distance(_ one: [Int], _ other: [Int]) -> Int {
    zip(one, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  }
}

/// A decoded WebP picture.
struct Seen {
  let width, height: Int
  private let pixels: [UInt8]

  init(_ bytes: [UInt8]) throws {
    typealias Decode =
      @convention(c) (
        UnsafePointer<UInt8>, Int, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>
      ) -> UnsafeMutablePointer<UInt8>?
    let library = try #require(dlopen("libwebp.so.7", RTLD_NOW))
    let decode = unsafeBitCast(try #require(dlsym(library, "WebPDecodeRGBA")), to: Decode.self)
    var (width, height) = (Int32(0), Int32(0))
    let decoded = try #require(decode(bytes, bytes.count, &width, &height))
    defer { free(decoded) }
    (self.width, self.height) = (Int(width), Int(height))
    pixels = Array(UnsafeBufferPointer(start: decoded, count: Int(4 * width * height)))
  }

  var size: [Int] { [width, height] }

  func colour(_ x: Int, _ y: Int) -> Colour {
    Colour(nearest: pixels[4 * (y * width + x)..<4 * (y * width + x) + 4].map { Int($0) })
  }

  var middle: Colour { colour(width / 2, height / 2) }

  /// The colours of the quarters: above, then below.
  var quarters: [Colour] {
    [height / 4, height * 3 / 4].flatMap { y in [width / 4, width * 3 / 4].map { colour($0, y) } }
  }
}
