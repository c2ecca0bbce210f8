// The orientation of a picture, where decoders neither apply nor report it.

extension MediaHeader {
  /// The orientation that the Exif data of a PNG or a WebP state (CIPA DC-008, 4.6.4): 1 to 8.
  ///
  /// Decoders of JPEG and TIFF report it. Those of AVIF, HEIC and JPEG XL apply what the container says, and there Exif
  /// data do not count (ISO/IEC 23008-12, A.2).
  ///
  /// - Parameters:
  ///   - type: The file's type.
  ///   - descriptor: The open file.
  ///   - length: How many bytes of the file to consider.
  /// - Returns: The orientation; nil if the file states none that is valid, or is of another type.
  public static func orientation(of type: MediaType, descriptor: Int32, length: Int) throws(BlobError) -> Int? {
    try orientation(of: type, length: length) { offset, count throws(BlobError) in
      try Descriptor.read(descriptor, at: offset, count: min(count, max(0, length - offset)), path: "")
    }
  }

  static func orientation<Failure>(
    of type: MediaType, length: Int, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Int? {
    let found: Range<Int>?
    switch type {
    case .png: found = try PNG.chunk("eXIf", length: length, read: read)
    case .webp: found = try RIFF.chunk("EXIF", length: length, read: read)
    default: found = nil
    }
    return try Exif.orientation(at: found, read: read)
  }
}

/// Exif data (CIPA DC-008): a TIFF without a picture.
enum Exif {
  /// The orientation that the data in a range of a file state; nil if there are none, or none that is valid.
  static func orientation<Failure>(
    at range: Range<Int>?, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Int? {
    guard let range else { return nil }
    // Some writers keep the identifier that precedes the data in a JPEG.
    let hasName = try read(range.lowerBound, min(range.count, 6)).has("Exif\0\0", at: 0)
    return try TIFF.directory(in: hasName ? range.dropFirst(6) : range, read: read).orientation
  }
}
