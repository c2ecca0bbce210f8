import Blobs
import Foundation
import Testing

@testable import Derivatives

/// The real `media-picture` with pictures from encoders.
@Suite(.timeLimit(.minutes(10))) struct MakingTests {
  @Test(arguments: ["jpeg", "png", "webp"])
  func `a picture of every kind becomes a WebP picture of each size, with its colours`(kind: String) async throws {
    let shop = try Shop()
    let bytes =
      switch kind {
      case "jpeg": try Made.jpeg(2000, 1500)
      case "png": try Made.png(2000, 1500)
      default: try Made.webp(2000, 1500)
      }
    let files = try await shop.derivatives().files(for: try shop.put(bytes), sizes: Set(Derivatives.Size.allCases))
    for (size, expected) in [Derivatives.Size.small: [320, 240], .medium: [640, 480], .large: [1600, 1200]] {
      let file = try #require(files[size])
      let seen = try Seen(file.bytes)
      #expect(seen.size == expected)
      #expect(seen.quarters == Colour.quarters, "\(size)")
      #expect(file.byteCount == file.bytes.count)
    }
  }

  @Test func `a picture is never enlarged, and a strip keeps a pixel`() async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives()
    let cases: [(size: [Int], large: [Int], small: [Int])] = [
      ([20, 10], [20, 10], [20, 10]), ([320, 200], [320, 200], [320, 200]), ([321, 200], [321, 200], [320, 199]),
      ([1, 5000], [1, 1600], [1, 320]), ([5000, 1], [1600, 1], [320, 1]), ([1, 1], [1, 1], [1, 1]),
    ]
    for (size, large, small) in cases {
      let blob = try shop.put(try Made.png(size[0], size[1]))
      let files = try await derivatives.files(for: blob, sizes: [.small, .large])
      #expect(try Seen(try #require(files[.large]).bytes).size == large)
      #expect(try Seen(try #require(files[.small]).bytes).size == small)
    }
  }

  /// The colours of the quarters, above and then below, by orientation (EXIF 2.32, 4.6.4).
  private static let orientations: [(UInt8, String)] = [
    (1, "RGBW"), (2, "GRWB"), (3, "WBGR"), (4, "BWRG"), (5, "RBGW"), (6, "BRWG"), (7, "WGBR"), (8, "GWRB"),
  ]

  @Test(arguments: orientations)
  func `a picture stands as its orientation says`(orientation: UInt8, quarters: String) async throws {
    let shop = try Shop()
    let blob = try shop.put(try Made.jpeg(800, 400, orientation: orientation))
    let seen = try await shop.derivatives().seen(blob)
    #expect(seen.size == (orientation > 4 ? [160, 320] : [320, 160]))
    #expect(seen.quarters == quarters.map { Colour(letter: $0) })
  }

  @Test(arguments: ["png", "webp", "moving webp", "tiff"])
  func `pictures of other kinds stand as their orientation says, too`(kind: String) async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives()
    for (orientation, quarters) in Self.orientations {
      let bytes =
        switch kind {
        case "png": try Made.png(800, 400, orientation: orientation)
        case "webp": try Made.webp(800, 400, orientation: orientation)
        case "moving webp": try Made.animatedWebP(800, 400, orientation: orientation)
        default: Made.tiff(80, 40, orientation: orientation)
        }
      let seen = try await derivatives.seen(try shop.put(bytes))
      let sides = kind == "tiff" ? [80, 40] : [320, 160]
      #expect(seen.size == (orientation > 4 ? sides.reversed() : sides), "\(orientation)")
      #expect(seen.quarters == quarters.map { Colour(letter: $0) }, "\(orientation)")
    }
  }

  @Test func `a BMP and an icon are drawn`() async throws {
    let derivatives = try Shop()
    for bytes in [Made.bitmap(80, 40), Made.icon(80, 40)] {
      let seen = try await derivatives.derivatives().seen(try derivatives.put(bytes))
      #expect(seen.size == [80, 40])
      #expect(seen.quarters == Colour.quarters)
    }
  }

  @Test func `transparent pixels stay transparent`() async throws {
    let shop = try Shop()
    let pixels = (0..<400 * 400).map { $0 % 400 < 200 ? Colour.clear.pixel : Colour.red.pixel }
    let seen = try await shop.derivatives().seen(try shop.put(try Made.png(400, 400, pixels)))
    #expect(seen.size == [320, 320])
    #expect(seen.quarters == [.clear, .red, .clear, .red])
  }

  @Test(arguments: ["moving.gif", "moving.webp", "moving.png"])
  func `of an animation the first frame is shown`(name: String) async throws {
    let shop = try Shop()
    let seen = try await shop.derivatives().seen(try shop.put(try Fixture.bytes(name)))
    #expect(seen.size == [60, 40])
    #expect(seen.middle == .red)
  }

  private static let kinds: [(String, Colour)] = [
    ("cmyk.jpg", .red), ("grey.jpg", .grey), ("palette.png", .red), ("grey16.png", .grey), ("grey-alpha.png", .clear),
  ]

  @Test(arguments: kinds)
  func `pixels of other kinds have their colours`(name: String, colour: Colour) async throws {
    let shop = try Shop()
    let seen = try await shop.derivatives().seen(try shop.put(try Fixture.bytes(name)))
    #expect(seen.size == [60, 40])
    #expect(seen.middle == colour)
  }

  @Test func `a colour profile stays with the picture, unless it says nothing`() async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives()
    for (space, text, isKept) in [("RGB ", "Display P3", true), ("RGB ", "sRGB", false), ("CMYK", "Coated", false)] {
      let profile = Made.profile(space: space, text: text)
      let blob = try shop.put(try Made.jpeg(800, 400, profile: profile))
      let file = try await derivatives.file(for: blob, size: .small)
      #expect(file.bytes.contains(profile) == isKept, "\(text)")
      let seen = try Seen(file.bytes)
      #expect(seen.size == [320, 160])
      #expect(seen.quarters == Colour.quarters)
    }
  }

  @Test func `alpha and a colour profile go together`() async throws {
    let shop = try Shop()
    let profile = Made.profile(space: "RGB ", text: "Display P3")
    // iCCP: a name, the compression, and a zlib stream of one stored block (RFC 1950, RFC 1951).
    let (low, high) = (profile.reduce(1) { ($0 + Int($1)) % 65521 }, Self.adlerHigh(profile))
    let stream: [UInt8] =
      [0x78, 1, 1, UInt8(profile.count), 0, UInt8(255 - profile.count), 255] + profile
      + [UInt8(high >> 8), UInt8(high & 255), UInt8(low >> 8), UInt8(low & 255)]
    let plain = try Made.png(8, 8, Array(repeating: Colour.clear.pixel, count: 64))
    let blob = try shop.put(plain[..<33] + Made.chunk("iCCP", Array("p3\0\0".utf8) + stream) + plain[33...])
    let file = try await shop.derivatives().file(for: blob, size: .small)
    #expect(file.bytes.contains(profile))
    #expect(try Seen(file.bytes).middle == .clear)
  }

  private static func adlerHigh(_ bytes: [UInt8]) -> Int {
    bytes.reduce((1, 0)) { sums, byte in
      let low = (sums.0 + Int(byte)) % 65521
      return (low, (sums.1 + low) % 65521)
    }.1
  }
}
