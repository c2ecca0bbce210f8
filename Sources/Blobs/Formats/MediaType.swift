/// The type of a file, detected from its bytes. The raw value is the media type (RFC 6838).
public enum MediaType: String, Sendable, CaseIterable {
  case jpeg = "image/jpeg"
  case png = "image/png"
  case gif = "image/gif"
  case webp = "image/webp"
  case avif = "image/avif"
  case heic = "image/heic"
  case bmp = "image/bmp"
  case tiff = "image/tiff"
  case jpegXL = "image/jxl"
  case jpeg2000 = "image/jp2"
  case icon = "image/vnd.microsoft.icon"
  case svg = "image/svg+xml"
  case mp4 = "video/mp4"
  case quickTime = "video/quicktime"
  case webm = "video/webm"
  case matroska = "video/x-matroska"
  case mp3 = "audio/mpeg"
  case m4a = "audio/mp4"
  case ogg = "application/ogg"
  case wav = "audio/wav"
  case flac = "audio/flac"
  case html = "text/html"

  /// Whether it is a picture.
  public var isImage: Bool { rawValue.hasPrefix("image/") }

  /// The extension of files of this type, without its dot.
  public var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .gif: "gif"
    case .webp: "webp"
    case .avif: "avif"
    case .heic: "heic"
    case .bmp: "bmp"
    case .tiff: "tif"
    case .jpegXL: "jxl"
    case .jpeg2000: "jp2"
    case .icon: "ico"
    case .svg: "svg"
    case .mp4: "mp4"
    case .quickTime: "mov"
    case .webm: "webm"
    case .matroska: "mkv"
    case .mp3: "mp3"
    case .m4a: "m4a"
    case .ogg: "ogg"
    case .wav: "wav"
    case .flac: "flac"
    case .html: "html"
    }
  }

  /// Detects the type from the first bytes of a file. Returns nil if it is unknown.
  init?(head: [UInt8]) {
    if let signature = Self.signatures.first(where: { head.has($0.text, at: $0.offset) }) {
      self = signature.type
    } else if head.has("RIFF", at: 0), head.has("WEBP", at: 8) {
      self = .webp
    } else if head.has("RIFF", at: 0), head.has("WAVE", at: 8) {
      self = .wav
    } else if Bitmap.isBitmap(head) {
      self = .bmp
    } else if Icon.isIcon(head) {
      self = .icon
    } else if head.has("ftyp", at: 4), let type = Self.type(ofBrands: head) {
      self = type
    } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
      self = head.contains("webm") ? .webm : .matroska
    } else if head.count > 2, head[0] == 0xFF, head[1] & 0xE6 == 0xE2, head[2] & 0xF0 != 0xF0 {
      self = .mp3  // an MPEG audio frame, layer III: 11 bits of sync, then a valid bit rate
    } else if let type = MarkupHead.type(of: head) {
      self = type
    } else {
      return nil
    }
  }

  private static let signatures: [(text: String, offset: Int, type: MediaType)] = [
    ("\u{89}PNG\r\n\u{1A}\n", 0, .png), ("\u{FF}\u{D8}\u{FF}", 0, .jpeg), ("GIF87a", 0, .gif), ("GIF89a", 0, .gif),
    ("II*\0", 0, .tiff), ("MM\0*", 0, .tiff), ("II+\0", 0, .tiff), ("MM\0+", 0, .tiff), ("OggS", 0, .ogg),
    ("\0\0\0\u{0C}JXL \r\n\u{87}\n", 0, .jpegXL), ("\u{FF}\u{0A}", 0, .jpegXL), ("fLaC", 0, .flac),
    ("\0\0\0\u{0C}jP  \r\n\u{87}\n", 0, .jpeg2000), ("\u{FF}\u{4F}\u{FF}\u{51}", 0, .jpeg2000),
    ("ID3", 0, .mp3), ("moov", 4, .quickTime),
  ]

  /// The brands of an ISO base media file (ISO/IEC 14496-12, 4.3): the major one, then the compatible ones.
  private static func type(ofBrands head: [UInt8]) -> MediaType? {
    let end = min(Int(head.bigEndian(4, at: 0) ?? 0), head.count)
    guard end >= 12 else { return nil }
    let offsets = [8] + stride(from: 16, through: end - 4, by: 4)
    let brands = offsets.map { String(decoding: head[$0..<$0 + 4], as: UTF8.self) }
    if brands.contains(where: { $0 == "avif" || $0 == "avis" }) { return .avif }
    if brands.contains(where: { ["heic", "heix", "heim", "heis", "hevc", "mif1", "msf1"].contains($0) }) {
      return .heic
    }
    if brands[0] == "qt  " { return .quickTime }
    return brands[0].hasPrefix("M4A") ? .m4a : .mp4
  }
}

extension [UInt8] {
  /// Whether the bytes at an offset are this Latin-1 text.
  func has(_ text: String, at offset: Int) -> Bool {
    var index = offset
    // Most differ in their first byte.
    for scalar in text.unicodeScalars {
      guard index >= 0, index < count, UInt32(self[index]) == scalar.value else { return false }
      index += 1
    }
    return index <= count
  }

  func contains(_ text: String) -> Bool { indices.contains { has(text, at: $0) } }

  /// A big-endian number of up to seven bytes; nil beyond the end.
  func bigEndian(_ width: Int, at offset: Int) -> Int? {
    guard offset >= 0, offset + width <= count else { return nil }
    return self[offset..<offset + width].reduce(0) { $0 << 8 | Int($1) }
  }

  /// A little-endian number of up to seven bytes; nil beyond the end.
  func littleEndian(_ width: Int, at offset: Int) -> Int? {
    guard offset >= 0, offset + width <= count else { return nil }
    return self[offset..<offset + width].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
