/// The metadata of a picture that a clean copy keeps: how it is shown and was exposed, who made it, and what they say of it.
struct KeptMetadata {
  /// EXIF, as a TIFF; empty if there is none.
  let exif: [UInt8]
  /// XMP; empty if there is none.
  let xmp: [UInt8]

  /// The tags of EXIF that stay.
  private static let exifTags: [String] =
    [
      "Make", "Model", "Orientation", "XResolution", "YResolution", "ResolutionUnit", "Software", "DateTime", "Artist",
      "Copyright", "ImageDescription",
    ].map { "Exif.Image.\($0)" }
    + [
      "ExposureTime", "FNumber", "ExposureProgram", "ISOSpeedRatings", "ExifVersion", "DateTimeOriginal",
      "DateTimeDigitized", "OffsetTime", "OffsetTimeOriginal", "OffsetTimeDigitized", "SubSecTime",
      "SubSecTimeOriginal", "SubSecTimeDigitized", "ShutterSpeedValue", "ApertureValue", "BrightnessValue",
      "ExposureBiasValue", "MaxApertureValue", "MeteringMode", "LightSource", "Flash", "FocalLength", "ColorSpace",
      "ExposureMode", "WhiteBalance", "DigitalZoomRatio", "FocalLengthIn35mmFilm", "SceneCaptureType", "Contrast",
      "Saturation", "Sharpness", "LensSpecification", "LensMake", "LensModel",
    ].map { "Exif.Photo.\($0)" } + ["Exif.Iop.InteroperabilityIndex"]
  /// What the library adds: where the directories of EXIF begin.
  private static let ownTags: Set<String> = ["Exif.Image.ExifTag", "Exif.Photo.InteroperabilityTag"]
  /// The tags of XMP that stay and have one value.
  private static let xmpTags = [
    "Xmp.photoshop.DateCreated", "Xmp.exif.DateTimeOriginal", "Xmp.xmp.Rating", "Xmp.xmpRights.Marked",
    "Xmp.xmpRights.WebStatement", "Xmp.iptcExt.DigitalSourceType",
  ]
  /// The tags of XMP that are written from what was read of the picture.
  private static let (creator, rights, description, subject) = (
    "Xmp.dc.creator", "Xmp.dc.rights", "Xmp.dc.description", "Xmp.dc.subject"
  )
  private static let allTags = ownTags.union(exifTags + xmpTags + [creator, rights, description, subject])

  /// The most bytes of EXIF or XMP: what a segment of a JPEG has room for, with a header before it.
  private static let mostBytes = 65_000
  /// The most bytes of a value.
  private static let longestValue = 16 << 10

  /// Reads the metadata of a picture, and encodes what is kept.
  ///
  /// - Parameter isTurned: Whether the picture is shown by its orientation. Only then it stays: programs may read it where
  ///   it is written anew.
  init(of picture: UnsafeRawBufferPointer, isTurned: Bool) throws(Refusal) {
    let metadata = try Metadata(picture)
    let facts = FactsReader.pictureFacts(metadata)
    let tags = Self.exifTags.filter { isTurned || $0 != "Exif.Image.Orientation" }
    let exif = tags.compactMap { tag in metadata.bytes(tag).map { (tag, $0) } }
    var xmp = Self.xmpTags.compactMap { tag in FactText.text(metadata.bytes(tag)).map { (tag, $0) } }
    // IPTC is not written again: what it says is said here.
    for (tag, text) in [(Self.rights, facts.copyright), (Self.description, facts.caption)] {
      if let text { xmp.append((tag, "lang=\"x-default\" \(text)")) }
    }
    if let time = facts.takenAt, !xmp.contains(where: { $0.0 == "Xmp.photoshop.DateCreated" }) {
      xmp.append(("Xmp.photoshop.DateCreated", time))
    }
    let lists = [(Self.creator, facts.artist.map { [$0] } ?? []), (Self.subject, facts.keywords)]
    (self.exif, self.xmp) = try metadata.encoded(
      exif: exif.filter { $0.1.count <= Self.longestValue }, xmp: xmp, lists: lists)
    guard max(self.exif.count, self.xmp.count) <= Self.mostBytes else { throw Refusal("its metadata are too large") }
  }

  /// The beginnings of tags that say where a picture was taken, and of notes of makers, which may.
  private static let placeTags = [
    "Exif.GPSInfo.", "Exif.Photo.MakerNote", "Exif.MakerNote.", "Exif.Image.GPSTag", "Iptc.Application2.City",
    "Iptc.Application2.SubLocation", "Iptc.Application2.Location", "Iptc.Application2.ProvinceState",
    "Iptc.Application2.Country", "Xmp.exif.GPS", "Xmp.photoshop.City", "Xmp.photoshop.State", "Xmp.photoshop.Country",
    "Xmp.iptc.Location", "Xmp.iptc.Country", "Xmp.iptcExt.Location",
  ]

  /// Whether a picture may say where it was taken.
  static func mayHavePlace(_ picture: UnsafeRawBufferPointer) throws(Refusal) -> Bool {
    try Metadata(picture).tags.contains { tag in placeTags.contains { tag.hasPrefix($0) } }
  }

  /// Whether a picture has no metadata but those that are kept.
  static func hasNothingElse(_ picture: UnsafeRawBufferPointer) throws(Refusal) -> Bool {
    let metadata = try Metadata(picture)
    return metadata.tags.allSatisfy(allTags.contains) && FactsReader.pictureFacts(metadata).latitude == nil
  }
}
