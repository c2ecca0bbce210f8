import Testing

@testable import Blobs

/// Media that are shorter than the length that they state.
struct CutMediaTests {
  private static func film(_ brand: String = "isom") -> [UInt8] {
    Sample.box("ftyp", Sample.latin("\(brand)\0\0\0\0\(brand)")) + Sample.box("moov", [UInt8](repeating: 7, count: 40))
      + Sample.box("mdat", [UInt8](repeating: 9, count: 300))
  }
  private static let long =
    Sample.box("ftyp", Sample.latin("isom\0\0\0\0")) + Sample.big(1, 4) + Sample.latin("mdat") + Sample.big(116, 8)
    + [UInt8](repeating: 9, count: 100)
  private static let wave =
    Sample.latin("RIFF") + Sample.little(104, 4) + Sample.latin("WAVE") + [UInt8](repeating: 1, count: 100)

  private static func fault(_ bytes: [UInt8], announced: Int? = nil) -> MediaFault? {
    MediaHeader(of: bytes).fault(expecting: .anything, announced: announced)
  }

  @Test(arguments: [film(), film("qt  "), film("M4A "), film("avif"), film("heic"), long, wave, Sample.avif])
  func `complete files are accepted, and each cut inside their last part is detected`(bytes: [UInt8]) {
    #expect(Self.fault(bytes) == nil)
    for end in [bytes.count - 1, bytes.count - 20, bytes.count - 90] where end > 60 {
      #expect(Self.fault(Array(bytes.prefix(end))) == .cutShort, "\(end) of \(bytes.count)")
    }
    #expect(Self.fault(bytes, announced: bytes.count) == nil)
  }

  @Test func `a last part of size 0 is complete wherever the file ends`() {
    let bytes = Sample.box("ftyp", Sample.latin("isom\0\0\0\0")) + Sample.big(0, 4) + Sample.latin("mdat")
    for count in [0, 1, 500] { #expect(Self.fault(bytes + [UInt8](repeating: 9, count: count)) == nil) }
  }

  @Test func `a recording whose length was never written is complete`() {
    let bytes = Sample.latin("RIFF") + [0xFF, 0xFF, 0xFF, 0xFF] + Sample.latin("WAVE") + [1, 2, 3]
    #expect(MediaHeader(of: bytes).type == .wav)
    #expect(Self.fault(bytes) == nil)
  }

  @Test func `bytes after the last part are not a fault`() {
    for tail in [[0], [UInt8](repeating: 0x20, count: 900), [UInt8](repeating: 0, count: 900), [1, 2, 3, 4, 5, 6, 7]] {
      #expect(Self.fault(Self.film() + tail) == nil)
      #expect(Self.fault(Self.wave + tail) == nil)
    }
  }

  @Test func `a file of a hundred thousand parts costs as many reads`() {
    var reads = 0
    let part = Sample.box("free", [])
    let isCutShort = ISOMedia.isCutShort(length: .max) { (_: Int, _: Int) -> [UInt8] in
      reads += 1
      return part + part
    }
    #expect(!isCutShort)
    #expect(reads == 100_000)
  }
}
