import Blobs
import Pictures

/// Reads what a file says of itself.
enum FactsReader {
  /// The most keywords.
  static let mostKeywords = 200

  /// The pictures whose metadata exiv2 reads.
  static let described: Set<MediaType> = [.jpeg, .png, .webp, .tiff, .heic, .avif, .jpeg2000]

  /// What the metadata of a picture, of a video or of sound say.
  static func facts(of path: String) throws(Refusal) -> FileFacts {
    let accepted = PictureFile.drawable.union(OpenVideo.demuxers.keys)
    // A video may have any length, and only parts of it are read. So are only parts of a picture.
    let file = try PictureFile(path, accepting: accepted, mostBytes: .max)
    if OpenVideo.demuxers[file.type] != nil { return limited(try videoFacts(file)) }
    var facts = FileFacts()
    if described.contains(file.type) {
      facts = try MappedFile.read(file) { bytes throws(Refusal) in pictureFacts(try Metadata(bytes)) }
    }
    facts.duration = try? MediaHeader.duration(of: file.type, descriptor: file.descriptor, length: file.byteCount)
    return limited(facts)
  }

  /// What EXIF, XMP and IPTC say, the more trusted first.
  static func pictureFacts(_ metadata: Metadata) -> FileFacts {
    func first<Value>(_ tags: [String], _ read: ([UInt8]?) -> Value?) -> Value? {
      for tag in tags { if let value = read(unlabelled(metadata.values(tag).first)) { return value } }
      return nil
    }
    var facts = FileFacts()
    let time = time(metadata)
    (facts.takenAt, facts.offset) = (time?.text, time?.offset)
    let coordinates = Coordinates(
      latitude: metadata.bytes("Exif.GPSInfo.GPSLatitude"), metadata.bytes("Exif.GPSInfo.GPSLatitudeRef"),
      longitude: metadata.bytes("Exif.GPSInfo.GPSLongitude"), metadata.bytes("Exif.GPSInfo.GPSLongitudeRef"))
    (facts.latitude, facts.longitude) = (coordinates?.latitude, coordinates?.longitude)
    facts.camera = FactText.camera(make: metadata.bytes("Exif.Image.Make"), model: metadata.bytes("Exif.Image.Model"))
    facts.artist = first(["Exif.Image.Artist", "Xmp.dc.creator", "Iptc.Application2.Byline"]) { FactText.text($0) }
    facts.copyright = first(["Exif.Image.Copyright", "Xmp.dc.rights", "Iptc.Application2.Copyright"]) {
      FactText.text($0)
    }
    facts.caption = first(
      ["Exif.Image.ImageDescription", "Xmp.dc.description", "Iptc.Application2.Caption"], FactText.caption)
    facts.keywords = FactText.keywords(
      metadata.values("Iptc.Application2.Keywords") + metadata.values("Xmp.dc.subject"), most: mostKeywords)
    facts.origin = FactText.term(metadata.bytes("Xmp.iptcExt.DigitalSourceType"))
    return facts
  }

  private static func time(_ metadata: Metadata) -> FactTime? {
    let zone = metadata.bytes("Exif.Photo.OffsetTimeOriginal") ?? metadata.bytes("Exif.Photo.OffsetTime")
    if let time = FactTime(metadata.bytes("Exif.Photo.DateTimeOriginal"), zone: zone) { return time }
    let others = ["Xmp.photoshop.DateCreated", "Xmp.exif.DateTimeOriginal"]
    if let time = others.lazy.compactMap({ FactTime(metadata.bytes($0)) }).first { return time }
    guard let day = metadata.bytes("Iptc.Application2.DateCreated") else { return nil }
    let clock = metadata.bytes("Iptc.Application2.TimeCreated").map { Array(" ".utf8) + $0 } ?? []
    return FactTime(day + clock) ?? FactTime(day)
  }

  /// A value without the language that exiv2 writes before it: `lang="x-default" A boat`.
  private static func unlabelled(_ value: [UInt8]?) -> [UInt8]? {
    guard let value, value.starts(with: "lang=\"".utf8), let end = value.dropFirst(6).firstIndex(of: UInt8(ascii: "\""))
    else { return value }
    return Array(value[(end + 1)...].drop { $0 == UInt8(ascii: " ") })
  }

  /// Facts that fit into a line of the protocol: without the last keywords, and then with shorter texts, if need be.
  private static func limited(_ facts: FileFacts) -> FileFacts {
    var facts = facts
    func isTooLong() -> Bool { ((try? PictureProtocol.line(facts))?.count ?? .max) > mostBytes }
    while isTooLong(), !facts.keywords.isEmpty { facts.keywords.removeLast(facts.keywords.count / 2 + 1) }
    if isTooLong() {
      for text in [\FileFacts.artist, \.copyright, \.caption] {
        facts[keyPath: text]?.removeLastCharacters(after: 500)
      }
    }
    if isTooLong() { facts = FileFacts() }
    return facts
  }

  // The hashes stand in the same line.
  private static let mostBytes = PictureProtocol.longestLine - InspectionProtocol.longestHash - 512
}

extension String {
  fileprivate mutating func removeLastCharacters(after most: Int) { self = String(prefix(most)) }
}
