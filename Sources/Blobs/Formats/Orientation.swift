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
  /// The orientation is in the first directory, which stands at the beginning.
  private static let most = 64 << 10
  private static let orientation = 0x0112

  /// The orientation that the data in a range of a file state; nil if there are none, or none that is valid.
  static func orientation<Failure>(
    at range: Range<Int>?, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Int? {
    guard let range else { return nil }
    return orientation(in: try read(range.lowerBound, min(range.count, most)))
  }

  private static func orientation(in bytes: [UInt8]) -> Int? {
    // Some writers keep the identifier that precedes the data in a JPEG.
    let start = bytes.has("Exif\0\0", at: 0) ? 6 : 0
    let isLittle = bytes.has("II*\0", at: start)
    guard isLittle || bytes.has("MM\0*", at: start) else { return nil }
    func number(_ width: Int, at offset: Int) -> Int? {
      isLittle ? bytes.littleEndian(width, at: start + offset) : bytes.bigEndian(width, at: start + offset)
    }
    guard let directory = number(4, at: 4), let count = number(2, at: directory) else { return nil }
    let entries = (0..<count).lazy.map { directory + 2 + 12 * $0 }
    guard let entry = entries.first(where: { number(2, at: $0) == orientation }),
      let value = number(2, at: entry + 8), (1...8).contains(value)
    else { return nil }
    return value
  }
}
