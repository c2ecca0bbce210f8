import Foundation
import Pictures
import Testing

/// Metadata that were written to do harm: the child answers, or it ends and the next one answers.
@Suite(.timeLimit(.minutes(10))) struct HostileFactsTests {
  @Test func `texts steer nothing`() throws {
    let (tagged, inspector) = (try Tagged(), FactsChild())
    let texts: [([UInt8], String?)] = [
      (Array("a\u{1B}[2Jb\u{7}c\u{202E}d\u{0}".utf8), "a[2Jbcd"), ([0x61, 0xFF, 0x62, 0], "aÿb"),
      (Array("é".utf8) + [0xFF, 0x62, 0], "é\u{FFFD}b"), ([0x1B, 0x07, 0x20, 0], nil),
      (Array(repeating: 0x61, count: 5000) + [0], String(repeating: "a", count: 2000)),
    ]
    for (bytes, text) in texts {
      let path = try tagged.put(bytes: try RawEXIF.jpeg(RawEXIF.tiff([RawEXIF.ascii(0x010E, bytes)])), "a.jpg")
      #expect(try inspector.facts(path).caption == text)
    }
  }

  @Test func `an origin that is no word of a vocabulary is none`() throws {
    let facts = try Tagged.facts("jpg", ["set Xmp.iptcExt.DigitalSourceType http://a/b?c=<script>"])
    #expect(facts.origin == nil)
  }

  @Test func `EXIF that lies or ends anywhere ends no child`() throws {
    let (tagged, inspector) = (try Tagged(), FactsChild())
    _ = try inspector.facts(try tagged.put("jpg", []))
    let process = try #require(inspector.child?.number)
    let artist = RawEXIF.ascii(0x013B, Array("Anna Apple\0".utf8))
    let whole = RawEXIF.tiff([artist, RawEXIF.long(0x8769, 8), RawEXIF.long(0x8825, 8)], next: 8)
    var files = [whole]
    for end in 0..<whole.count { files.append(Array(whole.prefix(end))) }
    for offset in whole.indices {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var bytes = whole
        bytes[offset] = value
        files.append(bytes)
      }
    }
    for type in 0...14 {
      for count in [0, 0x7FFF_FFFF, 0xFFFF_FFFF, 0x1000_0000] {
        files.append(
          RawEXIF.tiff([.init(tag: 0x010E, type: type, count: count, value: RawEXIF.little(26, 4)), artist]))
      }
    }
    for file in files {
      let answer = try #require(try inspector.answer(try tagged.put(bytes: try RawEXIF.jpeg(file), "a.jpg")))
      #expect(answer.facts != nil || answer.failures["facts"] != nil)
      #expect(inspector.child?.number == process)
    }
    #expect(try inspector.facts(try tagged.put(bytes: try RawEXIF.jpeg(whole), "a.jpg")).artist == "Anna Apple")
  }

  @Test func `a million tags cost one child at most`() throws {
    let (tagged, inspector) = (try Tagged(), FactsChild())
    var bytes = Array("II*\0".utf8) + RawEXIF.little(8, 4)
    let entry = RawEXIF.little(0x013B, 2) + RawEXIF.little(2, 2) + RawEXIF.little(3, 4) + Array("Al\0\0".utf8)
    let directories = 20
    bytes.reserveCapacity(13 << 20)
    for number in 1...directories {
      bytes += RawEXIF.little(50_000, 2)
      for _ in 0..<50_000 { bytes += entry }
      bytes += RawEXIF.little(number < directories ? bytes.count + 4 : 0, 4)
    }
    try Self.expectAnswerOrEnd(inspector, tagged, bytes, "a.tif")
  }

  @Test func `XMP of fifty megabytes, and XMP that grows, cost one child at most`() throws {
    let (tagged, inspector) = (try Tagged(), FactsChild())
    let (start, end) = (
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
        + "<rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:subject><rdf:Bag>",
      "</rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>"
    )
    let many = start + String(repeating: "<rdf:li>boat</rdf:li>", count: 2_500_000) + end
    try Self.expectAnswerOrEnd(inspector, tagged, try Self.webp(xmp: many), "a.webp")
    let entities = (1...12).map { "<!ENTITY e\($0) '\(String(repeating: "&e\($0 - 1);", count: 12))'>" }.joined()
    let bomb = "<!DOCTYPE x [<!ENTITY e0 'boat'>\(entities)]>\(start)<rdf:li>&e12;</rdf:li>\(end)"
    try Self.expectAnswerOrEnd(inspector, tagged, try Self.webp(xmp: bomb), "b.webp")
    let deep = start + String(repeating: "<rdf:li><rdf:Bag>", count: 200_000) + end
    try Self.expectAnswerOrEnd(inspector, tagged, try Self.webp(xmp: deep), "c.webp")
  }

  @Test func `XMP reads no other file`() throws {
    let (tagged, inspector) = (try Tagged(), FactsChild())
    let secret = try tagged.put(bytes: Array("secret word".utf8), "secret")
    let xmp = """
      <!DOCTYPE x [<!ENTITY e SYSTEM 'file://\(secret)'>]><x:xmpmeta xmlns:x='adobe:ns:meta/'>\
      <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' \
      xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:subject><rdf:Bag><rdf:li>boat &e;</rdf:li></rdf:Bag></dc:subject>\
      </rdf:Description></rdf:RDF></x:xmpmeta>
      """
    let answer = try #require(try inspector.answer(try tagged.put(bytes: try Self.webp(xmp: xmp), "a.webp")))
    #expect(!"\(answer)".contains("secret word"))
  }

  @Test func `what is no picture and no film is refused`() throws {
    let (tagged, inspector) = (try Tagged(), FactsChild())
    for (bytes, reason) in [
      (Array("no picture at all".utf8), "it is text"), ([], "the file is empty"),
      (try Made.jpeg(40, 30).dropLast(200), "the picture is damaged: its end is missing"),
    ] {
      let answer = try #require(try inspector.answer(try tagged.put(bytes: Array(bytes), "a.jpg")))
      #expect(answer.failures == ["facts": reason] && answer.facts == nil)
    }
  }

  @Test func `damage at any offset of a film ends no child`() throws {
    let (tagged, inspector) = (try Tagged(), FactsChild())
    for name in ["placed.mov", "placed.mp4", "upright.webm", "sound.ogg"] {
      let whole = try Fixture.bytes(name)
      for offset in stride(from: 0, to: whole.count, by: 23) {
        var bytes = whole
        bytes[offset] ^= 0x5A
        _ = try #require(try inspector.answer(try tagged.put(bytes: bytes, name)), "\(name) at \(offset)")
      }
    }
  }

  /// In a WebP, whose chunks have no checksum.
  private static func webp(xmp: String) throws -> [UInt8] {
    let plain = try Made.webp(40, 30)
    let chunk = Array("XMP ".utf8) + RawEXIF.little(xmp.utf8.count, 4) + xmp.utf8 + (xmp.utf8.count % 2 == 1 ? [0] : [])
    return plain[..<4] + RawEXIF.little(plain.count - 8 + chunk.count, 4) + plain[8...] + chunk
  }

  private static func expectAnswerOrEnd(
    _ inspector: FactsChild, _ tagged: Tagged, _ bytes: [UInt8], _ name: String
  ) throws {
    _ = try inspector.answer(try tagged.put(bytes: bytes, name))
    let good = try tagged.put("jpg", ["set Exif.Image.Artist Anna"])
    #expect(try inspector.facts(good).artist == "Anna")
  }
}
