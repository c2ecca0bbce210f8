import PropertyTesting
import Testing

@testable import Blobs

/// Minimal files: only the bytes that decide.
enum Sample {
  static func latin(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }
  static func big(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(value >> ($0 * 8) & 255) }
  }
  static func little(_ value: Int, _ width: Int) -> [UInt8] { big(value, width).reversed() }

  static func jpeg(profile: Int = 0, width: Int = 640, height: Int = 480, ended: Bool = true) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8]
    // An Exif thumbnail contains an end marker of its own.
    for _ in 0..<profile {
      bytes += [0xFF, 0xE1] + big(65_535, 2) + [0xFF, 0xD9] + [UInt8](repeating: 1, count: 65_531)
    }
    bytes += [0xFF, 0xFF, 0xC2] + big(11, 2) + [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0]
    bytes += [0xFF, 0xDA] + big(8, 2) + [1, 1, 0, 0, 63, 0] + [UInt8](repeating: 0x55, count: 200)
    return bytes + (ended ? [0xFF, 0xD9] : [])
  }

  static func png(width: Int = 3, height: Int = 4, ended: Bool = true) -> [UInt8] {
    let head = latin("\u{89}PNG\r\n\u{1A}\n") + big(13, 4) + latin("IHDR") + big(width, 4) + big(height, 4)
    let body = [8, 2, 0, 0, 0, 0, 0, 0, 0] + big(50, 4) + latin("IDAT") + [UInt8](repeating: 9, count: 54)
    return head + body + (ended ? big(0, 4) + latin("IEND") + [0xAE, 0x42, 0x60, 0x82] : [])
  }

  static func gif(ended: Bool = true) -> [UInt8] {
    latin("GIF89a") + little(320, 2) + little(200, 2) + [0x80, 0, 0, 1, 2, 3, 4, 5, 6, 0x21, 0xFE, 1, 65, 0]
      + [0x2C, 0, 0, 0, 0, 64, 1, 200, 0, 0, 2, 2, 0x44, 1, 0] + (ended ? [0x3B] : [])
  }

  static func riff(_ body: [UInt8]) -> [UInt8] { latin("RIFF") + little(body.count + 4, 4) + latin("WEBP") + body }
  static let lossy = riff(
    latin("VP8 ") + little(10, 4) + [0, 0, 0, 0x9D, 1, 0x2A] + little(0x4000 | 800, 2) + little(600, 2)
  )
  static let lossless = riff(latin("VP8L") + little(6, 4) + [0x2F] + little(1023 | 767 << 14, 4) + [0])
  static let extended = riff(latin("VP8X") + little(10, 4) + [0, 0, 0, 0] + little(4095, 3) + little(2159, 3))

  static func box(_ name: String, _ body: [UInt8]) -> [UInt8] { big(body.count + 8, 4) + latin(name) + body }
  static func size(_ width: Int, _ height: Int) -> [UInt8] { box("ispe", big(0, 4) + big(width, 4) + big(height, 4)) }
  static let avif =
    box("ftyp", latin("avif\0\0\0\0avifmif1"))
    + box("meta", big(0, 4) + box("hdlr", big(0, 24)) + box("iprp", box("ipco", size(160, 120) + size(1600, 1200))))

  static let bitmap =
    latin("BM") + [UInt8](repeating: 0, count: 12) + little(40, 4) + little(50, 4) + big(0xCEFF_FFFF, 4)
  static let oldBitmap = latin("BM") + [UInt8](repeating: 0, count: 12) + little(12, 4) + little(70, 2) + little(60, 2)
  static let icon =
    latin("\0\0\u{1}\0\u{1}\0") + [16, 16, 0, 0, 1, 0, 32, 0] + little(40, 4) + little(22, 4)
    + [UInt8](repeating: 7, count: 40)
  /// A file whose boxes contain a picture that nothing here reads.
  static func boxed(_ name: String) -> [UInt8] {
    box(name, latin("\r\n\u{87}\n")) + box("ftyp", big(0, 12)) + box("jp2c", [UInt8](repeating: 5, count: 99))
  }
  static let page = latin("\n <!DOCTYPE html><html><title>Not found</title></html>")
}

struct MediaHeaderTests {
  @Test(arguments: [
    (Sample.jpeg(), MediaType.jpeg, 640, 480), (Sample.jpeg(profile: 3), .jpeg, 640, 480),
    (Sample.png(), .png, 3, 4), (Sample.gif(), .gif, 320, 200), (Sample.lossy, .webp, 800, 600),
    (Sample.lossless, .webp, 1024, 768), (Sample.extended, .webp, 4096, 2160), (Sample.avif, .avif, 1600, 1200),
    (Sample.bitmap, .bmp, 50, 50), (Sample.oldBitmap, .bmp, 70, 60),
  ])
  func `a picture's type and size are detected, and it may be stored`(
    bytes: [UInt8], type: MediaType, width: Int, height: Int
  ) {
    let header = MediaHeader(of: bytes)
    #expect(header.type == type)
    #expect(header.size == .init(width: width, height: height))
    #expect(header.fault(expecting: .image, announced: nil) == nil)
    #expect(header.fault(expecting: .image, announced: bytes.count) == nil)
  }

