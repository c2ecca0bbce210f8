import Blobs
import Foundation
import Pictures
import Testing

@testable import Derivatives

/// Copies that do not say where a file was taken, by the built `media-picture`.
@Suite(.timeLimit(.minutes(10))) struct StrippingTests {
  private static func stripper(_ program: String = Shop.built, timeLimit: Duration = .seconds(120)) -> Stripper {
    Stripper(program: program, environment: ProcessInfo.processInfo.environment, timeLimit: timeLimit, now: { .now })
  }

  /// The copy of a file; nil if it is clean already.
  private static func copy(_ path: String, by stripper: Stripper = stripper()) throws -> String? {
    let output = "\(path).copy"
    unlink(output)
    guard try stripper.strip(path, to: output) else {
      #expect(access(output, F_OK) != 0)
      return nil
    }
    return output
  }

  private static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

  private static let exposure = ["set Exif.Photo.FNumber 28/10"]

  @Test(arguments: Tagged.kinds)
  func `a copy says everything but where it was taken`(kind: String) throws {
    let tagged = try Tagged()
    let path = try tagged.put(kind, FactsTests.everything.commands + Self.exposure)
    let copy = try #require(try Self.copy(path))
    var expected = FactsTests.everything.facts
    (expected.latitude, expected.longitude) = (nil, nil)
    #expect(try FactsChild().facts(copy) == expected)
    let printed = try Tagged.printed(copy)
    #expect(printed.contains("Exif.Photo.FNumber"))
    #expect(!printed.contains("GPS"))
    var status = stat()
    #expect(stat(copy, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let both = try [path, copy].map { try MediaHeader(of: Self.bytes($0)) }
    #expect(both[0].size == both[1].size && !both[1].isCutShort)
  }

  @Test(arguments: Tagged.kinds) func `pixels stay as they are`(kind: String) async throws {
    let tagged = try Tagged()
    let copy = try #require(try Self.copy(try tagged.put(kind, FactsTests.everything.commands + Self.exposure)))
    let shop = try Shop()
    let derivatives = shop.derivatives()
    let seen = try await derivatives.file(for: try shop.put(try Self.bytes(copy)), size: .small)
    let before = try await derivatives.file(for: try shop.put(try Self.bytes("\(copy.dropLast(5))")), size: .small)
    #expect(seen.bytes == before.bytes)
  }

  @Test(arguments: UInt8(1)...8) func `each orientation stays`(orientation: UInt8) async throws {
    let (tagged, shop) = (try Tagged(), try Shop())
    let derivatives = shop.derivatives()
    for (name, bytes) in [
      ("a.jpg", try Made.jpeg(40, 30, orientation: orientation)),
      ("a.png", try Made.png(40, 30, orientation: orientation)),
      ("a.webp", try Made.webp(40, 30, orientation: orientation)),
    ] {
      let copy = try Self.bytes(try #require(try Self.copy(try tagged.put(bytes: bytes, name))))
      let before = try await derivatives.seen(try shop.put(bytes))
      let after = try await derivatives.seen(try shop.put(copy))
      #expect(before.size == after.size && before.quarters == after.quarters, "\(name)")
    }
  }

  @Test func `an orientation that nobody reads does not come to be read`() async throws {
    // exiv2 writes the EXIF of a PNG as a text, which no browser reads.
    let (tagged, shop) = (try Tagged(), try Shop())
    let path = try tagged.put("png", ["set Exif.Image.Orientation 6"])
    let copy = try #require(try Self.copy(path))
    #expect(try await shop.derivatives().seen(try shop.put(try Self.bytes(copy))).size == [40, 30])
  }

  @Test func `a colour profile stays`() throws {
    let tagged = try Tagged()
    let profile = Made.profile(space: "RGB ", text: "P3 wide")
    let path = try tagged.put(bytes: try Made.jpeg(40, 30, profile: profile), "a.jpg")
    #expect(try Self.copy(path) == nil)
    try Tagged.exiv2(["-M", "set Exif.GPSInfo.GPSLatitudeRef N", path])
    #expect(try Self.bytes(try #require(try Self.copy(path))).holds("P3 wide"))
  }

  private static let hidden: [String] = [
    "set Exif.GPSInfo.GPSAreaInformation charset=Ascii Paris", "set Exif.Photo.UserComment charset=Ascii Paris",
    "set Exif.Image.DocumentName Paris", "set Exif.Photo.ImageUniqueID Paris",
    "set Exif.Photo.MakerNote Undefined 80 97 114 105 115", "set Iptc.Application2.City Paris",
    "set Iptc.Application2.SubLocation Paris", "set Iptc.Application2.LocationName Paris",
    "set Iptc.Application2.ProvinceState Paris", "set Iptc.Application2.CountryName Paris",
    "set Xmp.photoshop.City Paris", "set Xmp.photoshop.State Paris", "set Xmp.photoshop.Country Paris",
    "set Xmp.iptc.Location Paris", "set Xmp.exif.GPSLatitude 48,51.5N Paris", "set Xmp.exif.GPSAreaInformation Paris",
    "set Xmp.iptcExt.LocationShown[1]/iptcExt:City XmpText Paris",
    "set Xmp.iptcExt.LocationCreated[1]/iptcExt:Sublocation XmpText Paris", "set Xmp.xmp.Label Paris",
  ]

  @Test(arguments: hidden) func `no other metadata reach a copy`(command: String) throws {
    let tagged = try Tagged()
    for kind in Tagged.kinds {
      var commands = [command, "set Exif.Image.Artist Anna"]
      if command.contains("[1]") {
        let bag = command.split(separator: " ")[1].split(separator: "[")[0]
        commands.insert("set \(bag) XmpText type=Bag", at: 0)
      }
      let path = try tagged.put(kind, commands)
      let copy = try #require(try Self.copy(path))
      #expect(try !Self.bytes(copy).holds("Paris") && !Tagged.printed(copy).contains("Paris"))
      #expect(try FactsChild().facts(copy).artist == "Anna")
    }
  }

  @Test func `parts of a JPEG that show nothing are left out`() throws {
    let (tagged, plain) = (try Tagged(), try Made.jpeg(40, 30))
    let paris = Array("Paris".utf8)
    let jfif = Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 1, 2] + paris + [0]
    let cases: [(String, [UInt8])] = [
      ("comment", Made.inserting(paris, marker: 0xFE, into: plain)),
      ("maker", Made.inserting(paris, marker: 0xE6, into: plain)),
      (
        "extended XMP",
        Made.inserting(Array("http://ns.adobe.com/xmp/extension/\0".utf8) + paris, marker: 0xE1, into: plain)
      ),
      ("IPTC", Made.inserting(Array("Photoshop 3.0\0".utf8) + paris, marker: 0xED, into: plain)),
      ("thumbnail", Made.inserting(jfif, marker: 0xE0, into: plain)), ("behind the end", plain + paris),
      ("previews", Made.inserting(Array("MPF\0".utf8) + paris, marker: 0xE2, into: plain)),
      (
        "behind Adobe's",
        Made.inserting(Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1] + paris, marker: 0xEE, into: plain)
      ),
    ]
    for (name, bytes) in cases {
      let copy = try #require(try Self.copy(try tagged.put(bytes: bytes, "a.jpg")), "\(name)")
      #expect(try !Self.bytes(copy).holds("Paris"), "\(name)")
      #expect(try MediaHeader(of: Self.bytes(copy)).size == MediaHeader(of: plain).size, "\(name)")
    }
  }

  @Test func `parts of a PNG and of a WebP that show nothing are left out`() throws {
    let (tagged, paris) = (try Tagged(), Array("Paris".utf8))
    let (png, webp) = (try Made.png(40, 30), try Made.webp(40, 30))
    func with(_ chunk: [UInt8]) -> [UInt8] {
      webp[..<4] + RawEXIF.little(webp.count - 8 + chunk.count, 4) + webp[8...] + chunk
    }
    let cases: [(String, [UInt8])] = [
      ("a.png", png[..<33] + Made.chunk("tEXt", Array("Comment\0".utf8) + paris) + png[33...]),
      ("b.png", png[..<33] + Made.chunk("exIf", paris) + png[33...]), ("c.png", png + paris),
      ("a.webp", with(Array("ABCD".utf8) + RawEXIF.little(5, 4) + paris + [0])), ("b.webp", webp + paris),
    ]
    for (name, bytes) in cases {
      let copy = try #require(try Self.copy(try tagged.put(bytes: bytes, name)), "\(name)")
      #expect(try !Self.bytes(copy).holds("Paris"), "\(name)")
    }
    let author = png[..<33] + Made.chunk("tEXt", Array("Author\0Anna".utf8)) + Made.chunk("tIME", paris) + png[33...]
    #expect(try Self.bytes(try #require(try Self.copy(try tagged.put(bytes: Array(author), "d.png")))).holds("Anna"))
  }

  @Test func `what has nothing to leave out is not written again`() throws {
    let tagged = try Tagged()
    for kind in Tagged.kinds + ["tif"] { #expect(try Self.copy(try tagged.put(kind, [])) == nil) }
    for name in [
      "moving.gif", "moving.png", "moving.webp", "sound.mp3", "upright.mp4", "upright.webm", "sound.mp4",
      "fragmented.mp4",
    ] {
      #expect(try Self.copy(try tagged.put(bytes: try Fixture.bytes(name), name)) == nil, "\(name)")
    }
  }

  @Test(arguments: ["placed.mp4", "placed.mov", "placed-short.mov"])
  func `a film loses its place, and nothing moves`(name: String) async throws {
    let (tagged, inspector) = (try Tagged(), FactsChild())
    let whole = try Fixture.bytes(name)
    let path = try tagged.put(bytes: whole, name)
    let copy = try Self.bytes(try #require(try Self.copy(path)))
    #expect(whole.count == copy.count)
    #expect(!copy.holds("48.8577"))
    // Version, language, name, role, and the longitude as a fixed-point number.
    #expect(!copy.holds("loci"))
    var facts = try inspector.facts(path)
    (facts.latitude, facts.longitude) = (nil, nil)
    #expect(try inspector.facts("\(path).copy") == facts)
    #expect(facts.artist == "Anna" || facts.copyright == "Anna")
    let shop = try Shop()
    let derivatives = shop.derivatives()
    let before = try await derivatives.file(for: try shop.put(whole), size: .small)
    #expect(try await derivatives.file(for: try shop.put(copy), size: .small).bytes == before.bytes)
    // Nothing is left to leave out.
    #expect(try Self.copy("\(path).copy") == nil)
  }

  @Test func `a film loses tracks that may log positions, and their samples`() async throws {
    let tagged = try Tagged()
    let whole = try Fixture.bytes("subtitles.mp4")
    try #require(whole.holds("GPS (48"))
    let copy = try Self.bytes(try #require(try Self.copy(try tagged.put(bytes: whole, "a.mp4"))))
    #expect(whole.count == copy.count && !copy.holds("GPS (48") && !copy.holds("sbtl"))
    let shop = try Shop()
    #expect(try await shop.derivatives().seen(try shop.put(copy)).size == [96, 64])
    #expect(try FactsChild().facts("\(tagged.scratch.path)/a.mp4.copy").codecs == ["h264", "aac"])
  }

  @Test func `boxes of a film that show nothing are left out`() throws {
    let tagged = try Tagged()
    let whole = try Fixture.bytes("upright.mp4")
    func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
      RawEXIF.little(content.count + 8, 4).reversed() + name.utf8 + content
    }
    let paris = Array("Paris".utf8)
    for (name, bytes) in [
      ("XMP", whole + box("uuid", [UInt8](repeating: 0xBE, count: 16) + paris)), ("free", whole + box("free", paris)),
      ("metadata", whole + box("meta", [0, 0, 0, 0] + paris)), ("behind", whole + paris),
    ] {
      let copy = try #require(try Self.copy(try tagged.put(bytes: bytes, "a.mp4")), "\(name)")
      #expect(try !Self.bytes(copy).holds("Paris"), "\(name)")
    }
  }

  @Test func `what cannot be cleaned is refused, and says why`() throws {
    let (tagged, stripper) = (try Tagged(), Self.stripper())
    func refusal(_ bytes: [UInt8], _ name: String) throws -> StrippingError? {
      let path = try tagged.put(bytes: bytes, name)
      let error = #expect(throws: StrippingError.self) { try stripper.strip(path, to: "\(path).copy") }
      #expect(access("\(path).copy", F_OK) != 0)
      return error
    }
    #expect(
      try refusal(try Fixture.bytes("placed.avif"), "a.avif")
        == .refused("it may say where it was taken, and nothing here removes that from image/avif"))
    let tiff = try Self.bytes(try tagged.put("tif", ["set Iptc.Application2.City Paris"]))
    #expect(
      try refusal(tiff, "a.tif")
        == .refused("it may say where it was taken, and nothing here removes that from image/tiff"))
    #expect(
      try refusal(try Fixture.bytes("fragmented-subtitles.mp4"), "a.mp4")
        == .refused("its parts hold a track that is neither video nor sound"))
    // No tracks: the copy is written, and does not stay.
    let start = try Array(Fixture.bytes("upright.mp4").prefix(32)) + [0, 0, 0, 12] + Array("freeABCD".utf8)
    try #require(start[3] == 32)
    #expect(try refusal(start, "b.mp4") == .refused("the video is damaged: its streams cannot be read"))
    let jpeg = try Made.jpeg(40, 30)
    #expect(try refusal(Array("no picture".utf8), "a.jpg") == .refused("it is text"))
    #expect(try refusal(jpeg.dropLast(200), "b.jpg") == .refused("the picture is damaged: its end is missing"))
    let process = stripper.process
    let path = try tagged.put("jpg", ["set Exif.Image.Artist Anna"])
    let taken = try tagged.put(bytes: [1], "taken")
    #expect(throws: StrippingError.unavailable("the copy cannot be written: File exists")) {
      try stripper.strip(path, to: taken)
    }
    #expect(try Self.bytes(taken) == [1])
    symlink("\(tagged.scratch.path)/elsewhere", "\(tagged.scratch.path)/link")
    #expect(throws: StrippingError.unavailable("the copy cannot be written: File exists")) {
      try stripper.strip(path, to: "\(tagged.scratch.path)/link")
    }
    #expect(throws: StrippingError.unavailable("the copy cannot be written: No such file or directory")) {
      try stripper.strip(path, to: "\(tagged.scratch.path)/missing/copy")
    }
    #expect(stripper.process == process)
    #expect(
      StrippingError.refused("it is text").message == "Its place cannot be taken out: it is text.")
  }

  @Test(arguments: ["jpg", "png", "webp", "mov"])
  func `damage at any offset ends no child, and no copy has a place`(kind: String) throws {
    let (tagged, stripper, inspector) = (try Tagged(), Self.stripper(), FactsChild())
    let whole =
      kind == "mov"
      ? try Fixture.bytes("placed-short.mov") : try Self.bytes(try tagged.put(kind, FactsTests.everything.commands))
    var copies = 0
    for offset in stride(from: 0, to: whole.count, by: max(1, whole.count / 150)) {
      var bytes = whole
      bytes[offset] ^= 0x5A
      let path = try tagged.put(bytes: bytes, "damaged.\(kind)")
      do {
        let output = "\(path).copy"
        unlink(output)
        guard try stripper.strip(path, to: output) else { continue }
        copies += 1
        #expect(try inspector.answer(output)?.facts?.latitude == nil)
      } catch StrippingError.refused(let reason) {
        #expect(!reason.contains("ended"), "at \(offset)")
      }
    }
    #expect(copies > 0)
  }

  @Test func `a child that ends costs its file alone`() throws {
    let tagged = try Tagged()
    let path = try tagged.put("jpg", FactsTests.everything.commands)
    let stripper = Self.stripper()
    _ = try Self.copy(path, by: stripper)
    kill(try #require(stripper.process), SIGKILL)
    #expect(throws: StrippingError.refused("it ended the program that cleans it")) {
      try stripper.strip(path, to: "\(path).second")
    }
    #expect(try stripper.strip(path, to: "\(path).second"))
  }

  @Test func `nothing but an answer is taken from a child`() throws {
    let shop = try Shop()
    let program = try shop.script("echo nonsense", greeting: "media-picture strip 1")
    #expect(throws: StrippingError.refused("the program that cleans it sent no answer")) {
      try Self.stripper(program).strip("/a", to: "\(shop.scratch.path)/b")
    }
    #expect(throws: StrippingError.unavailable("\(program) is of another version")) {
      try Self.stripper(try shop.script("cat")).strip("/a", to: "\(shop.scratch.path)/b")
    }
  }
}
