import CZlib

/// The chunks of a PNG (W3C PNG, 5.3 and 11).
struct PNGParts: PictureParts {
  /// How the picture is shown.
  private static let shown: Set<String> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD",
    "hIST",
    "pHYs", "sPLT", "acTL", "fcTL", "fdAT",
  ]
  private static let texts: Set<String> = ["tEXt", "zTXt", "iTXt"]
  /// The texts that stay, by their keywords (W3C PNG, 11.3.3.2).
  private static let keywords = ["Title", "Author", "Description", "Copyright"].map { Array("\($0)\0".utf8) }
  private static let xmp = Array("XML:com.adobe.xmp\0".utf8)

  private var stays: [Range<Int>] = []
  private(set) var leavesOut = false
  private(set) var hasOnlyOwnMetadata = true

  init(_ bytes: UnsafeRawBufferPointer) throws(Refusal) {
    var offset = 8
    while offset + 12 <= bytes.count {
      let length = (0..<4).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
      guard length <= bytes.count - offset - 12 else { break }
      let name = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
      let content = UnsafeRawBufferPointer(rebasing: bytes[offset + 8..<offset + 8 + length])
      let chunk = offset..<offset + 12 + length
      offset = chunk.upperBound
      if Self.stays(name, content) {
        // Chunks that stay are mostly one behind the other.
        if let last = stays.last, last.upperBound == chunk.lowerBound, stays.count > 1 {
          stays[stays.count - 1] = last.lowerBound..<chunk.upperBound
        } else {
          stays.append(chunk)
        }
      } else {
        leavesOut = true
        if name != "eXIf", !(name == "iTXt" && content.starts(with: Self.xmp)) { hasOnlyOwnMetadata = false }
      }
      guard name == "IEND" else { continue }
      if offset < bytes.count { (leavesOut, hasOnlyOwnMetadata) = (true, false) }
      return
    }
    throw Refusal("the picture is damaged: its end is missing")
  }

  func pieces(with metadata: KeptMetadata) throws(Refusal) -> [Piece] {
    var own: [Piece] = []
    if !metadata.exif.isEmpty { own.append(.new(try Self.chunk("eXIf", metadata.exif))) }
    // Not compressed, no language.
    if !metadata.xmp.isEmpty { own.append(.new(try Self.chunk("iTXt", Self.xmp + [0, 0, 0, 0] + metadata.xmp))) }
    // The header is first, and apart.
    return [.source(0..<8)] + stays.prefix(1).map { .source($0) } + own + stays.dropFirst().map { .source($0) }
  }

  private static func stays(_ name: String, _ content: UnsafeRawBufferPointer) -> Bool {
    shown.contains(name) || texts.contains(name) && keywords.contains { content.starts(with: $0) }
  }

  private static func chunk(_ name: String, _ content: [UInt8]) throws(Refusal) -> [UInt8] {
    guard let library = zlib_shim_open() else { throw Refusal(missing: "libz.so.1") }
    defer { free(UnsafeMutableRawPointer(mutating: library)) }
    let body = Array(name.utf8) + content
    let sum = zlib_shim_crc(library, 0, body, UInt32(body.count))
    func number(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    return number(UInt32(content.count)) + body + number(sum)
  }
}
