import Blobs
import Foundation
import Pictures
import Testing

/// What `media-picture` reads of the metadata of files.
@Suite(.timeLimit(.minutes(10))) struct FactsTests {
  /// The commands that say everything, and what is read of them.
  static let everything: (commands: [String], facts: FileFacts) = {
    var facts = FileFacts()
    (facts.takenAt, facts.offset, facts.latitude, facts.longitude) = ("2024-05-01T12:30:05", 120, 48.8583333, -2.295)
    (facts.camera, facts.artist, facts.copyright) = ("Canon EOS R5", "Anna Äpfel", "© Anna")
    (facts.caption, facts.keywords, facts.origin) = ("A boat\nat sea", ["boat", "sea"], "trainedAlgorithmicMedia")
    let commands = [
      "set Exif.Photo.DateTimeOriginal 2024:05:01 12:30:05", "set Exif.Photo.OffsetTimeOriginal +02:00",
      "set Exif.GPSInfo.GPSLatitude 48/1 51/1 3000/100", "set Exif.GPSInfo.GPSLatitudeRef N",
      "set Exif.GPSInfo.GPSLongitude 2/1 17/1 4200/100", "set Exif.GPSInfo.GPSLongitudeRef W",
      "set Exif.Image.Make Canon", "set Exif.Image.Model Canon EOS R5", "set Exif.Image.Artist Anna Äpfel",
      "set Exif.Image.Copyright © Anna", "set Exif.Image.ImageDescription A boat\nat sea",
      "set Xmp.dc.subject boat", "set Xmp.dc.subject sea",
      "set Xmp.iptcExt.DigitalSourceType http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
    ]
    return (commands, facts)
  }()

  @Test(arguments: Tagged.kinds + ["tif"])
  func `a picture says when, where, with what and by whom it was taken`(kind: String) throws {
    #expect(try Tagged.facts(kind, Self.everything.commands) == Self.everything.facts)
  }

  @Test(arguments: Tagged.kinds) func `a picture without metadata says nothing`(kind: String) throws {
    #expect(try Tagged.facts(kind, []) == FileFacts())
  }

  @Test func `an AVIF picture says it too`() throws {
    let facts = try Tagged.facts(bytes: try Fixture.bytes("placed.avif"), "a.avif")
    #expect(facts.latitude == 48.8583333 && facts.longitude == -2.295 && facts.artist == "Anna")
  }

  private static let texts: [(any KeyPath<FileFacts, String?> & Sendable, [String])] = [
    (\.artist, ["Exif.Image.Artist", "Xmp.dc.creator", "Iptc.Application2.Byline"]),
    (\.copyright, ["Exif.Image.Copyright", "Xmp.dc.rights", "Iptc.Application2.Copyright"]),
    (\.caption, ["Exif.Image.ImageDescription", "Xmp.dc.description", "Iptc.Application2.Caption"]),
  ]

  @Test(arguments: texts) func `EXIF counts before XMP, and XMP before IPTC`(
    field: any KeyPath<FileFacts, String?> & Sendable, tags: [String]
  ) throws {
    let (tagged, inspector) = (try Tagged(), FactsChild())
    for first in tags.indices {
      let path = try tagged.put("jpg", tags[first...].map { "set \($0) From \($0)" })
      #expect(try inspector.facts(path)[keyPath: field] == "From \(tags[first])")
    }
    // Spaces are no text.
    let path = try tagged.put("jpg", ["set \(tags[0]) \"   \"", "set \(tags[1]) Second"])
    #expect(try inspector.facts(path)[keyPath: field] == "Second")
  }

  private static let times: [([String], String?, Int?)] = [
    (["Exif.Photo.DateTimeOriginal 2024:02:29 23:59:59", "Exif.Photo.OffsetTime -03:30"], "2024-02-29T23:59:59", -210),
    (["Exif.Photo.DateTimeOriginal 1899:12:31 00:00:00"], "1899-12-31T00:00:00", nil),
    (["Exif.Photo.DateTimeOriginal 2023:02:29 12:00:00"], nil, nil),
    (["Exif.Photo.DateTimeOriginal 2024:13:01 12:00:00"], nil, nil),
    (["Exif.Photo.DateTimeOriginal 2024:12:01 24:00:00"], nil, nil),
    (["Exif.Photo.DateTimeOriginal 0000:00:00 00:00:00"], nil, nil),
    (["Exif.Photo.DateTimeOriginal \"    :  :     :  :  \""], nil, nil),
    (["Exif.Photo.DateTimeOriginal 1799:12:31 12:00:00"], nil, nil),
    (["Exif.Photo.DateTimeOriginal 2201:01:01 12:00:00"], nil, nil),
    (
      ["Exif.Photo.DateTimeOriginal 2024:05:01 12:00:00", "Exif.Photo.OffsetTimeOriginal +15:00"],
      "2024-05-01T12:00:00", nil
    ),
    (
      ["Exif.Photo.DateTimeOriginal 2024:05:01 12:00:00", "Exif.Photo.OffsetTimeOriginal noon"], "2024-05-01T12:00:00",
      nil
    ),
    (["Xmp.photoshop.DateCreated 2024-05-01T12:30:05.25-05:00"], "2024-05-01T12:30:05", -300),
    (["Xmp.photoshop.DateCreated 2024-05-01T12:30Z"], "2024-05-01T12:30:00", 0),
    (["Xmp.photoshop.DateCreated 2024-05-01"], "2024-05-01T00:00:00", nil),
    (["Xmp.exif.DateTimeOriginal 2024-05-01T12:30:05"], "2024-05-01T12:30:05", nil),
    (
      ["Iptc.Application2.DateCreated 2024-05-01", "Iptc.Application2.TimeCreated 12:30:05+02:00"],
      "2024-05-01T12:30:05",
      120
    ),
    (["Iptc.Application2.DateCreated 2024-05-01"], "2024-05-01T00:00:00", nil),
    (
      ["Exif.Photo.DateTimeOriginal 0000:00:00 00:00:00", "Xmp.photoshop.DateCreated 2020-01-02T03:04:05"],
      "2020-01-02T03:04:05", nil
    ),
    (
      ["Exif.Photo.DateTimeOriginal 2019:01:01 00:00:00", "Xmp.photoshop.DateCreated 2020-01-02T03:04:05"],
      "2019-01-01T00:00:00", nil
    ),
  ]

  @Test(arguments: times) func `only a time that was is one`(tags: [String], text: String?, offset: Int?) throws {
    let facts = try Tagged.facts("jpg", tags.map { "set \($0)" })
    #expect(facts.takenAt == text && facts.offset == offset)
  }

  private static let coordinates: [([String?], [Double]?)] = [
    (["48/1 51/1 30/1", "N", "2/1 17/1 42/1", "E"], [48.8583333, 2.295]),
    (["48/1 51/1 30/1", "S", "2/1 17/1 42/1", "W"], [-48.8583333, -2.295]),
    (["90/1 0/1 0/1", "N", "180/1 0/1 0/1", "E"], [90, 180]),
    (["48858333/1000000 0/1 0/1", "N", "2295/1000 0/1 0/1", "E"], [48.858333, 2.295]),
    (["90/1 0/1 1/1", "N", "2/1 0/1 0/1", "E"], nil),
    (["48/1 0/1 0/1", "N", "180/1 0/1 1/1", "E"], nil),
    (["48/1 99/1 0/1", "N", "2/1 0/1 0/1", "E"], nil),
    (["0/0 0/0 0/0", "N", "0/0 0/0 0/0", "E"], nil),
    (["48/1 51/1 0/0", "N", "2/1 17/1 0/1", "E"], nil),
    (["0/1 0/1 0/1", "N", "0/1 0/1 0/1", "E"], nil),
    (["0/1 0/1 0/1", "N", "2/1 0/1 0/1", "E"], [0, 2]),
    (["48/1 0/1 0/1", nil, "2/1 0/1 0/1", "E"], nil),
    (["48/1 0/1 0/1", "X", "2/1 0/1 0/1", "E"], nil),
    (["48/1 0/1 0/1", "N", nil, nil], nil),
  ]

  @Test(arguments: coordinates) func `only coordinates on Earth are some`(values: [String?], degrees: [Double]?) throws
  {
    let names = ["GPSLatitude", "GPSLatitudeRef", "GPSLongitude", "GPSLongitudeRef"]
    let commands = zip(names, values).compactMap { name, value in value.map { "set Exif.GPSInfo.\(name) \($0)" } }
    let facts = try Tagged.facts("jpg", commands)
    #expect(facts.latitude == degrees?[0] && facts.longitude == degrees?[1])
  }

  private static let cameras: [([String], String?)] = [
    (["Make Canon", "Model Canon EOS R5"], "Canon EOS R5"),
    (["Make NIKON CORPORATION", "Model NIKON D850"], "NIKON D850"),
    (["Make Apple", "Model iPhone 15"], "Apple iPhone 15"), (["Make Apple"], "Apple"), (["Model X100"], "X100"),
    (["Make \"  \"", "Model \"  \""], nil),
  ]

  @Test(arguments: cameras) func `a maker is named once`(tags: [String], camera: String?) throws {
    #expect(try Tagged.facts("jpg", tags.map { "set Exif.Image.\($0)" }).camera == camera)
  }

  @Test(arguments: ["OLYMPUS DIGITAL CAMERA", "SONY DSC", "           "])
  func `what a camera writes by itself is no caption`(text: String) throws {
    let facts = try Tagged.facts(
      "jpg", ["set Exif.Image.ImageDescription \"\(text)\"", "set Iptc.Application2.Caption A boat"])
    #expect(facts.caption == "A boat")
  }

  @Test func `keywords are those of IPTC and XMP, once each, and so many`() throws {
    let (tagged, inspector) = (try Tagged(), FactsChild())
    let both = try tagged.put(
      "jpg",
      [
        "set Iptc.Application2.Keywords sea", "add Iptc.Application2.Keywords boat", "set Xmp.dc.subject boat",
        "set Xmp.dc.subject sun",
      ])
    #expect(try inspector.facts(both).keywords == ["sea", "boat", "sun"])
    let many = try tagged.put("jpg", (0..<400).map { "set Xmp.dc.subject word\($0)" })
    #expect(try inspector.facts(many).keywords == (0..<200).map { "word\($0)" })
    let long = try tagged.put("jpg", ["set Xmp.dc.subject \(String(repeating: "é", count: 300))"])
    #expect(try inspector.facts(long).keywords == [String(repeating: "é", count: 100)])
  }

  @Test func `facts that fill more than a line are cut, not lost`() throws {
    let (tagged, inspector) = (try Tagged(), FactsChild())
    let long = String(repeating: "海", count: 3000)
    let path = try tagged.put(
      "png",
      ["Artist", "Copyright", "ImageDescription"].map { "set Exif.Image.\($0) \(long)" }
        + (0..<200).map { "set Xmp.dc.subject \($0) \(long.prefix(90))" })
    let facts = try inspector.facts(path)
    #expect(
      facts.artist == String(long.prefix(500)) && facts.caption == String(long.prefix(500)) && facts.keywords.isEmpty)
    let one = try tagged.put("png", ["set Exif.Image.ImageDescription \(long)"])
    #expect(try inspector.facts(one).caption == String(long.prefix(2000)))
  }

  private static let films: [(String, [String], Bool, ClosedRange<Int>)] = [
    ("placed.mp4", ["h264", "aac"], true, 900...1100), ("placed.mov", ["h264", "aac"], true, 900...1100),
    ("upright.webm", ["vp9"], false, 2900...3100), ("upright.mp4", ["h264"], false, 2900...3100),
    ("sound.ogg", ["vorbis"], true, 900...1100), ("sound.flac", ["flac"], true, 150...250),
    ("sound.mp4", ["aac"], true, 50...5000), ("fragmented.mp4", ["h264", "aac"], true, 0...1100),
  ]

  @Test(arguments: films)
  func `a film or a sound says how long it is, and of what`(
    name: String, codecs: [String], hasSound: Bool, duration: ClosedRange<Int>
  ) throws {
    let facts = try Tagged.facts(bytes: try Fixture.bytes(name), name)
    #expect(facts.codecs == codecs && facts.hasSound == hasSound)
    #expect(duration.contains(facts.duration ?? 0), "\(String(describing: facts.duration))")
  }

  @Test func `a film says when, where, with what and by whom it was taken`() throws {
    let (tagged, inspector) = (try Tagged(), FactsChild())
    let phone = try inspector.facts(try tagged.put(bytes: try Fixture.bytes("placed.mov"), "a.mov"))
    #expect(phone.takenAt == "2024-05-01T14:30:00" && phone.offset == 120 && phone.camera == "Apple iPhone 15")
    #expect(phone.latitude == 48.8577 && phone.longitude == 2.295 && phone.artist == "Anna")
    let camera = try inspector.facts(try tagged.put(bytes: try Fixture.bytes("placed.mp4"), "a.mp4"))
    #expect(camera.takenAt == "2024-05-01T12:30:00" && camera.offset == 0 && camera.caption == "Boat")
    #expect(camera.latitude == 48.8577 && camera.longitude == 2.295 && camera.artist == "Anna")
    let short = try inspector.facts(try tagged.put(bytes: try Fixture.bytes("placed-short.mov"), "b.mov"))
    #expect(short.latitude == 48.8577 && short.takenAt == nil && short.copyright == "Anna")
  }

  @Test func `a recorder without a clock says no time`() throws {
    let whole = try Fixture.bytes("placed.mp4")
    let header = try #require(Data(whole).range(of: Data("mvhd".utf8))).lowerBound
    let time = Data(whole[header + 8..<header + 12])
    // Seconds from 1904 on (ISO/IEC 14496-12, 8.2.2), of the film and of its tracks.
    for begin in [[0x7C, 0x25, 0xB0, 0x80], [0, 0, 0, 0]] as [[UInt8]] {
      var bytes = Data(whole)
      while let found = bytes.range(of: time) { bytes.replaceSubrange(found, with: begin) }
      #expect(try Tagged.facts(bytes: Array(bytes), "a.mp4").takenAt == nil)
    }
  }

  private static let positions: [(String, [Double]?)] = [
    ("+48.8577+002.2950/", [48.8577, 2.295]), ("-48.8577-002.295+1.0/", [-48.8577, -2.295]),
    ("+4830.0+00230.0/", [48.5, 2.5]), ("+483015+0023030/", [48.5041667, 2.5083333]), ("+91.0000+002.0000/", nil),
    ("+00.0000+000.0000/", nil), ("+48.8577/", nil), ("48.8577 2.2950", nil), ("+4.8+2.2/", nil),
    ("+4899.0+00200.0/", nil),
  ]

  @Test(arguments: positions) func `a film's position has the form of ISO 6709`(text: String, degrees: [Double]?) throws
  {
    var bytes = try Fixture.bytes("placed-short.mov")
    let old = Array("+48.8577+002.2950/".utf8)
    let at = try #require(Data(bytes).range(of: Data(old))).lowerBound
    bytes.replaceSubrange(
      at..<at + old.count,
      with: text.utf8 + [UInt8](repeating: 0x20, count: old.count - min(old.count, text.utf8.count)))
    try #require(bytes.count >= at)
    let facts = try Tagged.facts(bytes: bytes, "a.mov")
    #expect(facts.latitude == degrees?[0] && facts.longitude == degrees?[1])
  }

  @Test(arguments: [("moving.gif", 200...4000), ("moving.png", 200...4000), ("moving.webp", 200...4000)])
  func `an animated picture says how long it moves`(name: String, duration: ClosedRange<Int>) throws {
    let facts = try Tagged.facts(bytes: try Fixture.bytes(name), name)
    #expect(duration.contains(facts.duration ?? 0), "\(String(describing: facts.duration))")
    #expect(facts.hasSound == nil && facts.codecs.isEmpty)
  }
}
