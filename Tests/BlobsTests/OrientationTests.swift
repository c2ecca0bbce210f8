import Testing

@testable import Blobs

/// What Exif data say of a picture's orientation.
enum Orientations {
  static func orientation(of type: MediaType, _ bytes: [UInt8]) -> Int? {
    MediaHeader.orientation(of: type, length: bytes.count) { offset, count in
      Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
    }
  }
}

struct OrientationTests {
  private static func exif(_ entries: [(tag: Int, value: Int)]) -> [UInt8] {
    let fields = entries.flatMap { tag, value in
      Sample.little(tag, 2) + Sample.little(3, 2) + Sample.little(1, 4) + Sample.little(value, 4)
    }
    return Sample.latin("II*\0") + Sample.little(8, 4) + Sample.little(entries.count, 2) + fields
  }

  private static func png(_ exif: [UInt8], afterPixels: Bool = false) -> [UInt8] {
    let chunk = Sample.big(exif.count, 4) + Sample.latin("eXIf") + exif + [0, 0, 0, 0]
    let plain = Sample.png()
    let offset = afterPixels ? plain.count - 12 : 33
    return plain[..<offset] + chunk + plain[offset...]
  }

  private static func webp(_ exif: [UInt8]) -> [UInt8] {
    Sample.riff(
      Array(Sample.extended[12...]) + Sample.latin("VP8 ") + Sample.little(3, 4) + [1, 2, 3, 0]
        + Sample.latin("EXIF") + Sample.little(exif.count, 4) + exif)
  }

  /// Frames of 20,000 bytes, and in them what looks like Exif data.
  private static func animatedWebP(_ exif: [UInt8], xmp: Int = 0) -> [UInt8] {
    var header = Array(Sample.extended[12...])
    header[8] |= 2
    let pixels = Sample.latin("EXIF") + Sample.little(exif.count, 4) + Self.exif([(0x0112, 3)])
    let frame = [UInt8](repeating: 0, count: 20_000 - pixels.count) + pixels
    let frames = (0..<5).flatMap { _ in Sample.latin("ANMF") + Sample.little(frame.count, 4) + frame }
    let padding = [UInt8](repeating: 0, count: exif.count % 2)
    let text = xmp > 0 ? Sample.latin("XMP ") + Sample.little(xmp, 4) + [UInt8](repeating: 0x20, count: xmp) : []
    return Sample.riff(header + frames + Sample.latin("EXIF") + Sample.little(exif.count, 4) + exif + padding + text)
  }

  @Test func `it is found among other entries and behind the pixels`() {
    let exif = Self.exif([(0x010F, 2), (0x0112, 6), (0x0128, 2)])
    #expect(Orientations.orientation(of: .png, Self.png(exif)) == 6)
    #expect(Orientations.orientation(of: .png, Self.png(exif, afterPixels: true)) == 6)
    #expect(Orientations.orientation(of: .webp, Self.webp(exif)) == 6)
    #expect(Orientations.orientation(of: .webp, Self.webp(Sample.latin("Exif\0\0") + exif)) == 6)
  }

  /// A JPEG of 640 by 480 pixels.
  private static func jpeg(_ exif: [UInt8]) -> [UInt8] {
    let segment = [0xFF, 0xE1] + Sample.big(exif.count + 8, 2) + Sample.latin("Exif\0\0") + exif
    return Array(Sample.jpeg()[..<2]) + segment + Sample.jpeg()[2...]
  }

  private static func avif(_ quarters: [UInt8]) -> [UInt8] {
    let turns = quarters.flatMap { Sample.box("irot", [$0]) }
    return Sample.box("ftyp", Sample.latin("avif\0\0\0\0avifmif1"))
      + Sample.box("meta", Sample.big(0, 4) + Sample.box("iprp", Sample.box("ipco", Sample.size(160, 120) + turns)))
  }

  @Test(arguments: 1...8) func `a picture's size is that which it has upright`(orientation: Int) {
    let exif = Self.exif([(0x010F, 2), (0x0112, orientation)])
    let (isOnSide, big) = (orientation > 4, exif + [UInt8](repeating: 0, count: 30_000))
    for (bytes, width, height) in [
      (Self.jpeg(exif), 640, 480), (Self.jpeg(big), 640, 480), (Self.png(exif), 3, 4), (Self.png(big), 3, 4),
      (Self.png(exif, afterPixels: true), 3, 4), (Self.webp(exif), 4096, 2160),
      (Self.animatedWebP(exif), 4096, 2160), (Self.animatedWebP(exif + [0], xmp: 4000), 4096, 2160),
    ] {
      let size = MediaHeader.Size(width: isOnSide ? height : width, height: isOnSide ? width : height)
      #expect(MediaHeader(of: bytes).size == size)
    }
  }

  @Test func `a picture in boxes is turned by its boxes, if they agree`() {
    let cases: [([UInt8], Bool)] = [
      ([], false), ([0], false), ([1], true), ([2], false), ([3, 3], true), ([1, 0], false),
    ]
    for (quarters, isOnSide) in cases {
      let size = MediaHeader(of: Self.avif(quarters)).size
      #expect(size == (isOnSide ? .init(width: 120, height: 160) : .init(width: 160, height: 120)), "\(quarters)")
    }
  }

  /// A TIFF whose directory follows 5,000 bytes of pixels.
  private static func tiff(_ entries: [(tag: Int, type: Int, value: Int)], isLittle: Bool) -> [UInt8] {
    let number = isLittle ? Sample.little : Sample.big
    let fields = entries.flatMap { tag, type, value -> [UInt8] in
      let stands = type == 3 ? number(value, 2) + [0, 0] : number(value, 4)
      return number(tag, 2) + number(type, 2) + number(1, 4) + stands
    }
    var bytes = Sample.latin(isLittle ? "II*\0" : "MM\0*") + number(5008, 4)
    bytes += [UInt8](repeating: 7, count: 5000) + number(entries.count, 2)
    return bytes + fields + number(0, 4)
  }

  @Test(arguments: [true, false]) func `a TIFF's size stands in its directory, wherever that is`(isLittle: Bool) {
    let plain = Self.tiff([(256, 4, 70_000), (257, 3, 50), (258, 3, 8)], isLittle: isLittle)
    #expect(MediaHeader(of: plain).size == .init(width: 70_000, height: 50))
    let turned = Self.tiff([(256, 3, 70), (257, 3, 50), (274, 3, 6)], isLittle: isLittle)
    #expect(MediaHeader(of: turned).size == .init(width: 50, height: 70))
    let preview = Self.tiff([(254, 4, 1), (256, 3, 70), (257, 3, 50)], isLittle: isLittle)
    for bytes in [preview, Array(plain.dropLast(30)), Self.tiff([(256, 3, 0), (257, 3, 50)], isLittle: isLittle)] {
      #expect(MediaHeader(of: bytes).type == .tiff && MediaHeader(of: bytes).size == nil)
    }
  }

  @Test func `what is missing, damaged or out of range is no orientation`() {
    let good = Self.exif([(0x0112, 8)])
    for exif in [[], good.dropLast(10), Self.exif([(0x0112, 9)]), Self.exif([(0x0112, 0)]), Self.exif([(1, 6)])] {
      #expect(Orientations.orientation(of: .png, Self.png(Array(exif))) == nil)
    }
    #expect(Orientations.orientation(of: .png, Sample.png()) == nil)
    #expect(Orientations.orientation(of: .webp, Sample.lossy) == nil)
    #expect(Orientations.orientation(of: .jpeg, Self.png(good)) == nil, "its decoder reports it")
  }
}
