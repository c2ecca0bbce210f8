// What a file is and how large its picture is, from as few of its bytes as tell it. Nothing is decoded here: a hostile
// file costs a bounded number of small reads.

/// What bytes are, and whether they end where they should.
public struct MediaHeader: Sendable, Equatable {
  /// A picture's size in pixels.
  public struct Size: Sendable, Hashable {
    /// Columns.
    public let width: Int
    /// Rows.
    public let height: Int
  }

  /// What the bytes are, nil where they are nothing known.
  public let type: MediaType?
  /// The picture's size, where it is a picture whose size could be read.
  public let size: Size?
  /// How many bytes there are.
  public let byteCount: Int
  /// Whether the end is missing: told for JPEG, PNG and GIF, which mark their end, and for WebP, WAV, AVIF, HEIC, MP4
  /// and QuickTime, which tell their length; false for all others.
  public let isCutShort: Bool

  /// What the bytes of an array are.
  public init(of bytes: [UInt8]) {
    self.init(length: bytes.count) { offset, count in
      Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
    }
  }

  /// What the bytes of an open file are, of which `length` are looked at.
  public init(descriptor: Int32, length: Int) throws(BlobError) {
    try self.init(length: length) { offset, count throws(BlobError) in
      try Descriptor.read(descriptor, at: offset, count: min(count, max(0, length - offset)), path: "")
    }
  }

  /// What the bytes behind `read` are, which gives up to `count` bytes from `offset` on, fewer only at the end.
  init<Failure>(
    length: Int,
    read source: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    let head = try source(0, 4096)
    // Most of what is asked for lies in what has been read.
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
      size = scan.size
      isCutShort = try !JPEG.ends(after: scan.end, length: length, read: read)
    case .png:
      size = head.has("IHDR", at: 12) ? head.size(4, 16, 20) { $0.bigEndian($1, at: $2) } : nil
      isCutShort = try !PNG.ends(length: length, read: read)
    case .gif:
      size = head.size(2, 6, 8) { $0.littleEndian($1, at: $2) }
      isCutShort = try read(max(0, length - 512), 512).last { $0 != 0 } != 0x3B
    case .webp:
      size = WebP.size(head)
      isCutShort = RIFF.isCutShort(head, length: length)
    case .avif, .heic:
      size = try ISOMedia.size(length: length, read: read)
      isCutShort = try ISOMedia.isCutShort(length: length, read: read)
    case .mp4, .quickTime, .m4a:
      size = nil
      isCutShort = try ISOMedia.isCutShort(length: length, read: read)
    case .wav:
      size = nil
      isCutShort = RIFF.isCutShort(head, length: length)
    case .bmp:
      size = head.size(4, 18, 22) { bytes, width, place in
        bytes.littleEndian(width, at: place).map { abs(Int(Int32(truncatingIfNeeded: $0))) }
      }
      isCutShort = false
    default:
      size = nil
      isCutShort = false
    }
  }
}

extension [UInt8] {
  fileprivate func size(
    _ bytes: Int,
    _ width: Int,
    _ height: Int,
    _ number: ([UInt8], Int, Int) -> Int?
  ) -> MediaHeader.Size? {
    guard let width = number(self, bytes, width), let height = number(self, bytes, height) else { return nil }
    return .init(width: width, height: height)
  }
}
