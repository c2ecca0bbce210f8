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

  @Test func `it is found among other entries and behind the pixels`() {
    let exif = Self.exif([(0x010F, 2), (0x0112, 6), (0x0128, 2)])
    #expect(Orientations.orientation(of: .png, Self.png(exif)) == 6)
    #expect(Orientations.orientation(of: .png, Self.png(exif, afterPixels: true)) == 6)
    #expect(Orientations.orientation(of: .webp, Self.webp(exif)) == 6)
    #expect(Orientations.orientation(of: .webp, Self.webp(Sample.latin("Exif\0\0") + exif)) == 6)
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