  @Test(arguments: [
    ("\0\0\0\u{18}ftypisom\0\0\0\0isomavc1", MediaType.mp4), ("\0\0\0\u{14}ftypqt  \0\0\0\0qt  ", .quickTime),
    ("\0\0\0\u{14}ftypM4A \0\0\0\0M4A ", .m4a), ("\0\0\0\u{14}ftypheic\0\0\0\0heic", .heic),
    ("\u{1A}\u{45}\u{DF}\u{A3}....B\u{82}webm", .webm), ("\u{1A}\u{45}\u{DF}\u{A3}....B\u{82}matroska", .matroska),
    ("OggS\0", .ogg), ("RIFF\u{10}\0\0\0WAVEfmt ", .wav), ("fLaC\0", .flac), ("ID3\u{4}", .mp3),
    ("\u{FF}\u{FB}\u{90}\0", .mp3), ("II*\0", .tiff), ("<?xml version='1.0'?>\n<svg xmlns='…'>", .svg),
    ("<!-- captive portal -->\n<HTML>", .html), ("\u{EF}\u{BB}\u{BF}<html lang=en>", .html),
  ])
  func `other files are recognized by their first bytes`(text: String, type: MediaType) {
    let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    #expect(MediaHeader(of: bytes).type == type)
  }

  @Test func `a picture of a kind that nothing here measures may be stored`() {
    let kinds: [([UInt8], MediaType)] = [
      (Sample.boxed("jP  "), .jpeg2000), (Sample.latin("\u{FF}\u{4F}\u{FF}\u{51}\0/"), .jpeg2000),
      (Sample.boxed("JXL "), .jpegXL), (Sample.latin("\u{FF}\u{A}\u{FA}"), .jpegXL), (Sample.icon, .icon),
      (Sample.latin("II+\0\u{8}\0"), .tiff), (Sample.latin("MM\0+\0\u{8}"), .tiff),
      (Sample.bitmap.prefix(18) + Sample.little(3_000_000, 4) + Sample.little(1, 4), .bmp),
      (Sample.box("ftyp", Sample.latin("heic\0\0\0\0mif1")) + Sample.box("mdat", [1]), .heic),
    ]
    for (bytes, type) in kinds {
      let header = MediaHeader(of: bytes)
      #expect(header.type == type)
      #expect(header.fault(expecting: .image, announced: bytes.count) == nil, "\(type)")
    }
    for text in ["BMW builds cars in Munich and elsewhere.", "\0\0\u{1}\0\0\0"] {
      #expect(MediaHeader(of: Sample.latin(text)).type == nil)
    }
  }

  @Test(arguments: [false, true])
  func `a truncated file is refused, whatever length was announced`(isAnnounced: Bool) {
    for bytes in [
      Sample.jpeg(ended: false), Sample.jpeg(profile: 2, ended: false), Sample.jpeg(profile: 1).dropLast(250),
      Sample.png(ended: false), Sample.gif(ended: false), Sample.lossy.dropLast(1), Sample.icon.dropLast(1),
      Sample.boxed("jP  ").dropLast(1), Sample.boxed("JXL ").dropLast(1), Sample.avif.dropLast(1),
    ] {
      let header = MediaHeader(of: Array(bytes))
      let fault = header.fault(expecting: .image, announced: isAnnounced ? bytes.count : nil)
      #expect(fault == .cutShort, "\(String(describing: header.type))")
    }
  }

  @Test func `bytes after the end are not a fault`() {
    for bytes in [Sample.jpeg(), Sample.png(), Sample.lossy, Sample.gif()] {
      let header = MediaHeader(of: bytes + [UInt8](repeating: 0x20, count: 200_000) + [1])
      #expect(header.fault(expecting: .image, announced: nil) == nil, "\(String(describing: header.type))")
    }
  }

  @Test func `each fault has its own case`() {
    #expect(MediaHeader(of: []).fault(expecting: .anything, announced: nil) == .empty)
    #expect(MediaHeader(of: Sample.page).fault(expecting: .anything, announced: nil) == .html)
    #expect(
      MediaHeader(of: Sample.gif()).fault(expecting: .image, announced: 99)
        == .wrongLength(announced: 99, received: Sample.gif().count)
    )
    #expect(MediaHeader(of: Sample.latin("{\"error\":1}")).fault(expecting: .image, announced: nil) == .notAnImage)
    #expect(MediaHeader(of: Sample.latin("OggS")).fault(expecting: .image, announced: nil) == .notAnImage)
    #expect(MediaHeader(of: Sample.latin("%PDF-1.4")).fault(expecting: .anything, announced: nil) == nil)
    for (width, height) in [(0, 5), (5, 0), (65_536, 5)] {
      let header = MediaHeader(of: Sample.png(width: width, height: height))
      #expect(header.fault(expecting: .image, announced: nil) == .badSize)
    }
  }

  @Test func `no mutation of a file crashes the reader`() {
    let seed = UInt64.random(in: 0 ... .max)
    var dice = Dice(state: seed)
    let samples = [
      Sample.jpeg(), Sample.png(), Sample.gif(), Sample.lossy, Sample.lossless, Sample.extended, Sample.avif,
      Sample.bitmap, Sample.icon, Sample.boxed("jP  "), Sample.page,
    ]
    var known = 0
    for _ in 0..<4_000 {
      var bytes = samples.randomElement(using: &dice)!
      for _ in 0..<Int.random(in: 1...6, using: &dice) {
        bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
      }
      if Bool.random(using: &dice) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &dice)) }
      let header = MediaHeader(of: bytes)
      if header.type != nil { known += 1 }
      #expect(header.byteCount == bytes.count, "seed \(seed)")
      _ = Orientations.orientation(of: header.type ?? .png, bytes)
    }
    #expect(known > 0, "seed \(seed)")
  }
}
