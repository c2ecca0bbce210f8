/// The chunks of a WebP (RFC 9649, 2.7).
struct WebPParts: PictureParts {
  private static let shown: Set<String> = ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]
  private static let (hasXMP, hasEXIF, hasAlpha): (UInt8, UInt8, UInt8) = (0x04, 0x08, 0x10)

  private struct Chunk {
    let name: String
    /// With the header and the padding.
    let range: Range<Int>
    let content: Range<Int>
  }

  private let bytes: UnsafeRawBufferPointer
  private let stays: [Chunk]
  let leavesOut: Bool
  let hasOnlyOwnMetadata: Bool

  init(_ bytes: UnsafeRawBufferPointer) throws(Refusal) {
    guard bytes.count >= 20 else { throw Self.damaged }
    let end = 8 + Self.number(bytes, 4, at: 4)
    guard end >= 20, end <= bytes.count else { throw Self.damaged }
    let chunks = try Self.chunks(bytes, 12..<end)
    self.bytes = bytes
    stays = chunks.filter { Self.shown.contains($0.name) }
    // A frame is a chunk of chunks, behind 16 bytes.
    for frame in stays where frame.name == "ANMF" {
      guard frame.content.count >= 16 else { throw Self.damaged }
      let parts = try Self.chunks(bytes, frame.content.dropFirst(16))
      guard parts.allSatisfy({ ["ALPH", "VP8 ", "VP8L"].contains($0.name) }) else {
        throw Refusal("its frames hold what is unknown here")
      }
    }
    let others = chunks.filter { !Self.shown.contains($0.name) }
    leavesOut = !others.isEmpty || end < bytes.count
    hasOnlyOwnMetadata = end == bytes.count && others.allSatisfy { $0.name == "EXIF" || $0.name == "XMP " }
  }

  func pieces(with metadata: KeptMetadata) throws(Refusal) -> [Piece] {
    var header = try header()
    header[8] &= ~(Self.hasEXIF | Self.hasXMP)
    if !metadata.exif.isEmpty { header[8] |= Self.hasEXIF }
    if !metadata.xmp.isEmpty { header[8] |= Self.hasXMP }
    let pictures = stays.filter { $0.name != "VP8X" }.map(\.range)
    let own = Self.chunk("EXIF", metadata.exif) + Self.chunk("XMP ", metadata.xmp)
    let count = 4 + header.count + pictures.reduce(0) { $0 + $1.count } + own.count
    let start = Array("RIFF".utf8) + Self.bytes(count, 4) + "WEBP".utf8 + header
    return [.new(start)] + pictures.map { .source($0) } + [.new(own)]
  }

  /// The chunk that says what the file holds. A simple file has none.
  private func header() throws(Refusal) -> [UInt8] {
    if let known = stays.first, known.name == "VP8X" {
      guard known.content.count == 10 else { throw Self.damaged }
      return Array(bytes[known.range])
    }
    guard let picture = stays.first, picture.content.count >= 10 else { throw Self.damaged }
    let start = picture.content.lowerBound
    let (width, height, alpha): (Int, Int, Bool)
    if picture.name == "VP8L" {
      let bits = Self.number(bytes, 4, at: start + 1)
      (width, height, alpha) = (bits & 0x3FFF, bits >> 14 & 0x3FFF, bits >> 28 & 1 == 1)
    } else {
      let size = [6, 8].map { Self.number(bytes, 2, at: start + $0) & 0x3FFF }
      guard size.allSatisfy({ $0 > 0 }) else { throw Self.damaged }
      (width, height, alpha) = (size[0] - 1, size[1] - 1, false)
    }
    let flags = Self.bytes(alpha ? Int(Self.hasAlpha) : 0, 4)
    return Array("VP8X".utf8) + Self.bytes(10, 4) + flags + Self.bytes(width, 3) + Self.bytes(height, 3)
  }

  private static let damaged = Refusal("the picture is damaged: its chunks are not whole")

  private static func chunks(_ bytes: UnsafeRawBufferPointer, _ within: Range<Int>) throws(Refusal) -> [Chunk] {
    var (chunks, offset): ([Chunk], Int) = ([], within.lowerBound)
    while offset + 8 <= within.upperBound {
      let count = number(bytes, 4, at: offset + 4)
      let content = offset + 8..<offset + 8 + count
      guard content.upperBound <= within.upperBound else { throw damaged }
      let end = min(content.upperBound + count % 2, within.upperBound)
      chunks.append(
        Chunk(
          name: String(decoding: bytes[offset..<offset + 4], as: UTF8.self), range: offset..<end, content: content))
      offset = end
    }
    return chunks
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    content.isEmpty
      ? [] : name.utf8 + bytes(content.count, 4) + content + [UInt8](repeating: 0, count: content.count % 2)
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ count: Int, at offset: Int) -> Int {
    (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
  }

  private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
