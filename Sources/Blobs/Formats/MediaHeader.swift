// Detects the type of a file and the size of its picture from few of its bytes. It decodes nothing: a hostile file
// costs a bounded number of small reads.

/// A file's type, its picture's size, and whether its end is missing.
public struct MediaHeader: Sendable, Equatable {
  /// A picture's size in pixels.
  public struct Size: Sendable, Hashable {
    /// The number of columns.
    public let width: Int
    /// The number of rows.
    public let height: Int

    /// The size of a picture that stands on its side, by Exif's number, once it is upright.
    func turned(by orientation: Int?) -> Size {
      (orientation ?? 1) > 4 ? Size(width: height, height: width) : self
    }
  }

  /// The type; nil if it is unknown.
  public let type: MediaType?
  /// The picture's size as it is shown, after it was turned; nil if the file is not a picture or its size could not be read.
  public let size: Size?
  /// The number of bytes.
  public let byteCount: Int
  /// Whether the end is missing. Known for JPEG, PNG and GIF, which mark their end, and for WebP, WAV, AVIF, HEIC, MP4,
  /// QuickTime, icons, and JPEG 2000 and JPEG XL in boxes, which state their lengths. False for all others.
  public let isCutShort: Bool

  /// Reads the header of an array of bytes.
  public init(of bytes: [UInt8]) {
    self.init(length: bytes.count) { offset, count in
      Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
    }
  }

  /// Reads the header of an open file.
  ///
  /// - Parameter length: how many bytes of the file to consider.
  public init(descriptor: Int32, length: Int) throws(BlobError) {
    try self.init(length: length) { offset, count throws(BlobError) in
      try Descriptor.read(descriptor, at: offset, count: min(count, max(0, length - offset)), path: "")
    }
  }

  /// Reads the header through `read`, which returns up to `count` bytes from `offset` on, and fewer only at the end.
  init<Failure>(
    length: Int,
    read source: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    let head = try source(0, 4096)
    // Most reads are within the head.
    func read(_ offset: Int, _ count: Int) throws(Failure) -> [UInt8] {
      guard offset >= 0, count >= 0, offset <= head.count, count <= head.count - offset else {
        return try source(offset, count)
      }
      return Array(head[offset..<offset + count])
    }
    byteCount = length
    type = MediaType(head: head)
    switch type {
    case .jpeg:
      let scan = try JPEG.scan(length: length, read: read)
      size = try scan.size?.turned(by: Exif.orientation(at: scan.exif, read: read))
      isCutShort = try !JPEG.ends(after: scan.end, length: length, read: read)
    case .png:
      let stored = head.has("IHDR", at: 12) ? head.size(4, 16, 20) { $0.bigEndian($1, at: $2) } : nil
      size = try stored?.turned(by: Exif.orientation(at: PNG.exif(length: length, read: read), read: read))
      isCutShort = try !PNG.ends(length: length, read: read)
    case .gif:
      size = head.size(2, 6, 8) { $0.littleEndian($1, at: $2) }
      isCutShort = try !GIF.ends(length: length, read: read)
    case .webp:
      let exif = try WebP.exif(head, length: length, read: read)
      size = try WebP.size(head)?.turned(by: Exif.orientation(at: exif, read: read))
      isCutShort = RIFF.isCutShort(head, length: length)
    case .avif, .heic:
      size = try ISOMedia.size(length: length, read: read)
      isCutShort = try ISOMedia.isCutShort(length: length, read: read)
    case .mp4, .quickTime, .m4a:
      size = nil
      isCutShort = try ISOMedia.isCutShort(length: length, read: read)
    case .jpegXL, .jpeg2000:
      size = nil
      // Without boxes, they state neither an end nor a length.
      isCutShort = head.first == 0 ? try ISOMedia.isCutShort(length: length, read: read) : false
    case .icon:
      size = nil
      isCutShort = Icon.isCutShort(head, length: length)
    case .wav:
      size = nil
      isCutShort = RIFF.isCutShort(head, length: length)
    case .tiff:
      size = try TIFF.directory(in: 0..<length, read: read).size
      isCutShort = false
    case .bmp:
      size = Bitmap.size(head)
      isCutShort = false
    default:
      size = nil
      isCutShort = false
    }
  }
}

extension [UInt8] {
  func size(
    _ bytes: Int,
    _ width: Int,
    _ height: Int,
    _ number: ([UInt8], Int, Int) -> Int?
  ) -> MediaHeader.Size? {
    guard let width = number(self, bytes, width), let height = number(self, bytes, height) else { return nil }
    return .init(width: width, height: height)
  }
}
